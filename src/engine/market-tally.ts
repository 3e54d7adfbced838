import type { MarketProgress } from '../core/market.js'
import type { Amount, PriceTicks, QuantityLots } from '../core/units.js'
import { amount, lots } from '../core/units.js'

type Counts = Pick<MarketProgress, 'trades' | 'lastPrice' | 'volume' | 'fees'>

/** Counts what has been traded in a market, and the fees that it paid. */
export class MarketTally {
  #trades: number
  #lastPrice: PriceTicks | undefined
  #volume: QuantityLots
  #fees: Amount

  constructor({ trades, lastPrice, volume, fees }: Counts) {
    this.#trades = trades
    this.#lastPrice = lastPrice
    this.#volume = volume
    this.#fees = fees
  }

  get counts(): Counts {
    const [trades, lastPrice, volume, fees] = [this.#trades, this.#lastPrice, this.#volume, this.#fees]
    return { trades, lastPrice, volume, fees }
  }

  /** Counts a trade with the fees of both sides; returns its number. */
  add(price: PriceTicks, quantity: QuantityLots, fees: number): number {
    this.#trades++
    this.#lastPrice = price
    this.#volume = lots(this.#volume + quantity)
    if (fees > 0) this.#fees = amount(this.#fees + fees)
    return this.#trades
  }
}
