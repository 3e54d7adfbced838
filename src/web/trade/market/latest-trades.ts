import type { Trade } from '../../../client/shapes.js'

const TRADES_KEPT_MAX = 50

/** A market’s latest trades, newest first: fetched and live trades merged without duplicates. */
export class LatestTrades {
  #trades: readonly Trade[] = []

  get all(): readonly Trade[] {
    return this.#trades
  }

  /** @param trades newest first; some may be here already */
  add(trades: readonly Trade[]): void {
    const known = new Set(this.#trades.map(({ tradeId }) => tradeId))
    const fresh = trades.filter(({ tradeId }) => !known.has(tradeId))
    // A fetched page may be older than the live trades received meanwhile.
    this.#trades = [...this.#trades, ...fresh]
      .sort((a, b) => tradeNumber(b) - tradeNumber(a))
      .slice(0, TRADES_KEPT_MAX)
  }
}

/** Returns a trade’s place in its event: `1000001-17` is the 17th. */
export function tradeNumber({ tradeId }: Trade): number {
  return Number(tradeId.slice(tradeId.lastIndexOf('-') + 1))
}
