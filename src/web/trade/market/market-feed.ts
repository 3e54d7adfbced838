import type { ReadonlySignal } from '@preact/signals'
import { signal } from '@preact/signals'
import type { Market, OrderBook, Trade } from '../../../client/shapes.js'
import { exchange } from '../exchange-client.js'
import { countWatch } from '../watching.js'
import { frameSignal } from './frame-signal.js'
import { LatestTrades } from './latest-trades.js'

const TRADES_WANTED = 50

/** What a market page follows, each part once a frame. */
export interface MarketFeed {
  /** Undefined before the exchange has said anything. */
  readonly book: ReadonlySignal<OrderBook | undefined>
  /** Newest first; undefined before they are here. */
  readonly trades: ReadonlySignal<readonly Trade[] | undefined>
  /** The event with its numbers, fetched anew when its status changes; undefined before it is here. */
  readonly market: ReadonlySignal<Market | undefined>
  /** The exchange does not know the code. */
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
  let status: string | undefined

  const hear = (trades: readonly Trade[]) => {
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
  const hearBook = (now: OrderBook) => {
    if (now.status !== status) void fetchMarket()
    status = now.status
    bookSignal.touch()
  }
  const book = exchange.watchOrderBook(code, { onUpdate: hearBook, onError: () => void fetchMarket() })
  const tape = exchange.watchTrades(code, {}, { onUpdate: trade => hear([trade]), onError: () => {} })
  // Where the page does not come, the tape begins with what is traded from now on.
  exchange.fetchTrades(code, { limit: TRADES_WANTED }).then(hear, () => {})
  return {
    book: bookSignal.value,
    trades: tradesSignal.value,
    market,
    isUnknown,
    close: () => {
      isClosed = true
      uncount()
      book.close()
      tape.close()
      bookSignal.stop()
      tradesSignal.stop()
    },
  }
}
