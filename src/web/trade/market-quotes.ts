import type { ListedMarket, OrderBook } from '../../client/shapes.js'
import { exchange } from './exchange-client.js'
import type { Quotes } from './implied-probability.js'
import { frameSignal } from './market/frame-signal.js'
import { statusTeller } from './notices/status-news.js'
import { countWatch } from './watching.js'

/** Returns the quotes of a fetched market. */
export function quotesOf(market: ListedMarket): Quotes {
  const { payout, best_bid, best_ask, last_price } = market
  return { payout, bid: best_bid, ask: best_ask, last: last_price }
}

/** Returns the quotes of a live order book. */
export function quotesIn(payout: number, { bids, asks, last_price }: OrderBook): Quotes {
  return { payout, bid: bids[0]?.[0] ?? null, ask: asks[0]?.[0] ?? null, last: last_price }
}

/** Calls back with a market’s quotes, at most once a frame; returns how to stop. */
export function watchQuotes(market: ListedMarket, onQuotes: (quotes: Quotes) => void): () => void {
  const uncount = countWatch()
  const book = frameSignal(() => watch.state)
  const tellStatus = statusTeller()
  const onUpdate = (now: OrderBook) => {
    tellStatus(now)
    book.touch()
  }
  const watch = exchange.watchOrderBook(market.event_id, { onUpdate, onError: () => {} })
  const stop = book.value.subscribe(state => {
    if (state !== undefined) onQuotes(quotesIn(market.payout, state))
  })
  return () => {
    uncount()
    stop()
    book.stop()
    watch.close()
  }
}
