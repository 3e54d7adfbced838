import type { ComponentChildren } from 'preact'
import { dayTimeText } from '../../kit/time-texts.js'
import { t } from '../../texts/admin-log.js'
import type { Column } from '../../kit/table.jsx'

/** How a line of a log is shown, and written in CSV. */
interface LogLine<Line> {
  readonly timeOf: (line: Line) => string
  readonly what: (line: Line) => ComponentChildren
  readonly whatText: (line: Line) => string
  readonly details: (line: Line) => ComponentChildren
  readonly detailsText: (line: Line) => string
  readonly by: (line: Line) => string
  readonly address: (line: Line) => string
}

/** Returns the columns of a log: of operators’ actions, or of the audit. */
export function logColumns<Line>(line: LogLine<Line>): readonly Column<Line>[] {
  const { timeOf, what, whatText, details, detailsText, by, address } = line
  return [
    {
      ...{ id: 'time', label: t.time, isRoomy: true },
      cell: row => <span class="log-time">{dayTimeText(timeOf(row))}</span>,
      csv: timeOf,
    },
    {
      ...{ id: 'what', label: t.what },
      cell: row => (
        <>
          {what(row)}
          <div class="narrow-only">
            {details(row)}
            <small>
              {[dayTimeText(timeOf(row)), by(row), address(row)].filter(text => text !== '').join(' · ')}
            </small>
          </div>
        </>
      ),
      csv: whatText,
    },
    { ...{ id: 'details', label: t.details, isRoomy: true }, cell: details, csv: detailsText },
    { ...{ id: 'by', label: t.by, kind: 'name', isRoomy: true }, cell: by, csv: by },
    { ...{ id: 'address', label: t.address, kind: 'name', isRoomy: true }, cell: address, csv: address },
  ]
}
