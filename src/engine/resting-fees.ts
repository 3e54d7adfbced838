import type { OrderBook, RestingOrder, Slot } from '../core/book/order-book.js'
import type { FillFee, OrderFee } from '../core/fees.js'
import { chargeFill, NO_FILL_FEE, NO_ORDER_FEE, restingHold } from '../core/fees.js'
import { unitCost } from '../core/order.js'
import { SparseMap } from '../core/sparse-map.js'
import type { Amount, OrderNumber, PriceTicks, QuantityLots } from '../core/units.js'
import { amount, lots } from '../core/units.js'

/** The fees of the resting orders of one book: only those that pay any have an entry. */
export class RestingFees {
  readonly #byOrder = new SparseMap<OrderNumber, OrderFee>()

  of(number: OrderNumber): OrderFee {
    return this.#byOrder.size === 0 ? NO_ORDER_FEE : (this.#byOrder.get(number) ?? NO_ORDER_FEE)
  }

  /** Returns a resting order with its fee. */
  with(order: RestingOrder): RestingOrder {
    const fee = this.of(order.number)
    return fee.rate === 0 ? order : { ...order, fee }
  }

  rest(number: OrderNumber, fee: OrderFee): void {
    if (fee.rate > 0) this.#byOrder.set(number, fee)
  }

  end(number: OrderNumber): void {
    if (this.#byOrder.size > 0) this.#byOrder.delete(number)
  }

  /** Returns the money that a resting order holds. */
  holdOf(order: RestingOrder, payout: PriceTicks): Amount {
    return restingHold(order, payout, this.of(order.number))
  }

  /** Returns what an order no longer holds if it becomes smaller by `by` lots, `covered` of them covered. */
  releaseOf(order: RestingOrder, payout: PriceTicks, by: QuantityLots, covered: QuantityLots): Amount {
    return amount(this.holdOf(order, payout) - this.holdOf(without(order, by, covered), payout))
  }

  /** Charges a fill of a resting order, which still has its quantity; `covered` is part of the fill. */
  charge(book: OrderBook, slot: Slot, quantity: QuantityLots, covered: QuantityLots): FillFee {
    if (this.#byOrder.size === 0) return NO_FILL_FEE
    const order = book.read(slot)
    const before = this.of(order.number)
    if (before.rate === 0) return NO_FILL_FEE
    const { payout } = book
    const uncovered = lots(quantity - covered)
    const { due, credit } = chargeFill(before, order.price, payout, covered, uncovered)
    const left = without(order, quantity, covered)
    const held = this.holdOf(order, payout) - unitCost(order.side, order.price, payout) * uncovered
    if (left.lots === 0) {
      this.#byOrder.delete(order.number)
      return { due, held: amount(held), credit: 0 }
    }
    const after = { rate: before.rate, credit }
    this.#byOrder.set(order.number, after)
    return { due, held: amount(held - restingHold(left, payout, after)), credit }
  }
}

function without(order: RestingOrder, by: QuantityLots, covered: QuantityLots): RestingOrder {
  return { ...order, lots: lots(order.lots - by), covered: lots(order.covered - covered) }
}
