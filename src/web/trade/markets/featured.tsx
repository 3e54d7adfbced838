import { useRef } from 'preact/hooks'
import type { ListedMarket } from '../../../client/shapes.js'
import { nameText } from '../../kit/name-text.js'
import { t } from '../../texts/markets.js'
import { MarketFacts, MarketPrices, Sparkline } from './market-row.jsx'
import { MarketPicture } from './market-picture.jsx'
import { useLiveQuotes } from './use-live-quotes.js'
import { WatchStar } from './watch-star.jsx'

export const FEATURED_COUNT = 3

/** The first markets of the page as cards: a large one with its course, and two beside it. */
export function Featured({ markets }: { readonly markets: readonly ListedMarket[] }) {
  return (
    <ul class="featured" aria-label={t.featured}>
      {markets.map((market, place) => (
        <FeaturedCard key={market.event_id} market={market} isLarge={place === 0} />
      ))}
    </ul>
  )
}

interface FeaturedCardProps {
  readonly market: ListedMarket
  readonly isLarge: boolean
}

function FeaturedCard({ market, isLarge }: FeaturedCardProps) {
  const card = useRef<HTMLLIElement>(null)
  const quotes = useLiveQuotes(market, card)
  const { event_id, title } = market
  const address = `/market/${event_id}`
  return (
    <li class="card featured-card" ref={card}>
      <div class="market-head">
        <MarketPicture market={market} />
        <div class="market-name-room">
          <a class="market-name" href={address}>
            {nameText(title)}
          </a>
          <MarketFacts market={market} />
        </div>
        <WatchStar code={event_id} title={title} />
      </div>
      <Sparkline market={market} last={quotes.value.last} isLarge={isLarge} />
      <div class="featured-prices">
        <MarketPrices market={market} quotes={quotes.value} address={address} />
      </div>
    </li>
  )
}
