import { z } from 'zod'
import { LIMITS } from './limits.js'
import { momentText } from './moment.js'
import { wholeNumber } from './whole-number.js'

/** Selects a page of a list. */
export const pageQuery = z.object({
  limit: wholeNumber(1, LIMITS.pageLengthMax)
    .default(LIMITS.pageLengthDefault)
    .meta({ description: 'Maximum rows per page', default: LIMITS.pageLengthDefault }),
  cursor: z.string().optional().meta({ description: 'The next_cursor of the page before' }),
})

/** Limits a list to rows from one moment up to, but not including, another. */
export const rangeQuery = z.object({
  from: momentText
    .optional()
    .meta({ description: 'Only rows at or after this time: ISO 8601 or epoch milliseconds' }),
  to: momentText.optional().meta({ description: 'Only rows before this time' }),
})
/** Query of a list of past events. */
export const rangedPage = z.object({ ...rangeQuery.shape, ...pageQuery.shape })
