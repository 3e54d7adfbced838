import type { Market } from '../../../client/client.js'
import { countText, rupeesText } from '../../kit/number-texts.js'
import { dayTimeText } from '../../kit/time-texts.js'

/** The event’s rules and terms, read-only. */
export function EventTerms({ market }: { readonly market: Market }) {
  const { description, payout, tick_size, min_bet, max_bet, quantity } = market
  const terms: readonly (readonly [label: string, value: string])[] = [
    ['Category', market.category ?? '–'],
    ['Source', market.sot],
    ['Opens', dayTimeText(market.start_date)],
    ['Closes', dayTimeText(market.end_date)],
    ['Order value', `${rupeesText(min_bet)} to ${rupeesText(max_bet)}`],
    ['Open-interest cap', countText(quantity)],
    ['Payout', `${rupeesText(payout)} per contract`],
    ['Price step', rupeesText(tick_size)],
    ['Created', dayTimeText(market.createdAt)],
  ]
  return (
    <div class="card-body terms-read">
      <p class="rules-text">
        {description === '' ? <span class="faint">No rules given.</span> : description}
      </p>
      <dl class="pairs">
        {terms.map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </div>
  )
}
