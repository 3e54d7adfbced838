import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { ListedMarket, Market } from '../../../client/shapes.js'
import { nameText } from '../../kit/name-text.js'
import { chanceText } from '../../kit/number-texts.js'
import { t } from '../../texts/markets.js'
import { exchange } from '../exchange-client.js'
import { chanceOf } from '../implied-probability.js'
import { quotesOf } from '../market-quotes.js'
import { DayChange } from './day-change.jsx'

const SHOWN_MAX = 4

/** Other open markets of the same category, the most traded of the day first; nothing without any. */
export function RelatedMarkets({ market }: { readonly market: Pick<Market, 'event_id' | 'category'> }) {
  const found = useSignal<readonly ListedMarket[]>([])
  const { event_id, category } = market
  useEffect(() => {
    const asked = { sort: 'trending', status: 'trading', limit: SHOWN_MAX + 1 } as const
    exchange.fetchMarketPage({ ...asked, ...(category !== null && { category }) }).then(
      ({ events }) => {
        found.value = events.filter(other => other.event_id !== event_id).slice(0, SHOWN_MAX)
      },
      // The page is whole without them.
      () => {},
    )
  }, [event_id, category, found])
  if (found.value.length === 0) return null
  return (
    <section class="card" aria-labelledby="related-title">
      <h2 id="related-title">{t.related}</h2>
      <ul class="related">
        {found.value.map(other => (
          <li key={other.event_id}>
            <a href={`/market/${other.event_id}`}>{nameText(other.title)}</a>
            <span class="related-chance">
              <b>{chanceText(chanceOf(quotesOf(other)), 'headline')}</b>
              <DayChange market={other} last={other.last_price} />
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}
