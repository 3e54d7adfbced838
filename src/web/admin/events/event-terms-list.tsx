import type { ComponentChildren } from 'preact'
import type { Market } from '../../../client/client.js'
import { countText, rupeesText } from '../../kit/number-texts.js'
import { dayTimeText } from '../../kit/time-texts.js'
import { t } from '../../texts/admin-events.js'
import { t as fees } from '../../texts/admin-fees.js'
import { percentText } from './fee-words.js'

/** The event’s rules and terms, read-only. */
export function EventTerms({ market }: { readonly market: Market }) {
  const { description, payout, tick_size, min_bet, max_bet, quantity, sot, source_url, category } = market
  const terms: readonly (readonly [label: string, value: ComponentChildren])[] = [
    [t.fields.start_date, dayTimeText(market.start_date)],
    [t.fields.end_date, dayTimeText(market.end_date)],
    [t.fields.category, category ?? '–'],
    [t.fields.sot, source_url === null ? sot : <SourceLink sot={sot} address={source_url} />],
    [
      t.orderValue,
      min_bet > 0 ? t.range(rupeesText(min_bet), rupeesText(max_bet)) : t.upTo(rupeesText(max_bet)),
    ],
    [t.fields.quantity, countText(quantity)],
    [t.payout, t.payoutOf(rupeesText(payout))],
    [t.priceStep, rupeesText(tick_size)],
    [fees.fees, feesText(market)],
    [t.created, dayTimeText(market.createdAt)],
  ]
  return (
    <div class="card-body terms-read">
      <p class="rules-text">{description === '' ? <span class="faint">{t.noRules}</span> : description}</p>
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

function feesText({ fee_taker_bp: taker, fee_maker_bp: maker }: Market): string {
  if (taker === undefined || maker === undefined) return fees.none
  return fees.rates(percentText(taker), percentText(maker))
}

function SourceLink({ sot, address }: { readonly sot: string; readonly address: string }) {
  return (
    <a href={address} rel="noopener noreferrer nofollow" target="_blank">
      {sot}
    </a>
  )
}
