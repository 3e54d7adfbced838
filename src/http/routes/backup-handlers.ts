import { Hono } from 'hono'
import { DONE } from '../../api/answer-texts.js'
import { ApiError } from '../../api/api-error.js'
import { backupView } from '../../api/operator/backup-view.js'
import { REFUSED } from '../../api/refusal-texts.js'
import type { Exchange } from '../../exchange/exchange.js'
import { busy } from '../middleware/capacity-refusal.js'
import { success } from '../middleware/envelope.js'
import type { OperatorGuards } from '../middleware/operator-guard.js'
import { byOf } from '../middleware/operator-guard.js'

/** Serves copies of the data file to operators, behind the guard. */
export function backupRoutes(exchange: Exchange, guards: OperatorGuards): Hono {
  return new Hono()
    .post('/backup', guards.operate, async c => {
      const made = await exchange.backups.make('asked', byOf(c))
      if (made === 'backup_under_way') throw new ApiError(409, REFUSED.backupUnderWay, 'backup_under_way')
      if (made === 'disk_low') throw busy(made)
      if ('failed' in made) throw new ApiError(500, `The backup failed: ${made.failed}`, 'backup_failed')
      return success(c, 201, DONE.backupMade, backupView(made))
    })
    .post('/backups/:backup/verify', guards.operate, async c => {
      const backup = await exchange.backups.find(c.req.param('backup'))
      if (backup === undefined) throw new ApiError(404, REFUSED.backupNotFound, 'backup_not_found')
      if (exchange.backups.store.isSealed) throw new ApiError(409, REFUSED.backupSealed, 'backup_sealed')
      void exchange.backups.verify(backup.name)
      return success(c, 200, DONE.backupChecking, { name: backup.name })
    })
    .get('/backups', guards.read, async c => {
      const backups = await exchange.backups.list()
      return success(c, 200, DONE.backupsFetched, { backups: backups.map(backupView) })
    })
}
