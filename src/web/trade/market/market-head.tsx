import type { Market } from '../../../client/shapes.js'
import { secondClock } from '../../kit/browser-clock.js'
import { LiveText } from '../../kit/live-text.jsx'
import { nameText } from '../../kit/name-text.js'
import { chanceText, countText } from '../../kit/number-texts.js'
import { timeLeftText } from '../../kit/time-texts.js'
import { t } from '../../texts/market.js'
import { TimeLeft } from '../market-time.jsx'
import { MarketPicture } from '../markets/market-picture.jsx'
import { PayoutChip } from '../markets/payout-chip.jsx'
import { WatchStar } from '../markets/watch-star.jsx'
import { HouseChip } from './house-chip.jsx'
import { ShareButton } from '../share/share-button.jsx'

/** From here on, the time left is marked. */
const CLOSING_SOON_MS = 900_000

interface MarketHeadProps {
  readonly market: Market
  /** The chance of YES, from 0 to 1. */
  readonly chance: number | undefined
}

/** The title, the time left, what has been traded, and the chance or the result. */
export function MarketHead({ market, chance }: MarketHeadProps) {
  const { event_id, title, category, volume, open_interest, traders, outcome, payout, group, house_quotes } =
    market
  return (
    <header class="market-title">
      <MarketPicture market={market} />
      <div class="market-name-room">
        <h1>{nameText(title)}</h1>
        <div class="market-below">
          <p class="market-facts">
            {category !== null && <span class="tag">{category}</span>}
            {group !== undefined && <a href={`/group/${group}`}>{t.allOutcomes}</a>}
            <PayoutChip payout={payout} />
            {house_quotes !== undefined && <HouseChip quotes={house_quotes} />}
            <Remaining market={market} />
            <span>{t.contractsTraded(volume)}</span>
            {outcome === null && <span>{t.openInterest(countText(open_interest))}</span>}
            <span>{t.traders(traders)}</span>
          </p>
          <p class="market-acts">
            <WatchStar code={event_id} title={title} />
            <ShareButton code={event_id} title={title} />
          </p>
        </div>
      </div>
      <p class={`chance chance-large ${outcome ?? ''}`}>
        <LiveText text={headlineText(outcome, chance)} />
        <small>{outcome === null ? t.chance : t.result}</small>
      </p>
    </header>
  )
}

function headlineText(outcome: Market['outcome'], chance: number | undefined): string {
  if (outcome === null) return chanceText(chance, 'headline')
  return outcome === 'void' ? t.voidResult : t.outcomes[outcome]
}

/** The time left, marked when it is short. */
function Remaining({ market }: Pick<MarketHeadProps, 'market'>) {
  const leftMs = Date.parse(market.end_date) - secondClock.value
  if (market.status !== 'open' || leftMs > CLOSING_SOON_MS) return <TimeLeft market={market} />
  return <span class="tag tag-warn">{t.closesIn(timeLeftText(leftMs))}</span>
}
