import { z } from 'zod'
import { LIMITS } from '../limits.js'
import { wholeNumber } from '../whole-number.js'
import { eventStatus } from './event-answer.js'

/** The query of `GET /events`, apart from paging. */
export const eventListQuery = z.object({
  status: eventStatus.optional(),
  sot: z.string().optional().meta({ description: 'Source or type, spelled as in the event' }),
  q: z
    .string()
    .max(LIMITS.searchLengthMax, `Expected at most ${LIMITS.searchLengthMax} characters`)
    .optional()
    .meta({ description: 'Words of the title, or their beginnings; case, accents and order do not matter' }),
  description: z
    .enum(['yes', 'no'])
    .optional()
    .meta({ description: '`no` leaves the description out of each event; `yes`, the default, does not' }),
})

export type EventListQuery = z.output<typeof eventListQuery>

/** The query of `GET /events/tradeSummary` (specification 4.2). */
export const tradeSummaryQuery = z.object({
  eventId: z.string().min(1, 'Required').meta({ description: 'The event code' }),
})

/** The query of `GET /events/:code/orderbook`. */
export const orderBookQuery = z.object({
  depth: wholeNumber(1, LIMITS.bookDepthMax)
    .default(LIMITS.bookDepthMax)
    .meta({ description: 'Maximum levels per side, best first', default: LIMITS.bookDepthMax }),
})
