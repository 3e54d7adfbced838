import { z } from 'zod'
import type { CandleRange } from '../../core/records/trade-record.js'
import { momentText, rangeCheck, timeOf } from '../moment.js'
import { validate } from '../validation.js'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const INTERVALS = { '1m': MINUTE, '5m': 5 * MINUTE, '15m': 15 * MINUTE, '1h': HOUR, '1d': 24 * HOUR } as const

/** The query of `GET /events/:code/candles` (specification 11). */
export const candleQuery = z
  .object({
    interval: z
      .enum(['1m', '5m', '15m', '1h', '1d'])
      .default('1m')
      .meta({ description: 'Length of a candle; intervals start at midnight UTC' }),
    from: momentText.optional().meta({
      description:
        'Start: the first candle is the one that contains it; by default 500 intervals before `to`',
    }),
    to: momentText.optional().meta({ description: 'End, exclusive; by default now' }),
  })
  .refine(...rangeCheck)

/** Returns the requested range of candles. Throws 422. */
export function candleRangeIn(query: Readonly<Record<string, string>>): CandleRange {
  const { interval, from, to } = validate(candleQuery, query)
  const time = (text: string | undefined) => (text === undefined ? undefined : timeOf(text))
  return { intervalMs: INTERVALS[interval], from: time(from), to: time(to) }
}
