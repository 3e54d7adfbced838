import type { Market } from '../../../client/shapes.js'
import { secondClock } from '../../kit/browser-clock.js'
import { rupeesText } from '../../kit/number-texts.js'
import { dayTimeText, timeLeftText } from '../../kit/time-texts.js'
import { t } from '../../texts/market.js'
import { SourceLink } from './source-link.jsx'

/** Explains why a market without a result does not trade; nothing while it is open. */
export function MarketBanner({ market }: { readonly market: Market }) {
  const { status, start_date, payout } = market
  switch (status) {
    case 'scheduled': {
      const left = timeLeftText(Date.parse(start_date) - secondClock.value)
      return <p class="notice market-banner">{t.opensIn(left, dayTimeText(start_date))}</p>
    }
    case 'halted':
      return <p class="notice notice-warn market-banner">{t.halted}</p>
    case 'closed':
      return (
        <section class="notice market-banner" aria-label={t.resultRegion}>
          <p class="result-words">{t.closed}</p>
          <p>{t.closedMeans(rupeesText(payout))}</p>
          <p>
            {t.sourceName}: <SourceLink market={market} />
          </p>
        </section>
      )
    default:
      return null
  }
}
