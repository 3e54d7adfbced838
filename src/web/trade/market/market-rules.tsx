import type { ComponentChild } from 'preact'
import type { Market } from '../../../client/shapes.js'
import { countText, rupeesText } from '../../kit/number-texts.js'
import { nowMs } from '../../kit/browser-clock.js'
import { Later } from '../../kit/later.jsx'
import { dayTimeText } from '../../kit/time-texts.js'
import { t } from '../../texts/market.js'
import { tradingEnd } from '../chart/chart-window.js'
import { RelatedMarkets } from '../markets/related-markets.jsx'
import { SourceLink } from './source-link.jsx'

const comments = () => import('../people/comments.jsx').then(({ Comments }) => Comments)

/** The event’s rules, source and trading terms, and the markets like it. */
export function MarketRules({ market }: { readonly market: Market }) {
  const { payout, tick_size, min_bet, max_bet, quantity } = market
  const facts: readonly (readonly [string, ComponentChild])[] = [
    [t.pays, t.paysMeans(rupeesText(payout))],
    [t.sourceName, <SourceLink market={market} />],
    [t.trading, tradingText(market)],
    [t.priceStep, rupeesText(tick_size)],
    [
      t.orderSize,
      min_bet > 0 ? t.fromTo(rupeesText(min_bet), rupeesText(max_bet)) : t.upTo(rupeesText(max_bet)),
    ],
    [t.openInterestCap, t.capMeans(countText(quantity))],
    [t.eventCode, market.event_id],
  ]
  return (
    <div class="market-rules">
      <section class="card" aria-labelledby="rules-title">
        <h2 id="rules-title">{t.rules}</h2>
        <div class="card-body rules">
          <p class="rules-text">{market.description === '' ? t.noRules : market.description}</p>
          <dl class="facts">
            {facts.map(([name, fact]) => (
              <div key={name}>
                <dt>{name}</dt>
                <dd>{fact}</dd>
              </div>
            ))}
          </dl>
        </div>
      </section>
      <Later load={comments} props={{ code: market.event_id }} />
      <RelatedMarkets market={market} />
    </div>
  )
}

/** Says when trading begins and ends; an operator may have closed it before the time that was planned. */
function tradingText(market: Market): string {
  const from = dayTimeText(market.start_date)
  const end = tradingEnd(market, nowMs())
  const isEarly = end !== undefined && end < Date.parse(market.end_date)
  return isEarly ? t.closedEarly(from) : t.fromTo(from, dayTimeText(market.end_date))
}
