import type { Market } from '../../../client/shapes.js'
import { countText, rupeesText } from '../../kit/number-texts.js'
import { dayTimeText } from '../../kit/time-texts.js'

/** The event’s rules, source and trading terms. */
export function MarketRules({ market }: { readonly market: Market }) {
  const { payout, tick_size, min_bet, max_bet, quantity, sot, source_url, start_date, end_date } = market
  const facts = [
    ['Pays', `${rupeesText(payout)} per contract of the winning outcome, ₹0 for the other`],
    ['Source', source_url === null ? sot : <SourceLink sot={sot} address={source_url} />],
    ['Trading', `${dayTimeText(start_date)} to ${dayTimeText(end_date)}`],
    ['Price step', rupeesText(tick_size)],
    ['Order size', `${rupeesText(min_bet)} to ${rupeesText(max_bet)}`],
    ['Open-interest cap', `${countText(quantity)} contracts of each outcome`],
    ['Event code', market.event_id],
  ] as const
  return (
    <section class="card" aria-labelledby="rules-title">
      <h2 id="rules-title">Rules</h2>
      <div class="card-body rules">
        <p class="rules-text">{market.description}</p>
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
  )
}

function SourceLink({ sot, address }: { readonly sot: string; readonly address: string }) {
  return (
    <a href={address} rel="noopener noreferrer nofollow" target="_blank">
      {sot}
    </a>
  )
}
