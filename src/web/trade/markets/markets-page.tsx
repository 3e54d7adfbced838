import { signal, useComputed, useSignalEffect } from '@preact/signals'
import { useEffect, useMemo, useRef } from 'preact/hooks'
import type { ListedMarket } from '../../../client/shapes.js'
import { search } from '../../kit/address.js'
import { Later } from '../../kit/later.jsx'
import { siteName } from '../../kit/page-site.js'
import { t } from '../../texts/markets.js'
import { ActivityLater } from '../activity/activity-later.jsx'
import { connectionState, exchange } from '../exchange-client.js'
import { Intro } from '../welcome.jsx'
import { EmptyList } from './empty-list.jsx'
import { Featured, FEATURED_COUNT } from './featured.jsx'
import { ListFilters } from './list-filters.jsx'
import type { ListQuery, View } from './list-query.js'
import { listQueryIn } from './list-query.js'
import type { MarketList } from './market-pages.js'
import { listOf, loadFirst, loadMore } from './market-pages.js'
import { RowBlock } from './row-block.jsx'
import { watchlist } from './watchlist.js'
import type { MarketQuery } from '../../../client/lists.js'

const groupCards = () => import('../group/group-cards.jsx').then(({ GroupCards }) => GroupCards)

const SEARCH_PAUSE_MS = 150
/** More is loaded as soon as the end of the list is this near: half a second of a fast thumb. */
const LOADING_MARGIN = '2000px'
/** So few rows that one block is drawn within a frame or two on a slow phone. */
const BLOCK_LENGTH = 5

/** All markets: searched, filtered, sorted. */
export function MarketsPage() {
  const query = useComputed(() => listQueryIn(search.value))
  const asked = useComputed(() => askedFor(query.value, watchlist.value))
  const comebacks = useComputed(() => connectionState.value.comebacks)
  useEffect(() => {
    document.title = t.title(siteName)
    void loadCategories()
  }, [])
  useSignalEffect(() => {
    // The list may have changed during an outage, so a reconnection loads it again.
    void comebacks.value
    const isTyping = document.activeElement?.matches('.search') === true
    if (asked.value !== undefined) return loadFirst(asked.value, isTyping ? SEARCH_PAUSE_MS : 0)
    return undefined
  })
  return (
    <>
      <Intro />
      <search class="filters">
        <ListFilters query={query.value} categories={categories.value} />
      </search>
      <MarketsFound query={query.value} asked={asked.value} />
    </>
  )
}

interface FoundProps {
  readonly query: ListQuery
  readonly asked: string | undefined
}

/** The matching markets as far as they are loaded. */
function MarketsFound({ query, asked }: FoundProps) {
  const list = listOf(asked)
  if (list === 'loading') return <Loading />
  if (list === 'failing') {
    return (
      <p class="card empty" role="status">
        {t.failing}
      </p>
    )
  }
  const isStale = list.asked !== asked
  if (list.markets.length === 0) return isStale ? <Loading /> : <EmptyList query={query} />
  return <Found list={list} isStale={isStale} />
}

interface ListProps {
  readonly list: MarketList
}

/** A list with markets. One that is stale stays as it is until the next is loaded. */
function Found({ list, isStale }: ListProps & { readonly isStale: boolean }) {
  // Drawn once for each list, so that no key of a search waits for rows; another list has rows of its own.
  const drawn = useMemo(() => <Drawn key={list.asked} list={list} />, [list])
  const { markets, next } = list
  return (
    <>
      <p class="unseen" role="status">
        {isStale ? t.loading : (next === null ? t.found : t.foundSoFar)(markets.length)}
      </p>
      <div class="market-lists" aria-busy={isStale}>
        {drawn}
      </div>
      {next !== null && !isStale && <ListEnd />}
    </>
  )
}

function Drawn({ list: { markets, asked = '{}' } }: ListProps) {
  const isFront = asked === FRONT
  const isChosen = (JSON.parse(asked) as MarketQuery).event_ids !== undefined
  // The outcomes of a group are on its card, unless one has chosen each of them.
  const isGrouped = (market: ListedMarket) => market.group !== undefined && !isChosen
  const groups = [...new Set(markets.filter(isGrouped).map(({ group }) => group ?? ''))]
  const single = markets.filter(market => !isGrouped(market))
  const featured = isFront && single.length > FEATURED_COUNT ? single.slice(0, FEATURED_COUNT) : []
  return (
    <>
      {featured.length > 0 && (
        <>
          <Featured markets={featured} />
          <ActivityLater />
        </>
      )}
      {groups.length > 0 && <Later load={groupCards} props={{ codes: groups }} />}
      {single.length > 0 && (
        <section class="card market-list" aria-label={t.markets}>
          {blocksOf(single.slice(featured.length)).map(block => (
            <RowBlock key={block[0]?.event_id} markets={block} />
          ))}
        </section>
      )}
    </>
  )
}

function Loading() {
  return (
    <p class="card empty" role="status" aria-busy="true">
      {t.loading}
    </p>
  )
}

/** Cuts a list into blocks that stay the same as it grows. */
function blocksOf(markets: readonly ListedMarket[]): readonly (readonly ListedMarket[])[] {
  const count = Math.ceil(markets.length / BLOCK_LENGTH)
  return Array.from({ length: count }, (_, index) =>
    markets.slice(index * BLOCK_LENGTH, (index + 1) * BLOCK_LENGTH),
  )
}

/** Loads the next markets as soon as the end of the list comes near the screen. */
function ListEnd() {
  const end = useRef<HTMLParagraphElement>(null)
  useEffect(() => {
    if (end.current === null) return
    const observer = new IntersectionObserver(
      entries => {
        if (entries.at(-1)?.isIntersecting === true) void loadMore()
      },
      { rootMargin: LOADING_MARGIN },
    )
    observer.observe(end.current)
    return () => observer.disconnect()
  })
  return (
    <p class="list-end" ref={end}>
      <button type="button" class="button" onClick={() => void loadMore()}>
        {t.showMore}
      </button>
    </p>
  )
}

/** The requests behind the views; a watchlist names its markets. */
const ASKED: Readonly<Record<View, MarketQuery>> = {
  trending: { sort: 'trending', status: 'trading' },
  closing: { sort: 'closing', status: 'trading' },
  newest: { sort: 'newest', status: 'trading' },
  movers: { sort: 'movers', status: 'trading' },
  volume: { sort: 'volume', status: 'trading' },
  watchlist: { sort: 'trending' },
  ended: { sort: 'ended', status: 'ended' },
}

/** Returns the request of a list, as JSON; undefined for a watchlist without markets. */
function askedFor({ view, words, category }: ListQuery, watched: readonly string[]): string | undefined {
  if (view === 'watchlist' && watched.length === 0) return undefined
  const asked: MarketQuery = {
    ...ASKED[view],
    ...(words.trim() !== '' && { q: words.trim() }),
    ...(category !== undefined && { category }),
    ...(view === 'watchlist' && { event_ids: [...watched].sort().join(',') }),
  }
  return JSON.stringify(asked)
}

/** The list of the front page. */
const FRONT = askedFor({ view: 'trending', words: '', category: undefined }, [])

const SHOWN_MAX = 12

/** The categories with the most markets to trade; empty until they are loaded. */
const categories = signal<readonly string[]>([])

/** Loads the categories; without them the list works all the same. */
async function loadCategories(): Promise<void> {
  const found = await exchange.fetchCategories().catch(() => undefined)
  if (found !== undefined) categories.value = found.slice(0, SHOWN_MAX).map(({ category }) => category)
}
