import { z } from 'zod'
import { momentText, rangeCheck, timeOf } from '../../api/moment.js'
import { validate } from '../../api/validation.js'
import type { TimeRange } from '../../store/rows/time-range.js'
import { pageQuery } from './query.js'

/** From when on and before when the rows of a list are. */
const rangeQuery = z.object({
  from: momentText
    .optional()
    .meta({ description: 'Only rows of this time or later: ISO 8601, or epoch milliseconds' }),
  to: momentText.optional().meta({ description: 'Only rows before this time' }),
})
/** The query of a list of what happened. */
export const rangedPage = z.object({ ...rangeQuery.shape, ...pageQuery.shape })
const checkedRange = rangeQuery.refine(...rangeCheck)

/** Reads `from` and `to` of a list. Throws 422. */
export function rangeIn(query: Readonly<Record<string, string>>): TimeRange {
  const { from, to } = validate(checkedRange, query)
  return {
    from: from === undefined ? undefined : timeOf(from),
    to: to === undefined ? undefined : timeOf(to),
  }
}
