import { actionQuery } from '../../api/operator/action-query.js'
import type { ActionAnswer } from '../../api/operator/admin-answer.js'
import { healthHistoryQuery } from '../../api/operator/health-query.js'
import type { Host } from '../../api/operator/health-reading.js'
import { curveView, healthView } from '../../api/operator/health-view.js'
import { placeOf, placeText } from '../../api/portfolio/statement-cursor.js'
import type { MarketCode } from '../../core/units.js'
import type { ActionRow } from '../../store/operator/action-rows.js'
import { busy, unlessBusy } from '../../doors/capacity-refusal.js'
import { answerPage } from '../middleware/list-page.js'
import { pageOf, queryOf } from '../middleware/query.js'
import { rangeIn } from '../middleware/time-query.js'
import { apart } from '../operator/edited-before.js'
import { healthRoutes } from '../../api/operator/health-routes.js'
import { DONE } from '../../api/answer-texts.js'
import { ApiError } from '../../api/api-error.js'
import { backupView } from '../../api/operator/backup-view.js'
import { REFUSED } from '../../api/refusal-texts.js'
import type { Exchange } from '../../exchange/exchange.js'
import { success } from '../middleware/envelope.js'
import { byOf } from '../routing/needs.js'
import { handle } from '../routing/handle.js'
import type { Binding } from '../routing/handle.js'
import { adminRoutes } from '../../api/operator/admin-routes.js'

/** Serves operators' views of the exchange itself, behind the guard. */
export function adminHandlers(exchange: Exchange, host: Host, version: string): Binding[] {
  return [
    handle(adminRoutes.listActions, async call => {
      const { q, who, action, event_id, userid } = queryOf(call, actionQuery)
      const { limit, after } = pageOf(call, placeOf, actionQuery)
      const filter = {
        ...{ q, who, action, ...rangeIn(call.c.req.query()) },
        market: event_id === undefined ? undefined : (Number(event_id) as MarketCode),
        userId: userid === undefined ? undefined : exchange.archive.userNamed(userid).userId,
      }
      const { rows, searchedTo } = unlessBusy(await exchange.archive.adminActions(filter, after, limit + 1))
      return answerPage(call, {
        message: DONE.actionsFetched,
        field: 'actions',
        rows,
        limit,
        view: actionView,
        cursorOf: placeText,
        next: searchedTo === undefined ? null : placeText(searchedTo),
      })
    }),
    handle(adminRoutes.confirmClock, async call => {
      const confirmed = await exchange.clock.confirm(byOf(call))
      if (confirmed === 'clock_trusted') throw new ApiError(409, REFUSED.clockTrusted, confirmed)
      if (typeof confirmed === 'string') throw busy(confirmed)
      const time = new Date(exchange.now()).toISOString()
      return success(call, 200, DONE.clockConfirmed, { ahead_ms: confirmed.aheadMs, time })
    }),
    handle(healthRoutes.promote, async call => {
      const { who, address } = byOf(call)
      try {
        return success(call, 200, DONE.promoted, { sequence: await host.promote({ who, address }) })
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error)
        throw new ApiError(409, `${REFUSED.notPromoted}: ${reason}`, 'not_promoted')
      }
    }),
    handle(adminRoutes.getDoctor, async call => success(call, 200, DONE.doctorFetched, await host.examine())),
    handle(healthRoutes.getHealthHistory, call => {
      const { range } = queryOf(call, healthHistoryQuery)
      return success(call, 200, DONE.healthFetched, curveView(host.curve(range)))
    }),
    handle(adminRoutes.getAdminHealth, async call =>
      success(call, 200, DONE.healthFetched, healthView(await exchange.health(), host, version)),
    ),
  ]
}

/** Returns a line of the audit log: `fields` are those of the request, in its own names and numbers. */
function actionView(row: ActionRow): ActionAnswer {
  return {
    id: placeText(row),
    createdAt: new Date(row.at).toISOString(),
    who: row.who,
    address: row.address,
    action: row.action,
    event_id: row.market === null ? null : String(row.market),
    userid: row.userId,
    ...apart(JSON.parse(row.fields) as Readonly<Record<string, unknown>>),
  }
}

/** Serves copies of the data file to operators, behind the guard. */
export function backupHandlers(exchange: Exchange): Binding[] {
  return [
    handle(adminRoutes.makeBackup, async call => {
      const made = await exchange.backups.make('asked', byOf(call))
      if (made === 'backup_under_way') throw new ApiError(409, REFUSED.backupUnderWay, 'backup_under_way')
      if (made === 'disk_low') throw busy(made)
      if ('failed' in made) throw new ApiError(500, `The backup failed: ${made.failed}`, 'backup_failed')
      return success(call, 201, DONE.backupMade, backupView(made))
    }),
    handle(adminRoutes.verifyBackup, async call => {
      const backup = await exchange.backups.find(call.params.backup)
      if (backup === undefined) throw new ApiError(404, REFUSED.backupNotFound, 'backup_not_found')
      if (exchange.backups.store.isSealed) throw new ApiError(409, REFUSED.backupSealed, 'backup_sealed')
      void exchange.backups.verify(backup.name)
      return success(call, 200, DONE.backupChecking, { name: backup.name })
    }),
    handle(adminRoutes.listBackups, async call => {
      const backups = await exchange.backups.list()
      return success(call, 200, DONE.backupsFetched, { backups: backups.map(backupView) })
    }),
  ]
}
