import { DONE } from '../../api/answer-texts.js'
import { ApiError } from '../../api/api-error.js'
import { toMarketEdit } from '../../api/events/event-edit-schema.js'
import { groupRoutes } from '../../api/groups/group-routes.js'
import { groupEditSchema, groupResolutionSchema } from '../../api/groups/group-schema.js'
import { groupView, moneyView } from '../../api/groups/group-view.js'
import { REFUSED } from '../../api/refusal-texts.js'
import { validate } from '../../api/validation.js'
import type { Outcome } from '../../core/market.js'
import { busy } from '../../doors/capacity-refusal.js'
import { groupOf } from '../../doors/group-of.js'
import type { Exchange } from '../../exchange/exchange.js'
import type { DeskGroup, GroupResult } from '../../exchange/groups/desk-group.js'
import type { DeskMarket } from '../../exchange/markets/desk-market.js'
import type { MarketMove } from '../../exchange/markets/market-life.js'
import { readJson } from '../middleware/body.js'
import { success } from '../middleware/envelope.js'
import { editRefused } from '../routes/event-edit-handlers.js'
import { outcomesIn } from '../routes/group-handlers.js'
import { MOVED, moveMessage, resolveMessage } from '../routes/market-admin-handlers.js'
import type { Binding, Call } from '../routing/handle.js'
import { handle } from '../routing/handle.js'
import { byOf } from '../routing/needs.js'
import { withBefore } from './edited-before.js'

/** Serves operators' actions on a group of events, behind the guard. */
export function groupAdminHandlers(exchange: Exchange): Binding[] {
  return [
    handle(groupRoutes.haltGroup, call => moveGroup(exchange, call, call.params.code, 'halt')),
    handle(groupRoutes.resumeGroup, call => moveGroup(exchange, call, call.params.code, 'resume')),
    handle(groupRoutes.closeGroup, call => moveGroup(exchange, call, call.params.code, 'close')),
    handle(groupRoutes.resolveGroup, call => resolveGroup(exchange, call, call.params.code)),
    handle(groupRoutes.getGroupMoney, call => {
      const group = groupOf(exchange, call.params.code)
      const view = moneyView(group, exchange.groups.money(group))
      return success(call, 200, DONE.groupMoneyFetched, view)
    }),
    handle(groupRoutes.editGroup, call => editGroup(exchange, call, call.params.code)),
  ]
}

/** Moves all outcomes that can follow; 200 means that the changes are on disk. */
async function moveGroup(exchange: Exchange, call: Call, code: string, move: MarketMove): Promise<Response> {
  const group = groupOf(exchange, code)
  const refusal = await exchange.groups.move(group, move, byOf(call))
  if (refusal !== undefined) throw new ApiError(409, moveMessage('Group', refusal, move))
  return success(call, 200, `Group ${MOVED[move]} successfully`, groupView(group, exchange.now()))
}

/** Sets the result of a group; 200 means that it is on disk. The payments follow in parts. */
async function resolveGroup(exchange: Exchange, call: Call, code: string): Promise<Response> {
  const { winner, outcomes, source_url, note } = validate(groupResolutionSchema, await readJson(call))
  const group = groupOf(exchange, code)
  const asked = outcomes === undefined ? undefined : JSON.stringify(outcomes)
  const notes = {
    ...(source_url !== undefined && { sourceUrl: source_url }),
    ...(note !== undefined && { note }),
    by: byOf(call, { winner, outcomes: asked, source_url, note }),
  }
  const refusal = group.isExclusive
    ? await exchange.groups.resolve(group, resultIn(group, winner), notes)
    : await exchange.groups.resolveSome(group, resultsIn(group, outcomes), notes)
  if (refusal?.isInTurn) throw busy('season_turn')
  if (refusal !== undefined) {
    throw new ApiError(409, resolveMessage(`Event ${refusal.market.terms.code}`, refusal))
  }
  return success(call, 200, DONE.groupResolved, groupView(group, exchange.now()))
}

/** Changes the words of a group, and the terms of its outcomes; 200 means that the change is on disk. */
async function editGroup(exchange: Exchange, call: Call, code: string): Promise<Response> {
  const body = validate(groupEditSchema, await readJson(call))
  const group = groupOf(exchange, code)
  const { title, description, ...terms } = body
  const edit = { ...(title !== undefined && { title }), ...(description !== undefined && { description }) }
  if (Object.keys(terms).length > 0) await editOutcomes(exchange, call, group, terms)
  const by = byOf(call, withBefore(edit, { ...group.listing }))
  const refusal = await exchange.groups.edit(group, edit, by)
  if (refusal !== undefined) throw busy(refusal)
  return success(call, 200, DONE.groupEdited, groupView(group, exchange.now()))
}

/** Changes the terms of all outcomes that can still be edited so. Throws 409 if none can. */
async function editOutcomes(
  exchange: Exchange,
  call: Call,
  group: DeskGroup,
  terms: Parameters<typeof toMarketEdit>[0],
): Promise<void> {
  const refusal = await exchange.groups.editOutcomes(group, toMarketEdit(terms), byOf(call, { ...terms }))
  if (refusal === undefined) return
  if (typeof refusal === 'object') throw editRefused('Group', refusal)
  if (refusal !== 'slug_used' && refusal !== 'categories_full') throw busy(refusal)
}

function resultIn(group: DeskGroup, winner: string | undefined): GroupResult {
  const result = winner === 'void' ? winner : group.written(winner ?? '')
  if (result === undefined) throw new ApiError(422, REFUSED.winnerUnknown)
  return result
}

function resultsIn(
  group: DeskGroup,
  outcomes: Readonly<Record<string, Outcome>> | undefined,
): Map<DeskMarket, Outcome> {
  const asked = Object.entries(outcomes ?? {})
  if (asked.length === 0) throw new ApiError(422, 'outcomes: Required in an independent group')
  const markets = outcomesIn(
    group,
    asked.map(([code]) => code),
  )
  return new Map(asked.map(([, outcome], index) => [markets[index] as DeskMarket, outcome]))
}
