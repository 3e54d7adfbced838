import type { ListedMarket, MarketStatus } from '../../../client/client.js'
import { secondClock } from '../../kit/browser-clock.js'
import { timeLeftText } from '../../kit/time-texts.js'
import { t } from '../../texts/admin-events.js'

const TONES: Readonly<Record<MarketStatus, string>> = {
  scheduled: 'calm',
  open: 'good',
  halted: 'warn',
  closed: 'loud',
  resolved: 'good',
  settled: 'calm',
  voided: 'calm',
}

/** Shows an event’s status, with its outcome once resolved. */
export function StatusTag({ market }: { readonly market: Pick<ListedMarket, 'status' | 'outcome'> }) {
  const { status } = market
  const { outcome } = market
  const isResolved = outcome === 'yes' || outcome === 'no'
  return (
    <span class={`tag status status-${TONES[status]}`}>
      {isResolved ? t.resolvedStatus(t.status[status], t.outcome[outcome]) : t.status[status]}
    </span>
  )
}

/** Counts down to the next automatic change of status. */
export function NextMoment({ market }: { readonly market: ListedMarket }) {
  const now = secondClock.value
  const { status, start_date, end_date } = market
  if (status === 'scheduled') return <>{t.next.opens(timeLeftText(Date.parse(start_date) - now))}</>
  if (status === 'open' || status === 'halted') {
    return <>{t.next.ends(timeLeftText(Date.parse(end_date) - now))}</>
  }
  if (status === 'closed') return <>{t.next.result}</>
  return <>{t.next.ended}</>
}
