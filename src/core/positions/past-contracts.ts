import type { ConversionEffect } from '../conversion.js'
import type { OwnFill } from '../cost-basis.js'
import { unitCost } from '../order.js'
import type { MarketCode, PriceTicks } from '../units.js'
import { complement, lots, times } from '../units.js'

interface Held {
  yes: number
  no: number
}

/**
 * The contracts that a user held at earlier and earlier moments: begins with those held now, and undoes what
 * changed them, newest first.
 */
export class PastContracts {
  readonly #held = new Map<MarketCode, Held>()
  readonly #find: (market: MarketCode) => Held
  readonly #payoutOf: (market: MarketCode) => PriceTicks

  /** @param find returns the contracts held now in a market */
  constructor(find: (market: MarketCode) => Held, payoutOf: (market: MarketCode) => PriceTicks) {
    this.#find = find
    this.#payoutOf = payoutOf
  }

  /** Includes a market, although nothing in it may be undone. */
  include(market: MarketCode): void {
    this.#in(market)
  }

  undoFill(market: MarketCode, { side, price, quantity, change, fee }: OwnFill): void {
    const payout = this.#payoutOf(market)
    // A lot bought costs the unit; a lot that sold the opposite outcome earned the payout less the unit.
    const covered = (change + fee + times(unitCost(side, price, payout), quantity)) / payout
    const held = this.#in(market)
    held[side] -= quantity - covered
    held[side === 'yes' ? 'no' : 'yes'] += covered
  }

  /** @param change the cash that the pairs brought */
  undoMerge(market: MarketCode, change: number): void {
    const pairs = change / this.#payoutOf(market)
    const held = this.#in(market)
    held.yes += pairs
    held.no += pairs
  }

  undoConversion({ takes, gives }: ConversionEffect, quantity: number): void {
    for (const market of takes.markets) this.#in(market)[takes.side] += quantity
    for (const market of gives.markets) this.#in(market)[gives.side] -= quantity
  }

  undoSettlement(market: MarketCode, { yes, no }: Held): void {
    const held = this.#in(market)
    held.yes += yes
    held.no += no
  }

  /** Returns what the contracts are worth at a YES price for each market. */
  value(priceOf: (market: MarketCode) => PriceTicks): number {
    let value = 0
    for (const [market, { yes, no }] of this.#held) {
      if (yes === 0 && no === 0) continue
      const price = priceOf(market)
      const opposite = complement(price, this.#payoutOf(market))
      value += times(price, lots(yes)) + times(opposite, lots(no))
    }
    return value
  }

  #in(market: MarketCode): Held {
    const known = this.#held.get(market)
    if (known !== undefined) return known
    const { yes, no } = this.#find(market)
    const held = { yes, no }
    this.#held.set(market, held)
    return held
  }
}
