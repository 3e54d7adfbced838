import { useComputed, useSignal, useSignalEffect } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { ListedMarket } from '../../../client/shapes.js'
import { connectionState, exchange } from '../exchange-client.js'
import { Intro, Welcome } from '../welcome.jsx'
import type { MarketFilter, SortOrder, StatusFilter } from './market-filter.js'
import { categoriesOf, chooseMarkets } from './market-filter.js'
import { MarketRow } from './market-row.jsx'

const ROWS_STEP = 50
const MARKETS_MAX = 1000
const SEARCH_PAUSE_MS = 150
const CATEGORIES_MAX = 10
const RETRY_MS = 3000

/** All markets: searched, filtered, sorted. */
export function MarketsPage() {
  const markets = useSignal<readonly ListedMarket[] | undefined>(undefined)
  const query = useSignal('')
  /** Counts failed requests; a change triggers the next attempt. */
  const attempts = useSignal(0)
  const filter = useSignal<MarketFilter>({ status: 'trading', category: undefined, order: 'volume' })
  const comebacks = useComputed(() => connectionState.value.comebacks)
  const chosen = useComputed(() => chooseMarkets(markets.value ?? [], filter.value))
  useEffect(() => {
    document.title = 'Raay – trade on what happens next'
  }, [])
  useSignalEffect(() => {
    const q = query.value.trim() || undefined
    // The list may have changed during an outage, so a reconnection loads it again.
    void comebacks.value
    void attempts.value
    let isOver = false
    let pause = setTimeout(
      async () => {
        const found = await exchange
          .fetchMarkets({ description: 'no', ...(q !== undefined && { q }), limit: MARKETS_MAX })
          .catch(() => undefined)
        if (isOver) return
        if (found !== undefined) markets.value = found
        else pause = setTimeout(() => attempts.value++, RETRY_MS)
      },
      q === undefined ? 0 : SEARCH_PAUSE_MS,
    )
    return () => {
      isOver = true
      clearTimeout(pause)
    }
  })

  if (markets.value?.length === 0 && query.value === '') return <Welcome />
  return (
    <>
      <Intro />
      <search class="filters">
        <Filters
          query={query.value}
          filter={filter.value}
          categories={categoriesOf(markets.value ?? [])}
          onQuery={text => {
            query.value = text
          }}
          onFilter={change => {
            filter.value = { ...filter.value, ...change }
          }}
        />
      </search>
      <MarketsFound markets={markets.value === undefined ? undefined : chosen.value} />
    </>
  )
}

interface FiltersProps {
  readonly query: string
  readonly filter: MarketFilter
  readonly categories: readonly string[]
  readonly onQuery: (text: string) => void
  readonly onFilter: (change: Partial<MarketFilter>) => void
}

function Filters({ query, filter, categories, onQuery, onFilter }: FiltersProps) {
  return (
    <>
      <div class="filter-line">
        <input
          class="field search"
          type="search"
          placeholder="Search markets"
          aria-label="Search markets"
          maxLength={200}
          value={query}
          onInput={event => onQuery(event.currentTarget.value)}
        />
        <select
          class="field"
          aria-label="Status"
          value={filter.status}
          onChange={event => onFilter({ status: event.currentTarget.value as StatusFilter })}
        >
          <option value="trading">Trading</option>
          <option value="ended">Ended</option>
          <option value="all">All</option>
        </select>
        <select
          class="field"
          aria-label="Sort by"
          value={filter.order}
          onChange={event => onFilter({ order: event.currentTarget.value as SortOrder })}
        >
          <option value="volume">Most traded</option>
          <option value="ending">Ending soon</option>
          <option value="newest">Newest</option>
        </select>
      </div>
      <fieldset class="chips categories">
        <legend class="unseen">Category</legend>
        {[undefined, ...categories.slice(0, CATEGORIES_MAX)].map(category => (
          <button
            key={category ?? ''}
            type="button"
            class="chip"
            aria-pressed={filter.category === category}
            onClick={() => onFilter({ category })}
          >
            {category ?? 'All'}
          </button>
        ))}
      </fieldset>
    </>
  )
}

/** The matching markets, a page at a time; undefined while loading. */
function MarketsFound({ markets }: { readonly markets: readonly ListedMarket[] | undefined }) {
  const shownMax = useSignal(ROWS_STEP)
  const rows = markets?.slice(0, shownMax.value) ?? []
  const showMore = () => {
    shownMax.value += ROWS_STEP
  }
  return (
    <>
      <p class="unseen" role="status">
        {markets === undefined ? 'Loading markets' : `${markets.length} markets`}
      </p>
      <ul class="card market-list" aria-label="Markets" aria-busy={markets === undefined}>
        {markets === undefined && <li class="empty">Loading markets…</li>}
        {markets?.length === 0 && <li class="empty">No markets match. Try other words or filters.</li>}
        {rows.map(market => (
          <MarketRow key={market.event_id} market={market} />
        ))}
      </ul>
      {markets !== undefined && markets.length > rows.length && (
        <p class="list-end">
          <button type="button" class="button" onClick={showMore}>
            Show more of {markets.length} markets
          </button>
        </p>
      )}
    </>
  )
}
