import type { ListedMarket, MarketStatus } from '../../../client/client.js'
import { secondClock } from '../../kit/browser-clock.js'
import { timeLeftText } from '../../kit/time-texts.js'

/** What an event is called while it is in a state, and which is louder than the others. */
const WORDS: Readonly<Record<MarketStatus, readonly [words: string, tone: string]>> = {
  scheduled: ['Scheduled', 'calm'],
  open: ['Open', 'good'],
  halted: ['Halted', 'warn'],
  closed: ['Needs a result', 'loud'],
  resolved: ['Paying', 'good'],
  settled: ['Settled', 'calm'],
  voided: ['Void', 'calm'],
}

/** Where an event is in its life. */
export function StatusTag({ market }: { readonly market: Pick<ListedMarket, 'status' | 'outcome'> }) {
  const [words, tone] = WORDS[market.status]
  const outcome =
    market.outcome === 'yes' || market.outcome === 'no' ? `: ${market.outcome.toUpperCase()}` : ''
  return (
    <span class={`tag status status-${tone}`}>
      {words}
      {outcome}
    </span>
  )
}

/** When the next thing happens to it by itself. */
export function NextMoment({ market }: { readonly market: ListedMarket }) {
  const now = secondClock.value
  const { status, start_date, end_date } = market
  if (status === 'scheduled') return <>opens in {timeLeftText(Date.parse(start_date) - now)}</>
  if (status === 'open' || status === 'halted') return <>ends in {timeLeftText(Date.parse(end_date) - now)}</>
  if (status === 'closed') return <>needs a result</>
  return <>over</>
}
