import type { ReadonlySignal } from '@preact/signals'
import { signal } from '@preact/signals'
import type { Market, MarketStatus } from '../../../client/shapes.js'
import { exchange } from '../exchange-client.js'
import { pacedTask, pageSpread } from './paced-task.js'

const FIGURES_GAP_MS = 5000
const WITH_RESULT: ReadonlySet<MarketStatus> = new Set(['resolved', 'settled', 'voided'])

/** An event and its figures, which no channel carries. */
interface EventFeed {
  /** Undefined until loaded. */
  readonly market: ReadonlySignal<Market | undefined>
  /** True if no event has this code. */
  readonly isUnknown: ReadonlySignal<boolean>
  fetch(): Promise<void>
  /** Shows a new status at once, and fetches the rest of the event soon. */
  takeStatus(status: MarketStatus): void
  /** Fetches volume, open interest and traders soon, if the page is in sight. */
  askForFigures(): void
  close(): void
}

/** Keeps one event up to date until it is closed. */
export function openEventFeed(code: string): EventFeed {
  const market = signal<Market | undefined>(undefined)
  const isUnknown = signal(false)
  let isClosed = false
  let changes = 0

  const fetch = async () => {
    const before = changes
    const found = await exchange.fetchMarket(code).catch(error => {
      isUnknown.value = (error as { readonly code?: number }).code === 404
      return undefined
    })
    // What a change of status has overtaken may be older; the event is fetched again after the change.
    if (!isClosed && found !== undefined && changes === before) market.value = found
  }
  const refetch = async () => {
    if (!document.hidden) await fetch()
  }
  const figures = pacedTask(refetch, { soonMs: pageSpread(), gapMs: FIGURES_GAP_MS })
  // All pages of a market hear of its status in the same moment.
  const news = pacedTask(fetch, { soonMs: pageSpread(), gapMs: 0 })
  document.addEventListener('visibilitychange', figures.ask)
  return {
    market,
    isUnknown,
    fetch,
    takeStatus: status => {
      changes++
      const known = market.peek()
      if (known === undefined) return void fetch()
      market.value = withStatus(known, status)
      news.ask()
    },
    askForFigures: figures.ask,
    close: () => {
      isClosed = true
      document.removeEventListener('visibilitychange', figures.ask)
      figures.stop()
      news.stop()
    },
  }
}

/** Changes the status of an event. Its result is in no message: until it is fetched, trading has closed. */
function withStatus(market: Market, status: MarketStatus): Market {
  if (market.outcome !== null) return market
  return { ...market, status: WITH_RESULT.has(status) ? 'closed' : status }
}
