import { RaayError } from './raay-error.js'
import type { Side, Trade } from './shapes.js'

/** Largest gap in the tape. */
const MISSED_MAX = 100_000

/** A trade in a channel's message. */
export interface ChannelTrade {
  readonly tradeId: string
  readonly price: number
  readonly qty: number
  readonly taker_side: Side
  readonly ts: number
}

interface TapeOptions {
  readonly code: string
  /** Trade after which the tape begins; the newest one by default. */
  readonly after: string | undefined
  /** Fetches the event's trades, newest first, up to a number or to the first for which `isLast` is true. */
  fetchTrades(limit: number, isLast: (trade: Trade) => boolean): Promise<readonly Trade[]>
  tell(trade: Trade): void
  fail(error: RaayError): void
  /** Called when every missed trade has been delivered. */
  onWhole(): void
}

/**
 * Delivers each trade of an event once, in order, as the channel reports it; after a new snapshot, the trades
 * in between are fetched. Trades of an event are numbered 1, 2, 3, …, which reveals repeats and gaps.
 */
export class TradeTape {
  readonly #options: TapeOptions
  /** Number of the last trade delivered; undefined before the beginning is known. */
  #last: number | undefined
  /** Trades reported while older ones were being fetched. */
  #waiting: Trade[] = []
  #isWhole = false
  /** Counts the snapshots: trades fetched for one are useless after the next. */
  #round = 0

  constructor(options: TapeOptions) {
    this.#options = options
    if (options.after !== undefined) this.#last = numberOf(options.after, options.code)
  }

  get isWhole(): boolean {
    return this.#isWhole
  }

  /** Fetches the trades missing up to here, after the channel has started over. */
  fill(): void {
    this.#isWhole = false
    this.#waiting = []
    this.#round++
    void this.#fetchMissing(this.#round)
  }

  /** Stops the tape when its last reader has left. */
  end(): void {
    this.#round++
  }

  take(trades: readonly ChannelTrade[]): void {
    const { code } = this.#options
    for (const { tradeId, price, qty, taker_side, ts } of trades) {
      const trade = { tradeId, event_id: code, price, qty, taker_side, ts: new Date(ts).toISOString() }
      if (this.#isWhole) this.#tell(trade)
      else this.#waiting.push(trade)
    }
  }

  async #fetchMissing(round: number): Promise<void> {
    const isCurrent = () => round === this.#round
    while (isCurrent() && !this.#isWhole) {
      try {
        const missed = await this.#missing()
        if (!isCurrent()) return
        this.#isWhole = true
        for (const trade of [...missed, ...this.#waiting]) this.#tell(trade)
        this.#waiting = []
        this.#options.onWhole()
      } catch (error) {
        if (!isCurrent()) return
        // Requested several times already, with longer and longer pauses: giving up is all that remains.
        if (error instanceof RaayError && error.retryable) continue
        this.#options.fail(error as RaayError)
        return
      }
    }
  }

  /** Returns the trades after the last one, oldest first. */
  async #missing(): Promise<readonly Trade[]> {
    const { code, fetchTrades } = this.#options
    if (this.#last === undefined) {
      this.#beginAfter((await fetchTrades(1, () => true))[0])
      return []
    }
    const last = this.#last
    const isOlder = ({ tradeId }: Trade) => numberOf(tradeId, code) <= last
    const trades = await fetchTrades(MISSED_MAX, isOlder)
    const [newest] = trades
    if ((newest === undefined ? 0 : numberOf(newest.tradeId, code)) < last) {
      // The exchange's data has been replaced: the tape starts over.
      this.#beginAfter(newest)
      return []
    }
    const missed = trades.filter(trade => !isOlder(trade)).reverse()
    if (missed.length === MISSED_MAX) {
      const advice = 'read them with fetchTrades, and watch again'
      throw new RaayError(413, 'Too Far Behind', `${MISSED_MAX} trades were missed: ${advice}`)
    }
    return missed
  }

  /** Begins with the first trade that the channel has reported since, even if it is the newest. */
  #beginAfter(newest: Trade | undefined): void {
    const { code } = this.#options
    const [first] = this.#waiting
    if (first !== undefined) this.#last = numberOf(first.tradeId, code) - 1
    else this.#last = newest === undefined ? 0 : numberOf(newest.tradeId, code)
  }

  #tell(trade: Trade): void {
    const number = numberOf(trade.tradeId, this.#options.code)
    if (this.#last !== undefined && number <= this.#last) return
    this.#last = number
    this.#options.tell(trade)
  }
}

/** Converts `1000001-17` to 17. Throws RaayError if it is not a trade of the event. */
function numberOf(tradeId: string, code: string): number {
  const [, number] = tradeId.startsWith(`${code}-`) ? tradeId.split('-') : []
  if (number !== undefined && /^\d+$/.test(number)) return Number(number)
  throw new RaayError(422, 'Unprocessable entity', `after: ${tradeId} is no trade of the event ${code}`)
}
