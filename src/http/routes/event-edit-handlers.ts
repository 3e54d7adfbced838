import { DONE } from '../../api/answer-texts.js'
import { ApiError } from '../../api/api-error.js'
import { editSchema, toMarketEdit } from '../../api/events/event-edit-schema.js'
import { REFUSED } from '../../api/refusal-texts.js'
import { validate } from '../../api/validation.js'
import type { EditedField, EditRefusal } from '../../core/market-edit.js'
import { toContracts } from '../../core/units.js'
import type { Exchange } from '../../exchange/exchange.js'
import { readJson } from '../middleware/body.js'
import { busy } from '../../doors/capacity-refusal.js'
import { success } from '../middleware/envelope.js'
import { withBefore } from '../operator/edited-before.js'
import { shownEvent } from './event-list.js'
import { marketOf } from '../../doors/market-of.js'
import { byOf } from '../routing/needs.js'
import { handle } from '../routing/handle.js'
import type { Binding, Call } from '../routing/handle.js'
import { adminRoutes } from '../../api/operator/admin-routes.js'

const FIELDS: Readonly<Record<EditedField, string>> = {
  title: 'title',
  slug: 'title',
  description: 'description',
  sot: 'sot',
  category: 'category',
  sourceUrl: 'source_url',
  startAt: 'start_date',
  endAt: 'end_date',
  minBet: 'min_bet',
  maxBet: 'max_bet',
  capacity: 'quantity',
  feeTaker: 'fee_taker_bp',
  feeMaker: 'fee_maker_bp',
}
const CROSSED: Readonly<Partial<Record<EditedField, string>>> = {
  startAt: 'Expected a time before end_date',
  endAt: REFUSED.endBeforeStart,
  minBet: 'Expected max_bet or less',
  maxBet: REFUSED.maxBelowMin,
}

/** Lets operators change an event, behind the guard. */
export function eventEditHandlers(exchange: Exchange): Binding[] {
  return [handle(adminRoutes.editEvent, call => editEvent(exchange, call, call.params.code))]
}

/** Changes an event; 200 means that the change is on disk. Unchanged fields have no effect. */
async function editEvent(exchange: Exchange, call: Call, code: string): Promise<Response> {
  const market = marketOf(exchange, code)
  const input = await readJson(call)
  refuseOthers(input)
  const body = validate(editSchema, input)
  const was = shownEvent(exchange, market)
  const by = byOf(call, withBefore(body, { ...was }))
  const refusal = await exchange.editMarket(market, { ...toMarketEdit(body), by })
  if (refusal === 'slug_used') throw new ApiError(409, REFUSED.eventExists, 'event_exists')
  if (refusal === 'categories_full') throw new ApiError(422, REFUSED.categoriesFull)
  if (typeof refusal === 'string') throw busy(refusal)
  if (refusal !== undefined) throw editRefused('Event', refusal)
  const view = shownEvent(exchange, market)
  return success(call, 200, DONE.eventEdited, view)
}

/** Refuses fields that cannot be changed; ignoring them would suggest success. */
function refuseOthers(input: unknown): void {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return
  const fields = Object.keys(input)
  const known = Object.keys(editSchema.shape)
  const other = fields.find(field => !known.includes(field))
  if (other !== undefined) throw new ApiError(422, `${other}: Cannot change; what can is ${known.join(', ')}`)
  if (fields.length === 0) throw new ApiError(422, `body: Expected one of ${known.join(', ')}`)
}

/** Returns the error of an edit of an event, or of all events of a group. */
export function editRefused(what: 'Event' | 'Group', refusal: EditRefusal): ApiError {
  switch (refusal.reason) {
    case 'edit_too_late':
      return new ApiError(
        409,
        `${what} is ${refusal.status}: its ${FIELDS[refusal.field]} can no longer change`,
      )
    case 'capacity_used': {
      const open = toContracts(refusal.contracts)
      return new ApiError(422, `quantity: Expected ${open} or more, the open interest`)
    }
    default:
      return new ApiError(422, `${FIELDS[refusal.field]}: ${CROSSED[refusal.field]}`)
  }
}
