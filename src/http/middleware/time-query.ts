import { rangeCheck, timeOf } from '../../api/moment.js'
import { rangeQuery } from '../../api/page-query.js'
import { validate } from '../../api/validation.js'
import type { TimeRange } from '../../store/rows/time-range.js'

const checkedRange = rangeQuery.refine(...rangeCheck)

/** Returns the range of a list from `from` and `to`. Throws 422. */
export function rangeIn(query: Readonly<Record<string, string>>): TimeRange {
  const { from, to } = validate(checkedRange, query)
  return {
    from: from === undefined ? undefined : timeOf(from),
    to: to === undefined ? undefined : timeOf(to),
  }
}
