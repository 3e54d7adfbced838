import { assert } from '../core/assert.js'
import type { RestingOrder } from '../core/book/resting-order.js'
import type { CreateOrder } from '../core/command.js'
import type { Refusal } from '../core/order.js'
import { oppositeSide } from '../core/order.js'
import type { QuoteChanges } from '../core/quote-changes.js'
import type { AccountNumber, Amount, OrderNumber, QuantityLots } from '../core/units.js'

/** An order, and the lots to take off it; undefined for all. */
export interface Cut {
  readonly number: OrderNumber
  readonly lots?: QuantityLots | undefined
}

/** Quotes that take the place of others. */
export interface ReplacedQuotes extends QuoteChanges {
  readonly orders: readonly CreateOrder[]
}

/** The part of an order that was taken off, and the money that this released. */
export interface ReleasedPart extends RestingOrder {
  readonly hold: Amount
}

/**
 * Money and contracts for the new quotes of a user: what the desk holds for them, and what the quotes before
 * them really released. No quote gets more, and what is left over goes back to the user.
 */
export class QuotePool {
  readonly #account: AccountNumber
  readonly #contracts: { yes: number; no: number }
  #money: number

  constructor({ account, extraHold, extraYes, extraNo }: QuoteChanges) {
    this.#account = account
    this.#money = extraHold
    this.#contracts = { yes: extraYes, no: extraNo }
  }

  /** Adds the part of a quote that was taken off. */
  add({ owner, side, covered, hold }: ReleasedPart): void {
    assert(owner === this.#account, "a user's quotes release the money of that user")
    this.#money += hold
    this.#contracts[oppositeSide(side)] += covered
  }

  /** Takes what an order needs; takes nothing and returns the refusal if that is not there. */
  take({ account, data, admission }: CreateOrder): Refusal | undefined {
    assert(account === this.#account, "a user's quotes are paid with the money of that user")
    if ('refusal' in admission) return admission.refusal
    const sold = oppositeSide(data.side)
    if (admission.hold > this.#money || admission.covered > this.#contracts[sold]) return 'funds_insufficient'

    // After this point the order is placed.
    this.#money -= admission.hold
    this.#contracts[sold] -= admission.covered
    return undefined
  }
}
