import { oppositeSide } from '../../../core/order.js'
import type { Market } from '../../../client/shapes.js'
import type { Book } from '../market/ladder-rows.js'
import type { Outcome, TicketDraft } from './ticket-draft.js'
import { sideOf } from './ticket-draft.js'

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

/** Returns the best price; where nobody offers one, what that of the other outcome leaves of the payout. */
export function nearestPrice(
  { deal, outcome }: Pick<TicketDraft, 'deal' | 'outcome'>,
  book: Book,
  payout: number,
): number | undefined {
  const best = bestPrice({ deal, outcome }, book, payout)
  if (best !== undefined) return best
  const other = bestPrice({ deal, outcome: oppositeSide(outcome) }, book, payout)
  return other === undefined ? undefined : payout - other
}

/** Returns how a new ticket begins: at a limit where an order at market would meet nobody. */
export function firstOffer(
  offer: Pick<TicketDraft, 'deal' | 'outcome' | 'orderType'>,
  book: Book,
  { payout, last_price }: Pick<Market, 'payout' | 'last_price'>,
): { readonly orderType: TicketDraft['orderType']; readonly price: number } {
  const best = bestPrice(offer, book, payout)
  if (best !== undefined) return { orderType: offer.orderType, price: best }
  const last = last_price === null ? undefined : offer.outcome === 'yes' ? last_price : payout - last_price
  return { orderType: 'LO', price: last ?? payout / 2 }
}
