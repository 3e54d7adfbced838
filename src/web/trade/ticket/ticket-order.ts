import type { Market } from '../../../client/shapes.js'
import { TICKS_PER_RUPEE } from '../../../core/units.js'
import { errorText } from '../../kit/error-text.js'
import { exchange } from '../exchange-client.js'
import type { Book } from '../market/ladder-rows.js'
import { checkSession } from '../session-watch.js'
import type { Outcome, TicketDraft } from './ticket-draft.js'
import { sideOf } from './ticket-draft.js'
import type { TicketResult } from './ticket-result.js'
import { resultOf } from './ticket-result.js'

/** Returns the best price an offer could fill at, in rupees of its outcome. */
export function bestPrice(
  offer: { readonly deal: 'buy' | 'sell'; readonly outcome: Outcome },
  book: Book,
  payout: number,
): number | undefined {
  const [best] = sideOf(offer) === 'yes' ? book.asks : book.bids
  if (best === undefined) return undefined
  return offer.outcome === 'yes' ? best[0] : payout - best[0]
}

/** Sends a valid draft; returns the outcome or the failure. */
export async function sendDraft(
  draft: TicketDraft,
  market: Market,
  book: Book,
  userid: string,
): Promise<TicketResult> {
  const { deal, outcome, orderType, priceTicks = 0, lots = 0 } = draft
  // The API requires a valid price on market orders too, as a hint.
  const hint = bestPrice(draft, book, market.payout) ?? market.payout / 2
  try {
    const order = await exchange.createOrder({
      event_id: market.event_id,
      userid,
      offer_type: deal,
      outcome,
      order_type: orderType,
      price: orderType === 'LO' ? priceTicks / TICKS_PER_RUPEE : hint,
      quantity: lots / 100,
      // Without it, selling more than the user holds would buy the other outcome.
      ...(deal === 'sell' && { reduce_only: true }),
    })
    return resultOf(order)
  } catch (error) {
    checkSession(error)
    return { mood: 'bad', words: errorText(error) }
  }
}
