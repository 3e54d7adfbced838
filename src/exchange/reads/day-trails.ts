import { isOver } from '../../core/market.js'
import type { TimeMs } from '../../core/units.js'
import { TRAIL_STEP_MS } from '../markets/day-trail.js'
import type { DeskMarket } from '../markets/desk-market.js'
import type { History } from './history.js'

const DAY_MS = 86_400_000
/** A market whose read was refused for lack of room is read again, this many times in all. */
const ROUNDS_MAX = 3

/**
 * Reads the last 24 hours of each market into its trail, one market at a time, beside the trading: until then
 * a trail knows only the last price. Markets that ended earlier, and those with too many trades to read, stay
 * as they are.
 */
export class DayTrails {
  readonly #history: Pick<History, 'ask'>
  #isStopped = false
  #read: Promise<void> = Promise.resolve()

  constructor(history: Pick<History, 'ask'>) {
    this.#history = history
  }

  /** @param startedAt trades from this time on are added as they commit */
  begin(markets: Iterable<DeskMarket>, startedAt: TimeMs): void {
    const from = (startedAt - (startedAt % TRAIL_STEP_MS) + TRAIL_STEP_MS - DAY_MS) as TimeMs
    const traded = [...markets].filter(market => mayHaveTraded(market, from))
    // A reader that fails stops the exchange by itself.
    this.#read = this.#readAll(traded, from, startedAt).catch(() => {})
  }

  /** Resolves when nothing is read any more. */
  stop(): Promise<void> {
    this.#isStopped = true
    return this.#read
  }

  async #readAll(markets: readonly DeskMarket[], from: TimeMs, to: TimeMs): Promise<void> {
    let left = markets
    for (let round = 0; round < ROUNDS_MAX && left.length > 0; round++) {
      const refused: DeskMarket[] = []
      for (const market of left) {
        if (this.#isStopped) return
        const traded = await this.#history.ask('candles', market.terms.code, from, to, TRAIL_STEP_MS)
        if (typeof traded === 'string') refused.push(market)
        else if (traded !== undefined) market.day.fill(traded.closeBefore, traded.candles, to)
      }
      left = refused
    }
  }
}

function mayHaveTraded({ progress, terms, resolved }: DeskMarket, from: TimeMs): boolean {
  const endedAt = isOver(progress.status) ? (resolved?.at ?? terms.endAt) : undefined
  return progress.trades > 0 && (endedAt === undefined || endedAt >= from)
}
