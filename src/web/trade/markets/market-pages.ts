import { signal } from '@preact/signals'
import type { MarketQuery } from '../../../client/lists.js'
import type { ListedMarket } from '../../../client/shapes.js'
import { nowMs } from '../../kit/browser-clock.js'
import { exchange } from '../exchange-client.js'

const PAGE_LENGTH = 40
/** Pages after the first are longer, so that they arrive in time for fast scrolling. */
const MORE_LENGTH = 80
const RETRY_MS = 3000
/** A list that is shown again within this time is not loaded again. */
const FRESH_MS = 30_000

export interface MarketList {
  readonly markets: readonly ListedMarket[]
  /** The cursor of the next page, null at the end. */
  readonly next: string | null
  /** The request, as JSON; undefined for the list of nothing. */
  readonly asked: string | undefined
}

interface Loaded extends MarketList {
  readonly asked: string
  readonly atMs: number
}

/** The list as far as it is loaded, kept while other pages are shown. */
const loaded = signal<Loaded | undefined>(undefined)
/** True while requests fail. */
const isFailing = signal(false)
let isLoadingMore = false

/**
 * Returns a list as far as it is loaded, or why there is none yet. While it loads, the list before it stays:
 * the page does not jump at each key of a search.
 */
export function listOf(asked: string | undefined): MarketList | 'loading' | 'failing' {
  if (asked === undefined) return { asked, markets: [], next: null }
  if (loaded.value?.asked === asked) return loaded.value
  if (isFailing.value) return 'failing'
  return loaded.value ?? 'loading'
}

/** Loads the first page of a list, again and again until it succeeds; returns how to stop. */
export function loadFirst(asked: string, pauseMs: number): () => void {
  const known = loaded.peek()
  if (known?.asked === asked && nowMs() - known.atMs < FRESH_MS) return () => {}
  let isOver = false
  const attempt = async () => {
    const page = await exchange
      .fetchMarketPage({ ...parsed(asked), limit: PAGE_LENGTH })
      .catch(() => undefined)
    if (isOver) return
    isFailing.value = page === undefined
    if (page === undefined) timer = setTimeout(attempt, RETRY_MS)
    else loaded.value = { asked, markets: page.events, next: page.next_cursor, atMs: nowMs() }
  }
  let timer = setTimeout(attempt, pauseMs)
  return () => {
    isOver = true
    clearTimeout(timer)
  }
}

/** Loads the first page of the list again that is shown. */
export async function reload(): Promise<void> {
  const before = loaded.peek()
  if (before === undefined) return
  const page = await exchange
    .fetchMarketPage({ ...parsed(before.asked), limit: PAGE_LENGTH })
    .catch(() => undefined)
  if (page === undefined || loaded.peek() !== before) return
  loaded.value = { ...before, markets: page.events, next: page.next_cursor, atMs: nowMs() }
}

/** Loads the next page of the list that is shown. A market that has moved meanwhile is not repeated. */
export async function loadMore(): Promise<void> {
  const before = loaded.peek()
  if (before === undefined || before.next === null || isLoadingMore) return
  isLoadingMore = true
  const page = await exchange
    .fetchMarketPage({ ...parsed(before.asked), limit: MORE_LENGTH, cursor: before.next })
    .catch(() => undefined)
  isLoadingMore = false
  if (page === undefined || loaded.peek() !== before) return
  const known = new Set(before.markets.map(({ event_id }) => event_id))
  const fresh = page.events.filter(({ event_id }) => !known.has(event_id))
  loaded.value = { ...before, markets: [...before.markets, ...fresh], next: page.next_cursor }
}

function parsed(asked: string): MarketQuery {
  return JSON.parse(asked) as MarketQuery
}
