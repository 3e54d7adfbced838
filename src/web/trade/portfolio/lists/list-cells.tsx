import { dayTimeText } from '../../../kit/time-texts.js'
import { t } from '../../../texts/portfolio.js'
import { MarketLink } from '../../market-link.jsx'

interface MarketAndTimeProps {
  readonly eventId: string
  readonly at: string
}

/** A market, and on narrow screens the time below it. */
export function MarketAndTime({ eventId, at }: MarketAndTimeProps) {
  return (
    <>
      <MarketLink eventId={eventId} />
      <small class="narrow-only">{dayTimeText(at)}</small>
    </>
  )
}

/** The date and time of a row, in a column of its own where there is room. */
export function timeColumn<Row>(timeOf: (row: Row) => string) {
  return {
    id: 'time',
    label: t.time,
    isRoomy: true,
    kind: 'number',
    sortBy: timeOf,
    cell: (row: Row) => dayTimeText(timeOf(row)),
  } as const
}
