import { goTo } from '../../kit/address.js'
import { t } from '../../texts/markets.js'
import type { ListQuery, View } from './list-query.js'
import { listAddress, VIEWS } from './list-query.js'

const NAMES: Readonly<Record<View, string>> = {
  trending: t.trending,
  closing: t.closing,
  newest: t.newest,
  movers: t.movers,
  volume: t.volume,
  watchlist: t.watchlist,
  ended: t.endedView,
}

/** The search, the views and the categories. Each change is a change of the address. */
export function ListFilters({
  query,
  categories,
}: {
  readonly query: ListQuery
  readonly categories: readonly string[]
}) {
  return (
    <>
      <input
        class="field search"
        type="search"
        placeholder={t.search}
        aria-label={t.search}
        maxLength={200}
        value={query.words}
        onInput={event => {
          const words = event.currentTarget.value
          goTo(listAddress({ ...query, words }), 'replace')
        }}
      />
      <nav class="views" aria-label={t.views}>
        {VIEWS.map(view => (
          <a
            key={view}
            class="view"
            href={listAddress({ ...query, view })}
            aria-current={query.view === view ? 'page' : undefined}
          >
            {NAMES[view]}
          </a>
        ))}
      </nav>
      {categories.length > 0 && (
        <nav class="chips categories" aria-label={t.categories}>
          {[undefined, ...categories].map(category => (
            <a
              key={category ?? ''}
              class="chip"
              href={listAddress({ ...query, category })}
              aria-current={query.category === category ? 'true' : undefined}
            >
              {category ?? t.allCategories}
            </a>
          ))}
        </nav>
      )}
    </>
  )
}
