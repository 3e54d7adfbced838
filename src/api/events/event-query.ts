import { z } from 'zod'
import { MARKET_STATUSES } from '../../core/market.js'
import { plainCategory } from '../../core/plain-name.js'
import { LIMITS } from '../limits.js'
import { wholeNumber } from '../whole-number.js'

const IDS_FAULT = `Expected at most ${LIMITS.eventIdsMax} event codes, separated by commas`
const EVENT_IDS = new RegExp(`^[1-9]\\d{6}(?:,[1-9]\\d{6}){0,${LIMITS.eventIdsMax - 1}}$`)

export const EVENT_SORTS = ['trending', 'movers', 'volume', 'closing', 'ended', 'newest'] as const

/** The query of `GET /events`, apart from paging. */
export const eventListQuery = z.object({
  status: z
    .enum([...MARKET_STATUSES, 'trading', 'ended'])
    .optional()
    .meta({
      description: '`trading`: `scheduled`, `open` or `halted`; `ended`: any other status',
    }),
  sort: z
    .enum(EVENT_SORTS)
    .optional()
    .meta({
      description:
        'By code unless given. First come, with `trending`, the highest volumes of the last 24 hours; with ' +
        '`movers` the largest changes of the price in that time; with `volume` the highest volumes; with ' +
        '`closing` the earliest ends; with `ended` the latest ends or results; with `newest` the newest. ' +
        'An event that moves while pages are read may be missing or listed twice',
    }),
  event_ids: z
    .string()
    .regex(EVENT_IDS, IDS_FAULT)
    .transform(text => text.split(',').map(Number))
    .optional()
    .meta({ description: `Only these events: at most ${LIMITS.eventIdsMax} codes, separated by commas` }),
  trend: z
    .enum(['yes', 'no'])
    .optional()
    .meta({ description: '`yes` adds the prices of the last 24 hours to each event; `no` is the default' }),
  sot: z.string().optional().meta({ description: 'Source of truth, spelled as in the event' }),
  category: z
    .string()
    .transform(plainCategory)
    .optional()
    .meta({ description: 'Category; upper and lower case are the same' }),
  q: z
    .string()
    .max(LIMITS.searchLengthMax, `Expected at most ${LIMITS.searchLengthMax} characters`)
    .optional()
    .meta({
      description:
        'Words of the title, or their beginnings; case, accents and order do not matter, and the longest 8 ' +
        'words count',
    }),
  description: z
    .enum(['yes', 'no'])
    .optional()
    .meta({ description: '`no` leaves the description out of each event; `yes`, the default, does not' }),
})

export type EventListQuery = z.output<typeof eventListQuery>
export type EventSort = (typeof EVENT_SORTS)[number]

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
