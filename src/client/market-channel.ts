import type { Channel, ChannelData } from './channel.js'
import { LocalBook } from './local-book.js'
import type { RaayError } from './raay-error.js'
import type { Level, MarketStatus, OrderBook, Trade } from './shapes.js'
import type { ChannelTrade } from './trade-tape.js'
import { TradeTape } from './trade-tape.js'
import type { Listener } from './watch.js'
import { Watch } from './watch.js'

/** A message of an event's channel. */
interface MarketData extends ChannelData {
  readonly seq: number
  /** None in a snapshot. */
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
  /** Whether the channel is live may have changed. */
  onChange(): void
  /** Nobody watches any more. */
  onIdle(): void
}

/** From which trade on, the one after this; by default from the first after now. */
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

  /** Throws RaayError where `after` is no trade of the event. */
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
    // Before the first snapshot there is nothing to be missed: the tape begins with that.
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
    // Before the first snapshot comes only what an earlier subscription has left; after it, a repeat.
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
    // What came after `seq` follows at once, and so does a snapshot: only that can be waited for.
    this.#isSynced = this.seq !== undefined
  }

  cut(): void {
    this.#isSynced = false
  }

  close(): void {
    for (const watch of [...this.#books, ...this.#tapes.values()]) watch.close()
  }

  fail(error: RaayError): void {
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
