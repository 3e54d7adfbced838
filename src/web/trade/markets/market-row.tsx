import { useRef } from 'preact/hooks'
import type { ListedMarket } from '../../../client/shapes.js'
import { LiveText } from '../../kit/live-text.jsx'
import { nameText } from '../../kit/name-text.js'
import { chanceText, countText, rupeesText } from '../../kit/number-texts.js'
import { t } from '../../texts/markets.js'
import type { Quotes } from '../implied-probability.js'
import { chanceOf } from '../implied-probability.js'
import { dayText } from '../people/figure-texts.js'
import { TimeLeft } from '../market-time.jsx'
import { DayChange } from './day-change.jsx'
import { isTrading } from './market-filter.js'
import { MarketPicture } from './market-picture.jsx'
import { PayoutChip } from './payout-chip.jsx'
import { useLiveQuotes } from './use-live-quotes.js'
import { WatchStar } from './watch-star.jsx'
import { sparkPath } from '../../kit/spark-path.js'

/** One market of the list, live while it is on the screen. */
export function MarketRow({ market }: { readonly market: ListedMarket }) {
  const row = useRef<HTMLLIElement>(null)
  const quotes = useLiveQuotes(market, row)
  const { event_id, title } = market
  const address = `/market/${event_id}`
  return (
    <li class="market-row" ref={row}>
      <WatchStar code={event_id} title={title} />
      <div class="market-head">
        <MarketPicture market={market} />
        <div class="market-name-room">
          <a class="market-name" href={address}>
            {nameText(title)}
          </a>
          <MarketFacts market={market} />
        </div>
      </div>
      <Sparkline market={market} last={quotes.value.last} />
      <MarketPrices market={market} quotes={quotes.value} address={address} />
    </li>
  )
}

/** The category, the time left and the volume of a market. */
export function MarketFacts({ market }: { readonly market: ListedMarket }) {
  const { category, volume, volume_24h, payout } = market
  const isToday = isTrading(market) && volume_24h > 0
  return (
    <p class="market-facts">
      {category !== null && <span class="tag">{category}</span>}
      <PayoutChip payout={payout} />
      <TimeLeft market={market} />
      {isToday ? (
        <span title={t.volumeTodayHint}>{t.volumeToday(countText(volume_24h, 'scarce'))}</span>
      ) : (
        <span>{t.traded(countText(volume, 'scarce'))}</span>
      )}
    </p>
  )
}

interface PricesProps {
  readonly market: ListedMarket
  readonly quotes: Quotes
  readonly address: string
}

/** The chance and the buttons of a market, or its result. */
export function MarketPrices({ market, quotes, address }: PricesProps) {
  const { payout, bid, ask, last } = quotes
  if (!isTrading(market)) return <Ended market={market} chance={chanceText(chanceOf(quotes), 'headline')} />
  return (
    <>
      <p class="chance">
        <LiveText text={chanceText(chanceOf(quotes), 'headline')} />
        <small>
          <DayChange market={market} last={last} /> {t.chance}
        </small>
      </p>
      <a class="quote quote-yes" href={`${address}?outcome=yes`}>
        <small>{t.yes}</small>
        <LiveText text={ask === null ? '–' : rupeesText(ask)} />
      </a>
      <a class="quote quote-no" href={`${address}?outcome=no`}>
        <small>{t.no}</small>
        <LiveText text={bid === null ? '–' : rupeesText(payout - bid)} />
      </a>
    </>
  )
}

/** The result, once there is one, and when it came; the chance before it is small. */
function Ended({ market, chance }: { readonly market: ListedMarket; readonly chance: string }) {
  const { status, outcome, resolvedAt } = market
  if (outcome === null) {
    return (
      <>
        <p class="chance">
          {chance}
          <small>{t.lastPrice}</small>
        </p>
        <p class="ended">{status === 'closed' ? t.awaitingResult : t.payingOut}</p>
      </>
    )
  }
  return (
    <>
      <p class="chance">
        <span class={`ended-${outcome}`}>{t.results[outcome]}</span>
        <small>
          {t.lastPrice} {chance}
        </small>
      </p>
      <p class="ended">
        {resolvedAt !== null && t.resolvedOn(dayText(resolvedAt))}
        {outcome === 'void' && <small>{t.isVoid}</small>}
      </p>
    </>
  )
}

const WIDTH = 120
const HEIGHT = 36

interface SparklineProps {
  readonly market: ListedMarket
  /** The latest price. */
  readonly last: number | null
  /** Set for a course in detail: its height is that of its own range, and the ground below is filled. */
  readonly isLarge?: boolean
}

/** The chance over the last 24 hours. */
export function Sparkline({ market, last, isLarge = false }: SparklineProps) {
  const prices = [...(market.trend ?? []), ...(last === null ? [] : [last])]
  const chances = isLarge ? inRange(prices) : prices.map(price => price / market.payout)
  const path = sparkPath(chances, WIDTH, HEIGHT)
  return (
    <svg class="sparkline" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
      <line x1="0" x2={WIDTH} y1={HEIGHT / 2} y2={HEIGHT / 2} />
      {isLarge && path !== '' && <path class="spark-area" d={`${path}V${HEIGHT}H0Z`} />}
      <path d={path} />
    </svg>
  )
}

/** Returns prices as parts of their own range, from 0.1 to 0.9. */
function inRange(prices: readonly number[]): readonly number[] {
  const low = prices.reduce((least, price) => Math.min(least, price), Number.POSITIVE_INFINITY)
  const high = prices.reduce((most, price) => Math.max(most, price), 0)
  return prices.map(price => (high === low ? 0.5 : 0.1 + (0.8 * (price - low)) / (high - low)))
}
