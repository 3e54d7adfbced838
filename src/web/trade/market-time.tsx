import type { ListedMarket } from '../../client/shapes.js'
import { secondClock } from '../kit/browser-clock.js'
import { dayTimeText, timeLeftText } from '../kit/time-texts.js'
import { t } from '../texts/frame.js'

/** Counts down to a market’s opening or close. */
export function TimeLeft({
  market,
}: {
  readonly market: Pick<ListedMarket, 'status' | 'start_date' | 'end_date'>
}) {
  const now = secondClock.value
  const { status, start_date, end_date } = market
  if (status === 'scheduled') {
    return (
      <span title={dayTimeText(start_date)}>{t.opensIn(timeLeftText(Date.parse(start_date) - now))}</span>
    )
  }
  if (status === 'open' || status === 'halted') {
    return (
      <>
        <span title={dayTimeText(end_date)}>{t.endsIn(timeLeftText(Date.parse(end_date) - now))}</span>
        {status === 'halted' && <span class="tag tag-warn">{t.halted}</span>}
      </>
    )
  }
  return <span>{t.ended}</span>
}
