import type { ReadonlySignal } from '@preact/signals'
import { signal } from '@preact/signals'
import type { Market, OrderBook, Trade } from '../../../client/shapes.js'
import { exchange } from '../exchange-client.js'
import { statusTeller } from '../notices/status-news.js'
import { countWatch } from '../watching.js'
import { frameSignal } from './frame-signal.js'
import { LatestTrades } from './latest-trades.js'
import { pacedTask, pageSpread } from './paced-task.js'

const TRADES_WANTED = 50
const FIGURES_GAP_MS = 5000

/** The live data of a market page, each part updated at most once a frame. */
export interface MarketFeed {
  /** Undefined until the first snapshot. */
  readonly book: ReadonlySignal<OrderBook | undefined>
  /** Newest first; undefined until loaded. */
  readonly trades: ReadonlySignal<readonly Trade[] | undefined>
  /** The event and its figures, fetched again when its status changes and soon after trades. */
  readonly market: ReadonlySignal<Market | undefined>
  /** True if no event has this code. */
  readonly isUnknown: ReadonlySignal<boolean>
  close(): void
}

/** Follows one market until it is closed. */
export function openMarketFeed(code: string): MarketFeed {
  const market = signal<Market | undefined>(undefined)
  const isUnknown = signal(false)
  const uncount = countWatch()
  const latest = new LatestTrades()
  const bookSignal = frameSignal(() => book.state)
  const tradesSignal = frameSignal(() => latest.all)
  let isClosed = false

  const addTrades = (trades: readonly Trade[]) => {
    latest.add(trades)
    tradesSignal.touch()
  }
  const fetchMarket = async () => {
    const found = await exchange.fetchMarket(code).catch(error => {
      isUnknown.value = (error as { readonly code?: number }).code === 404
      return undefined
    })
    if (!isClosed && found !== undefined) market.value = found
  }
  // A trade changes volume, open interest and traders, which no channel carries.
  const refetch = async () => {
    if (!document.hidden) await fetchMarket()
  }
  const figures = pacedTask(refetch, { soonMs: pageSpread(), gapMs: FIGURES_GAP_MS })
  document.addEventListener('visibilitychange', figures.ask)
  const tellStatus = statusTeller()
  const updateBook = (now: OrderBook) => {
    if (tellStatus(now)) void fetchMarket()
    // Its part of the book is in no message, and it may have stopped.
    if (market.peek()?.house_quotes !== undefined) figures.ask()
    bookSignal.touch()
  }
  const book = exchange.watchOrderBook(code, { onUpdate: updateBook, onError: () => void fetchMarket() })
  const onTrade = (trade: Trade) => {
    addTrades([trade])
    figures.ask()
  }
  const tape = exchange.watchTrades(code, {}, { onUpdate: onTrade, onError: () => {} })
  // If this fails, the tape starts with the next trade.
  exchange.fetchTrades(code, { limit: TRADES_WANTED }).then(addTrades, () => addTrades([]))
  return {
    book: bookSignal.value,
    trades: tradesSignal.value,
    market,
    isUnknown,
    close: () => {
      isClosed = true
      uncount()
      document.removeEventListener('visibilitychange', figures.ask)
      figures.stop()
      book.close()
      tape.close()
      bookSignal.stop()
      tradesSignal.stop()
    },
  }
}
