import type { Order, OrderRequest } from '../../../client/shapes.js'
import { TICKS_PER_RUPEE } from '../../../core/units.js'
import { errorText } from '../../kit/error-text.js'
import { t } from '../../texts/ticket.js'
import { disown, exchange, newOwnKey } from '../exchange-client.js'
import { exchangeMs } from '../exchange-clock.js'
import { checkSession } from '../session-watch.js'
import type { TicketDraft } from './ticket-draft.js'
import type { TicketResult } from './ticket-result.js'
import { resultOf } from './ticket-result.js'

/** An order that takes longer to reach the exchange is refused: the market may be another one by then. */
const VALID_MS = 10_000

/** Returns the order of a valid draft, with a name of its own. */
export function requestOf(draft: TicketDraft, eventId: string, userid: string): OrderRequest {
  const { deal, outcome, orderType, priceTicks = 0, lots = 0 } = draft
  const now = exchangeMs()
  return {
    event_id: eventId,
    userid,
    offer_type: deal,
    outcome,
    order_type: 'LO',
    price: priceTicks / TICKS_PER_RUPEE,
    quantity: lots / 100,
    // At market: at the prices shown or not at all, and never resting.
    ...(orderType === 'MO' && { time_in_force: 'IOC' }),
    // Without it, selling more than the user holds would buy the other outcome.
    ...(deal === 'sell' && { reduce_only: true }),
    ...(now !== undefined && { valid_until: new Date(now + VALID_MS).toISOString() }),
    client_order_id: newOwnKey(),
  }
}

/** The result of sending an order. */
export interface Sent {
  readonly result: TicketResult
  /** The order to send again, if it is not known whether it was placed. */
  readonly unanswered: OrderRequest | undefined
}

/** Sends an order, or asks about one that got no answer: under its name it is placed once only. */
export async function sendOrder(request: OrderRequest, isRepeat: boolean): Promise<Sent> {
  try {
    const order = await exchange.createOrder(request)
    return { result: isRepeat ? repeatedResult(order) : resultOf(order), unanswered: undefined }
  } catch (error) {
    checkSession(error)
    if (!mayBePlaced(error))
      return { result: { mood: 'bad', words: errorText(error) }, unanswered: undefined }
    disown(request.client_order_id)
    return { result: { mood: 'bad', words: t.unanswered }, unanswered: request }
  }
}

function repeatedResult(order: Order): TicketResult {
  const { words, ...result } = resultOf(order)
  return { ...result, words: order.state === 'rejected' ? words : t.wentThrough(words) }
}

/** Returns whether an order may have been placed although it failed so. */
function mayBePlaced(error: unknown): boolean {
  const { code = 500 } = error as { readonly code?: number }
  return code === 408 || code === 429 || code >= 500
}
