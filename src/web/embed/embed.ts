import { RaayClient, RaayError } from '../../client/client.js'
import type { ListedMarket } from '../../client/shapes.js'
import { t } from '../texts/embed.js'
import { showCard, showMessage } from './embed-card.js'
import './embed.css'
import { isTrading } from '../trade/markets/market-filter.js'

const RETRY_MS = 5000

const [, code = ''] = /^\/embed\/(\d{7})$/.exec(location.pathname) ?? []
const exchange = new RaayClient({
  url: location.origin,
  attemptsMax: 5,
  backoffMaxMs: 30_000,
  channels: 'markets',
})

void begin()

/** Fetches the market until there is an answer. */
async function begin(): Promise<void> {
  try {
    const { events } = await exchange.fetchMarketPage({ event_ids: code })
    const [market] = events
    if (market === undefined) showMessage(t.unknown)
    else follow(market)
  } catch (error) {
    if (error instanceof RaayError && error.code === 401) return showMessage(t.membersOnly)
    showMessage(t.unavailable)
    setTimeout(begin, RETRY_MS)
  }
}

/** Shows a market, and its price as it changes; a change of status reloads it. */
function follow(market: ListedMarket): void {
  showCard(market)
  if (!isTrading(market)) return
  let shown = market
  const watch = exchange.watchOrderBook(code, {
    onUpdate: () => {
      const book = watch.state
      if (book === undefined) return
      if (book.status !== market.status) {
        watch.close()
        void begin()
        return
      }
      const next = {
        ...market,
        best_bid: book.bids[0]?.[0] ?? null,
        best_ask: book.asks[0]?.[0] ?? null,
        last_price: book.last_price,
      }
      const isSame = (['best_bid', 'best_ask', 'last_price'] as const).every(key => next[key] === shown[key])
      if (isSame) return
      shown = next
      showCard(next)
    },
    onError: () => {},
  })
}
