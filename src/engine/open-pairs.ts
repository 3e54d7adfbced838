import { assert } from '../core/assert.js'
import type { Outcome } from '../core/market.js'
import { contractsOf } from '../core/pool.js'
import type { QuantityLots } from '../core/units.js'
import { lots, NO_LOTS } from '../core/units.js'

/** The complete sets of an exclusive group, which all its markets change and count. */
export interface SharedSets {
  count: number
}

/** The YES/NO pairs of a market, and once it is resolved its winning contracts not yet paid. */
export class OpenPairs {
  #count: QuantityLots
  readonly #sets: SharedSets | undefined

  /** @param sets of the market's group, if it is exclusive */
  constructor(count: QuantityLots, sets: SharedSets | undefined) {
    this.#count = count
    this.#sets = sets
  }

  get count(): QuantityLots {
    return this.#count
  }

  /** The contracts of the side that has more, which capacity counts. */
  get contracts(): QuantityLots {
    return contractsOf(this.#count, this.#sets?.count)
  }

  /** Returns the pairs that fills may still mint. */
  freeOf(capacity: QuantityLots): QuantityLots {
    return lots(Math.max(0, capacity - this.contracts))
  }

  /** Adds pairs; a negative number takes them away. */
  add(pairs: number): void {
    this.#count = lots(this.#count + pairs)
    assert(this.#count >= 0, 'a market never burns more pairs than are open')
  }

  /** Counts the winning contracts from here on: the winner of a group has as many as it has sets. */
  resolve(outcome: Outcome): void {
    if (outcome === 'yes' && this.#sets !== undefined) this.#sets.count += this.#count
    // No contract wins in a voided market: its escrow holds exactly the net payments of its users.
    if (outcome === 'void' || (outcome === 'yes' && this.#sets !== undefined)) this.#count = NO_LOTS
  }

  /** Takes paid contracts away. */
  pay(outcome: Outcome, yes: QuantityLots, no: QuantityLots): void {
    if (outcome === 'void') return
    if (outcome === 'yes' && this.#sets !== undefined) this.#sets.count -= yes
    else this.#count = lots(this.#count - (outcome === 'yes' ? yes : no))
    assert(this.unpaidOf(outcome) >= 0, 'a market never pays more contracts than are open')
  }

  /** Returns the winning contracts not yet paid. */
  unpaidOf(outcome: Outcome | undefined): number {
    return outcome === 'yes' && this.#sets !== undefined ? this.#sets.count : this.#count
  }
}
