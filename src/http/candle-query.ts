import { z } from 'zod'
import type { TimeMs } from '../core/units.js'
import type { CandleRange } from '../exchange/candles.js'
import { dateTime, validate } from './validation.js'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const INTERVALS = { '1m': MINUTE, '5m': 5 * MINUTE, '15m': 15 * MINUTE, '1h': HOUR, '1d': 24 * HOUR } as const

/** The query of `GET /events/:code/candles` (semantics 2). */
export const candleQuery = z
  .object({
    interval: z
      .enum(['1m', '5m', '15m', '1h', '1d'])
      .default('1m')
      .meta({ description: 'How long a candle is, counted from midnight UTC' }),
    from: dateTime.refine(isSince1970, 'Expected a time since 1970').optional().meta({
      description: 'The first candle begins with the interval of it; by default 500 intervals before to',
    }),
    to: dateTime
      .refine(isSince1970, 'Expected a time since 1970')
      .optional()
      .meta({ description: 'The first moment after the last candle; by default now' }),
  })
  .refine(({ from, to }) => from === undefined || to === undefined || Date.parse(to) > Date.parse(from), {
    path: ['to'],
    message: 'Expected a time after from',
  })

/** Reads which candles are wanted. Throws 422. */
export function candleRangeIn(query: Readonly<Record<string, string>>): CandleRange {
  const { interval, from, to } = validate(candleQuery, query)
  return { intervalMs: INTERVALS[interval], from: timeOf(from), to: timeOf(to) }
}

function timeOf(text: string | undefined): TimeMs | undefined {
  return text === undefined ? undefined : (Date.parse(text) as TimeMs)
}

function isSince1970(text: string): boolean {
  return Date.parse(text) >= 0
}
