import { RaayError } from './raay-error.js'
import type { Side, Trade } from './shapes.js'

/** How long a hole in the tape may be. */
const MISSED_MAX = 100_000

/** A trade as the channel tells it. */
export interface ChannelTrade {
  readonly tradeId: string
  readonly price: number
  readonly qty: number
  readonly taker_side: Side
  readonly ts: number
}

interface TapeOptions {
  readonly code: string
  /** The trade after which the tape begins; the newest one by default. */
  readonly after: string | undefined
  /** The trades of the event, newest first, up to this number of them or to the first that is the last. */
  fetchTrades(limit: number, isLast: (trade: Trade) => boolean): Promise<readonly Trade[]>
  tell(trade: Trade): void
  fail(error: RaayError): void
  /** All that was missed has been told. */
  onWhole(): void
}

/**
 * Each trade of an event once, in order. The channel tells them as they come; where it had to start anew
 * from a snapshot, those in between are fetched. Trades of an event are numbered 1, 2, 3, …, so none is told
 * twice and a hole shows.
 */
export class TradeTape {
  readonly #options: TapeOptions
  /** The number of the last trade before the next one to be told; undefined before the beginning is known. */
  #last: number | undefined
  /** What the channel told while older trades were being fetched. */
  #waiting: Trade[] = []
  #isWhole = false
  /** Counts the snapshots: what is fetched for one is of no use after the next. */
  #round = 0

  constructor(options: TapeOptions) {
    this.#options = options
    if (options.after !== undefined) this.#last = numberOf(options.after, options.code)
  }

  get isWhole(): boolean {
    return this.#isWhole
  }

  /** The channel has started anew: what is missing up to here is to be fetched. */
  fill(): void {
    this.#isWhole = false
    this.#waiting = []
    this.#round++
    void this.#fetchMissing(this.#round)
  }

  /** Nobody reads any more. */
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
        // It was asked for several times already, with longer and longer pauses: what else is there to do?
        if (error instanceof RaayError && error.retryable) continue
        this.#options.fail(error as RaayError)
        return
      }
    }
  }

  /** Those after the last one, oldest first. */
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
      // The exchange has other data than before: the tape begins anew.
      this.#beginAfter(newest)
      return []
    }
    const missed = trades.filter(trade => !isOlder(trade)).reverse()
    if (missed.length === MISSED_MAX) {
      const advice = 'read them with fetchTrades, and watch anew'
      throw new RaayError(413, 'Too Far Behind', `${MISSED_MAX} trades were missed: ${advice}`)
    }
    return missed
  }

  /** The first that the channel has told since is the first of the tape, even where it is the newest. */
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

/** `1000001-17` → 17. Throws RaayError where it is no trade of the event. */
function numberOf(tradeId: string, code: string): number {
  const [, number] = tradeId.startsWith(`${code}-`) ? tradeId.split('-') : []
  if (number !== undefined && /^\d+$/.test(number)) return Number(number)
  throw new RaayError(422, 'Unprocessable entity', `after: ${tradeId} is no trade of the event ${code}`)
}
