import type { Level, MarketStatus, OrderBook } from './shapes.js'

/** Changes to a book in one message of its channel. */
interface BookChange {
  readonly seq: number
  readonly status?: MarketStatus
  readonly bids?: readonly Level[]
  readonly asks?: readonly Level[]
  readonly last_price?: number | null
  readonly trades?: readonly { readonly price: number }[]
}

/** An event's book, equal to the exchange's at the same `seq`: a snapshot plus every change since. */
export class LocalBook {
  readonly #code: string
  readonly #bids = new Map<number, number>()
  readonly #asks = new Map<number, number>()
  #seq: number | undefined
  #status: MarketStatus = 'open'
  #lastPrice: number | null = null
  #view: OrderBook | undefined

  constructor(code: string) {
    this.#code = code
  }

  /** Number of the last message; undefined before the first snapshot. */
  get seq(): number | undefined {
    return this.#seq
  }

  /** The book as the API shows it; undefined before the first snapshot. */
  get view(): OrderBook | undefined {
    if (this.#seq === undefined) return undefined
    this.#view ??= {
      event_id: this.#code,
      seq: this.#seq,
      status: this.#status,
      bids: [...this.#bids].sort(([a], [b]) => b - a),
      asks: [...this.#asks].sort(([a], [b]) => a - b),
      last_price: this.#lastPrice,
    }
    return this.#view
  }

  restart(snapshot: BookChange): void {
    this.#bids.clear()
    this.#asks.clear()
    this.#lastPrice = snapshot.last_price ?? null
    this.apply(snapshot)
  }

  /** Applies a change. Quantities are absolute; 0 removes the level. */
  apply({ seq, status, bids = [], asks = [], trades = [] }: BookChange): void {
    this.#seq = seq
    this.#status = status ?? this.#status
    change(this.#bids, bids)
    change(this.#asks, asks)
    this.#lastPrice = trades.at(-1)?.price ?? this.#lastPrice
    this.#view = undefined
  }
}

function change(side: Map<number, number>, levels: readonly Level[]): void {
  for (const [price, quantity] of levels) {
    if (quantity === 0) side.delete(price)
    else side.set(price, quantity)
  }
}
