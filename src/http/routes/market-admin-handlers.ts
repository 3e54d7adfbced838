import { DONE } from '../../api/answer-texts.js'
import { ApiError } from '../../api/api-error.js'
import { resolutionSchema } from '../../api/operator/resolution-schema.js'
import { REFUSED } from '../../api/refusal-texts.js'
import { validate } from '../../api/validation.js'
import type { Resolution } from '../../core/command.js'
import { busy } from '../../doors/capacity-refusal.js'
import type { Exchange } from '../../exchange/exchange.js'
import type { MarketMove, MoveRefusal } from '../../exchange/markets/market-life.js'
import { readJson } from '../middleware/body.js'
import { success } from '../middleware/envelope.js'
import { shownEvent } from './event-list.js'
import { marketOf } from '../../doors/market-of.js'
import { byOf } from '../routing/needs.js'
import { handle } from '../routing/handle.js'
import type { Binding, Call } from '../routing/handle.js'
import { operatorRoutes } from '../../api/operator/operator-routes.js'

/** Participles of an operator's moves, for messages. */
export const MOVED: Readonly<Record<MarketMove, string>> = {
  halt: 'halted',
  resume: 'resumed',
  close: 'closed',
}

/** Serves operators' actions on an event (specification 11), behind the guard. */
export function marketAdminHandlers(exchange: Exchange): Binding[] {
  return [
    handle(operatorRoutes.haltEvent, call => moveEvent(exchange, call, call.params.code, 'halt')),
    handle(operatorRoutes.resumeEvent, call => moveEvent(exchange, call, call.params.code, 'resume')),
    handle(operatorRoutes.closeEvent, call => moveEvent(exchange, call, call.params.code, 'close')),
    handle(operatorRoutes.resolveEvent, call => resolveEvent(exchange, call, call.params.code)),
  ]
}

/** Moves an event to a status; 200 means that the change is on disk. A body is neither needed nor read. */
async function moveEvent(exchange: Exchange, call: Call, code: string, move: MarketMove): Promise<Response> {
  const market = marketOf(exchange, code)
  const refusal = await exchange.moveMarket(market, move, byOf(call))
  if (refusal !== undefined) throw new ApiError(409, moveMessage('Event', refusal, move))
  const view = shownEvent(exchange, market)
  return success(call, 200, `Event ${MOVED[move]} successfully`, view)
}

/** Resolves an event; 200 means that the outcome is on disk. The payments follow in parts. */
async function resolveEvent(exchange: Exchange, call: Call, code: string): Promise<Response> {
  const market = marketOf(exchange, code)
  const body = validate(resolutionSchema, await readJson(call))
  const { outcome, source_url, note } = body
  const resolution: Resolution = {
    outcome,
    ...(source_url !== undefined && { sourceUrl: source_url }),
    ...(note !== undefined && { note }),
  }
  const isExclusive = exchange.groups.of(market)?.isExclusive === true
  if (isExclusive && outcome === 'void') throw new ApiError(409, REFUSED.groupVoid)
  const refusal = await exchange.resolveMarket(market, resolution, byOf(call, body))
  if (refusal?.isInTurn) throw busy('season_turn')
  if (refusal !== undefined) {
    // The result of a group fails if any of its outcomes cannot get one.
    const { market: other = market } = refusal
    throw new ApiError(409, resolveMessage(other === market ? 'Event' : `Event ${other.terms.code}`, refusal))
  }
  const view = shownEvent(exchange, market)
  return success(call, 200, DONE.eventResolved, view)
}

/** Returns the reason why an event or a group cannot be moved. */
export function moveMessage(what: string, { status }: MoveRefusal, move: MarketMove): string {
  const done = MOVED[move]
  return status === 'scheduled'
    ? `${what} is scheduled: it cannot be ${done} before it opens`
    : `${what} is ${status}: it can no longer be ${done}`
}

/** Returns the reason why an event cannot be resolved. */
export function resolveMessage(what: string, { status, outcome }: MoveRefusal): string {
  if (outcome === undefined) return `${what} is ${status}: close it first`
  const end = outcome === 'void' ? 'voided' : `resolved as ${outcome}`
  return `${what} is ${end}: its outcome can no longer change`
}
