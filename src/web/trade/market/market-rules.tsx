import type { ComponentChild } from 'preact'
import type { Market } from '../../../client/shapes.js'
import { countText, rupeesText } from '../../kit/number-texts.js'
import { dayTimeText } from '../../kit/time-texts.js'
import { t } from '../../texts/market.js'
import { RelatedMarkets } from '../markets/related-markets.jsx'
import { Comments } from '../people/comments.jsx'
import { SourceLink } from './source-link.jsx'

/** The event’s rules, source and trading terms, and the markets like it. */
export function MarketRules({ market }: { readonly market: Market }) {
  const { payout, tick_size, min_bet, max_bet, quantity, start_date, end_date } = market
  const facts: readonly (readonly [string, ComponentChild])[] = [
    [t.pays, t.paysMeans(rupeesText(payout))],
    [t.sourceName, <SourceLink market={market} />],
    [t.trading, t.fromTo(dayTimeText(start_date), dayTimeText(end_date))],
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
      <Comments code={market.event_id} />
      <RelatedMarkets market={market} />
    </div>
  )
}
