import { isOpen } from '../../core/order.js'
import type { ShadowOrder } from './shadow-order.js'

/**
 * The fees of one market, counted from its fills alone: an order pays its exact fee, rounded up once, so what
 * a fill costs is the difference that it makes. Covered parts, holds and credits play no part.
 */
export class ShadowFees {
  readonly #payout: number
  /** By day since 1970, in UTC. */
  readonly days = new Map<number, number>()
  total = 0

  constructor(payout: number) {
    this.#payout = payout
  }

  /** Counts a fill of an order, and returns its fee. */
  take(order: ShadowOrder, rate: number, price: number, quantity: number, at: number): number {
    if (rate === 0) return 0
    const before = this.of(order)
    order.owed += BigInt(rate) * BigInt(price) * BigInt(this.#payout - price) * BigInt(quantity)
    const fee = this.of(order) - before
    if (fee === 0) return 0
    this.total += fee
    const day = Math.floor(at / 86_400_000)
    this.days.set(day, (this.days.get(day) ?? 0) + fee)
    return fee
  }

  /** Returns what an order has to have paid. */
  of({ owed }: ShadowOrder): number {
    const unit = this.#unit
    return Number((owed + unit - 1n) / unit)
  }

  /** Returns what an order has paid beyond its exact fee. */
  creditOf(order: ShadowOrder): number {
    return Number(BigInt(this.of(order)) * this.#unit - order.owed)
  }

  /**
   * Returns how an order contradicts its fills; nothing if it has paid what they owe, and its credit, while
   * it rests, is what it has paid beyond that.
   */
  faultsOf(order: ShadowOrder): string[] {
    if (order.owed === 0n && order.feePaid === 0) return []
    const credit = isOpen(order.state) && order.feeMaker > 0 ? this.creditOf(order) : 0
    if (order.feePaid === this.of(order) && order.feeCredit === credit) return []
    const paid = `${order.feePaid} paid in fees with a credit of ${order.feeCredit}`
    return [`order ${order.number}: ${paid}, by its fills ${this.of(order)} with ${credit}`]
  }

  get #unit(): bigint {
    return 10_000n * BigInt(this.#payout)
  }
}
