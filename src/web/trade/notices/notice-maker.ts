import type { Fill, Order, Settlement, UserMessage } from '../../../client/shapes.js'
import type { Deal } from '../portfolio/own-deals.js'
import { dealsOf } from '../portfolio/own-deals.js'
import type { Notice } from './notice.js'

interface Surroundings {
  /** Returns whether this page placed the order: then its ticket has shown the result. */
  isOwn(order: Order): boolean
  /** Returns an event’s payout, if it is known. */
  payoutOf(eventId: string): Promise<number | undefined>
  /** Returns the user’s settlement of an event, undefined if it has not been settled. */
  settlementOf(eventId: string): Promise<Settlement | undefined>
}

/** The user’s own doing. */
const OWN_ENDINGS: ReadonlySet<string | null> = new Set([
  'user_cancelled',
  'order_replaced',
  'quotes_replaced',
])
const ENDED: ReadonlySet<string> = new Set(['cancelled', 'expired'])

/** Makes notices of the messages of a user’s channel, taken in order. */
export class NoticeMaker {
  readonly #around: Surroundings
  /** Fills whose orders’ messages follow in the same batch. */
  #fills: Fill[] = []

  constructor(around: Surroundings) {
    this.#around = around
  }

  /** True between a fill and its order: a page that ends now must begin with the fill again. */
  get isBetween(): boolean {
    return this.#fills.length > 0
  }

  async take(message: UserMessage): Promise<readonly Notice[]> {
    const { user_seq: seq, ts: at } = message
    switch (message.type) {
      case 'fill':
        this.#fills.push(message.fill)
        return []
      case 'order':
        return this.#ofOrder(message.order, { seq, at })
      case 'position': {
        const { event_id: eventId, yes, no } = message.position
        return yes === 0 && no === 0 ? this.#ofNoContracts(eventId, { seq, at }) : []
      }
      default:
        this.#fills = []
        return []
    }
  }

  async #ofOrder(order: Order, place: Pick<Notice, 'seq' | 'at'>): Promise<readonly Notice[]> {
    const own = this.#fills.filter(({ order_id }) => order_id === order.id)
    this.#fills = this.#fills.filter(({ order_id }) => order_id !== order.id)
    const { event_id: eventId, state, remaining_quantity: left } = order
    const isArrival = order.createdAt === order.updatedAt
    if (isArrival && this.#around.isOwn(order)) return []
    const notices: Notice[] = []
    if (own.length > 0) {
      const payout = await this.#around.payoutOf(eventId)
      const deals = summed(own.flatMap(fill => dealsOf(fill, payout)))
      const kind = state === 'filled' ? 'filled' : 'part_filled'
      notices.push({ ...place, eventId, kind, deals, left: state === 'filled' ? 0 : left })
    }
    const isEnding = ENDED.has(state) && !OWN_ENDINGS.has(order.reason)
    if (isEnding || state === 'rejected') {
      const { offer_type, outcome, reason, price } = order
      const quantity = state === 'rejected' ? order.quantity : left
      const kind = state === 'rejected' ? 'rejected' : 'cancelled'
      notices.push({
        ...place,
        eventId,
        kind,
        order: { offer_type, outcome, state, reason, quantity, price },
      })
    }
    return notices
  }

  /** Contracts go when they are sold, too, and when pairs are redeemed: only a settlement is news. */
  async #ofNoContracts(eventId: string, place: Pick<Notice, 'seq' | 'at'>): Promise<readonly Notice[]> {
    const settlement = await this.#around.settlementOf(eventId)
    if (settlement === undefined) return []
    // A payout is not older than its message; contracts sold before it have messages of their own.
    if (Date.parse(settlement.settledAt) !== place.at) return []
    const { outcome: result, payment, result: gain } = settlement
    return [{ ...place, eventId, kind: 'settled', result, payment, gain }]
  }
}

/** Joins what was bought or sold at the same price. */
function summed(deals: readonly Deal[]): Deal[] {
  const sums = new Map<string, Deal>()
  for (const deal of deals) {
    const key = `${deal.deal} ${deal.outcome} ${deal.price}`
    const quantity =
      (Math.round((sums.get(key)?.quantity ?? 0) * 100) + Math.round(deal.quantity * 100)) / 100
    sums.set(key, { ...deal, quantity })
  }
  return [...sums.values()]
}
