import type { ListedMarket, MarketStatus } from '../../../client/client.js'
import { secondClock } from '../../kit/browser-clock.js'
import { timeLeftText } from '../../kit/time-texts.js'

/** The label and tone of each status. */
const WORDS: Readonly<Record<MarketStatus, readonly [words: string, tone: string]>> = {
  scheduled: ['Scheduled', 'calm'],
  open: ['Open', 'good'],
  halted: ['Halted', 'warn'],
  closed: ['Needs a result', 'loud'],
  resolved: ['Paying out', 'good'],
  settled: ['Settled', 'calm'],
  voided: ['Void', 'calm'],
}

/** Shows an event’s status, with its outcome once resolved. */
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

/** Counts down to the next automatic change of status. */
export function NextMoment({ market }: { readonly market: ListedMarket }) {
  const now = secondClock.value
  const { status, start_date, end_date } = market
  if (status === 'scheduled') return <>opens in {timeLeftText(Date.parse(start_date) - now)}</>
  if (status === 'open' || status === 'halted') return <>ends in {timeLeftText(Date.parse(end_date) - now)}</>
  if (status === 'closed') return <>needs a result</>
  return <>ended</>
}
