import { LocalBook } from './local-book.js'
import type { RaayError } from './raay-error.js'
import type { Level, MarketStatus, OrderBook, Trade } from './shapes.js'
import type { Channel, ChannelData } from './socket/server-message.js'
import type { ChannelTrade } from './trade-tape.js'
import { TradeTape } from './trade-tape.js'
import type { Listener } from './watch.js'
import { Watch } from './watch.js'

/** A message of an event's channel. */
interface MarketData extends ChannelData {
  readonly seq: number
  /** Absent from a snapshot. */
  readonly prev_seq?: number
  readonly status?: MarketStatus
  readonly bids?: readonly Level[]
  readonly asks?: readonly Level[]
  readonly last_price?: number | null
  readonly trades?: readonly ChannelTrade[]
}

interface MarketChannelOptions {
  readonly code: string
  fetchTrades(limit: number, isLast: (trade: Trade) => boolean): Promise<readonly Trade[]>
  /** Called when the channel may have become live, or stopped being so. */
  onChange(): void
  /** Called when the channel is of no more use: its last watch has ended, or an error ends them all. */
  onIdle(): void
}

/** Starts the tape after a given trade; by default with the first trade from now on. */
export interface TradeOptions {
  readonly after?: string | undefined
}

/** One event's channel: its book, and its trades one by one. */
export class MarketChannel implements Channel {
  readonly topic = 'orderbook'
  readonly key: string
  readonly address: string
  readonly #options: MarketChannelOptions
  readonly #book: LocalBook
  readonly #books = new Set<Watch<OrderBook>>()
  readonly #tapes = new Map<TradeTape, Watch<Trade, never>>()
  #isSynced = false

  constructor(options: MarketChannelOptions) {
    this.#options = options
    this.key = options.code
    this.address = `event_orderbook_${options.code}`
    this.#book = new LocalBook(options.code)
  }

  get seq(): number | undefined {
    return this.#book.seq
  }

  get isLive(): boolean {
    return this.#isSynced && [...this.#tapes.keys()].every(({ isWhole }) => isWhole)
  }

  watchBook(listener?: Listener<OrderBook>): Watch<OrderBook> {
    const state = () => this.#book.view
    const onClose = () => this.#leave(() => this.#books.delete(watch))
    const watch = new Watch<OrderBook>({ keeps: 'latest', listener, state, onClose })
    this.#books.add(watch)
    this.#tellBook(watch)
    return watch
  }

  /** Watches trades. Throws RaayError if `after` is not a trade of the event. */
  watchTrades({ after }: TradeOptions, listener?: Listener<Trade>): Watch<Trade, never> {
    const { code, fetchTrades } = this.#options
    const onWhole = () => {
      watch.begin()
      this.#options.onChange()
    }
    const tell = (trade: Trade) => watch.tell(trade)
    const fail = (error: RaayError) => watch.fail(error)
    const tape = new TradeTape({ code, after, fetchTrades, tell, fail, onWhole })
    const onClose = () =>
      this.#leave(() => {
        tape.end()
        this.#tapes.delete(tape)
      })
    const watch = new Watch<Trade, never>({ keeps: 'each', listener, state: () => undefined, onClose })
    this.#tapes.set(tape, watch)
    // Nothing can be missed before the first snapshot: the tape begins with it.
    if (this.#book.seq !== undefined) tape.fill()
    return watch
  }

  take(data: ChannelData): boolean {
    const message = data as MarketData
    if (message.type === 'snapshot') {
      this.#restart(message)
      return true
    }
    const { seq } = this.#book
    // Before the first snapshot only leftovers of an earlier subscription arrive; after it, only repeats.
    if (seq === undefined || message.seq <= seq) return true
    if ((message.prev_seq ?? 0) > seq) return false
    this.#isSynced = true
    this.#book.apply(message)
    if (message.trades !== undefined) for (const tape of this.#tapes.keys()) tape.take(message.trades)
    const isSeen = message.bids ?? message.status ?? message.trades
    if (isSeen !== undefined) this.#showBook()
    return true
  }

  subscribed(): void {
    // Messages after `seq` follow at once, and so does a snapshot, which is the only thing left to wait for.
    this.#isSynced = this.seq !== undefined
  }

  cut(): void {
    this.#isSynced = false
  }

  close(): void {
    for (const watch of [...this.#books, ...this.#tapes.values()]) watch.close()
  }

  fail(error: RaayError): void {
    // Before any listener hears of it: one that watches again needs a channel that is alive.
    this.#options.onIdle()
    for (const watch of [...this.#books, ...this.#tapes.values()]) watch.fail(error)
  }

  #restart(snapshot: MarketData): void {
    this.#book.restart(snapshot)
    this.#isSynced = true
    for (const tape of this.#tapes.keys()) tape.fill()
    this.#showBook()
  }

  #showBook(): void {
    for (const watch of this.#books) this.#tellBook(watch)
  }

  #tellBook(watch: Watch<OrderBook>): void {
    const { view } = this.#book
    if (view === undefined) return
    watch.tell(view)
    watch.begin()
  }

  #leave(remove: () => void): void {
    remove()
    if (this.#books.size === 0 && this.#tapes.size === 0) this.#options.onIdle()
    else this.#options.onChange()
  }
}
