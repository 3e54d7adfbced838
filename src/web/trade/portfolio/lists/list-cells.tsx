import { dayTimeText } from '../../../kit/time-texts.js'
import { t } from '../../../texts/portfolio.js'

/** The date and time of a row. */
export function timeColumn<Row>(timeOf: (row: Row) => string) {
  return {
    id: 'time',
    label: t.time,
    kind: 'number',
    sortBy: timeOf,
    cell: (row: Row) => dayTimeText(timeOf(row)),
  } as const
}
