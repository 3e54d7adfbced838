import type { ReadonlySignal } from '@preact/signals'
import type { Market, OrderBook, Trade } from '../../../client/shapes.js'
import { exchange } from '../exchange-client.js'
import { statusTeller } from '../notices/status-news.js'
import { countWatch } from '../watching.js'
import { openEventFeed } from './event-feed.js'
import { frameSignal } from './frame-signal.js'
import { LatestTrades } from './latest-trades.js'

const TRADES_WANTED = 50

/** The live data of a market page, each part updated at most once a frame. */
export interface MarketFeed {
  /** Undefined until the first snapshot. */
  readonly book: ReadonlySignal<OrderBook | undefined>
  /** Newest first; undefined until loaded. */
  readonly trades: ReadonlySignal<readonly Trade[] | undefined>
  /** The event and its figures, fetched again soon after trades and changes of its status. */
  readonly market: ReadonlySignal<Market | undefined>
  /** True if no event has this code. */
  readonly isUnknown: ReadonlySignal<boolean>
  close(): void
}

/** Follows one market until it is closed. */
export function openMarketFeed(code: string): MarketFeed {
  const event = openEventFeed(code)
  const uncount = countWatch()
  const latest = new LatestTrades()
  const bookSignal = frameSignal(() => book.state)
  const tradesSignal = frameSignal(() => latest.all)

  const addTrades = (trades: readonly Trade[]) => {
    latest.add(trades)
    tradesSignal.touch()
  }
  const tellStatus = statusTeller()
  const updateBook = (now: OrderBook) => {
    if (tellStatus(now)) event.takeStatus(now.status)
    // Its part of the book is in no message, and it may have stopped.
    if (event.market.peek()?.house_quotes !== undefined) event.askForFigures()
    bookSignal.touch()
  }
  const book = exchange.watchOrderBook(code, { onUpdate: updateBook, onError: () => void event.fetch() })
  const onTrade = (trade: Trade) => {
    addTrades([trade])
    event.askForFigures()
  }
  const tape = exchange.watchTrades(code, {}, { onUpdate: onTrade, onError: () => {} })
  // If this fails, the tape starts with the next trade.
  exchange.fetchTrades(code, { limit: TRADES_WANTED }).then(addTrades, () => addTrades([]))
  return {
    book: bookSignal.value,
    trades: tradesSignal.value,
    market: event.market,
    isUnknown: event.isUnknown,
    close: () => {
      event.close()
      uncount()
      book.close()
      tape.close()
      bookSignal.stop()
      tradesSignal.stop()
    },
  }
}
