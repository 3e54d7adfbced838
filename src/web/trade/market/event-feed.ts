import type { ReadonlySignal } from '@preact/signals'
import { signal } from '@preact/signals'
import type { Market, MarketStatus } from '../../../client/shapes.js'
import { exchange } from '../exchange-client.js'
import { isTrading } from '../markets/market-filter.js'
import { pacedTask, pageSpread } from './paced-task.js'

const FIGURES_GAP_MS = 5000

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
  let changes = 0

  const fetch = async () => {
    const before = changes
    const found = await exchange.fetchMarket(code).catch(error => {
      isUnknown.value = (error as { readonly code?: number }).code === 404
      return undefined
    })
    // What a change of status has overtaken may be older; the event is fetched again after the change.
    if (found !== undefined && changes === before) market.value = found
  }
  const refetch = async () => {
    if (!document.hidden) await fetch()
  }
  const soonMs = pageSpread()
  const figures = pacedTask(refetch, { soonMs, gapMs: FIGURES_GAP_MS })
  // All pages of a market hear of its status in the same moment.
  const news = pacedTask(fetch, { soonMs, gapMs: 0 })
  document.addEventListener('visibilitychange', figures.ask)
  return {
    market,
    isUnknown,
    fetch,
    takeStatus: status => {
      changes++
      const known = market.peek()
      if (known === undefined) return void fetch()
      news.ask()
      // A result is in no message: until it is fetched, trading has closed.
      if (known.outcome === null)
        market.value = { ...known, status: isTrading({ status }) ? status : 'closed' }
    },
    askForFigures: figures.ask,
    close: () => {
      // Answers under way come too late.
      changes++
      document.removeEventListener('visibilitychange', figures.ask)
      figures.stop()
      news.stop()
    },
  }
}
