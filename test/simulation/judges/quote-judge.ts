import { assert } from '../../../src/core/assert.js'
import { isOpen } from '../../../src/core/order.js'
import type { OrderRecord } from '../../../src/core/order-record.js'
import { orderId } from '../../../src/core/order-record.js'
import { LOTS_PER_CONTRACT } from '../../../src/core/units.js'
import type { QuotesRequest, ReplacedQuotes } from '../../../src/exchange/orders/order-quotes.js'
import type { World } from '../world/world.js'

/** A set of quotes that a client has asked for. */
export interface AskedQuotes {
  readonly request: QuotesRequest
  /** The filled part of each open quote of the set before. */
  readonly filledBefore: ReadonlyMap<string, number>
  /** How many requests that change orders were sent before it. */
  readonly changes: number
}

/** Checks the results of quotes: none that stays has grown, no other of the set is left, and all are paid. */
export class QuoteJudge {
  readonly #world: World
  #changes = 0

  constructor(world: World) {
    this.#world = world
  }

  /** Notes a request that may change quotes on its way. */
  changing(): void {
    this.#changes++
  }

  asked(request: QuotesRequest): AskedQuotes {
    this.#changes++
    const filledBefore = new Map(this.#openOf(request).map(order => [orderId(order), order.filled]))
    return { request, filledBefore, changes: this.#changes }
  }

  answered({ request, filledBefore, changes }: AskedQuotes, { quotes, ended }: ReplacedQuotes): void {
    const { branches } = this.#world
    const isLast = changes === this.#changes
    for (const order of ended) assert(!isOpen(order.state), 'quotes that are replaced have ended')
    for (const [index, { result, order }] of quotes.entries()) {
      branches.count(`answer: quote ${result}`)
      const size = Math.round((request.quotes[index]?.quantity ?? 0) * LOTS_PER_CONTRACT)
      if (result === 'placed') continue
      assert(order.side === request.quotes[index]?.side, 'a quote that stays has the requested side')
      // One that had ended before, or was refused, was not made smaller.
      const isSmall = !isOpen(order.state) || order.quantity <= size + order.filled
      assert(isSmall, 'a quote that stays has no more open than requested')
      const least = size + (filledBefore.get(orderId(order)) ?? 0)
      assert(!isLast || order.quantity >= least, 'a quote that grows does not keep its place')
    }
    if (!isLast) return
    const ids = new Set(quotes.map(({ order }) => orderId(order)))
    const others = this.#openOf(request).filter(order => !ids.has(orderId(order)))
    assert(others.length === 0, 'no other quote of a set is left when it was replaced')
    this.#checkPaid(quotes, ended, filledBefore)
  }

  /** Without a fill in between, every quote that was admitted is paid for. */
  #checkPaid(
    quotes: ReplacedQuotes['quotes'],
    ended: readonly OrderRecord[],
    filledBefore: AskedQuotes['filledBefore'],
  ): void {
    const old = [...ended, ...quotes.flatMap(({ result, order }) => (result === 'placed' ? [] : [order]))]
    const isAsBefore = old.every(order => {
      const isEnded = isOpen(order.state) || order.reason === 'quotes_replaced'
      return isEnded && filledBefore.get(orderId(order)) === order.filled
    })
    if (!isAsBefore) return
    for (const { order } of quotes) {
      const isShort = order.state === 'rejected' && order.reason === 'funds_insufficient'
      assert(!isShort || order.price === 0, 'what quotes release is there for those that replace them')
    }
  }

  #openOf({ market, userId, set }: QuotesRequest): OrderRecord[] {
    const orders = [...(this.#world.exchange.market(market)?.openOrders.values() ?? [])]
    return orders.filter(order => order.userId === userId && order.quoteSet === set)
  }
}
