import { z } from 'zod'
import type { TimeMs } from '../core/units.js'

const EXPECTED = 'Expected an ISO 8601 date-time like 2026-01-31T18:30:00.000Z, or epoch milliseconds'
const EPOCH_MS = /^\d{1,15}$/

/** A moment in a query: ISO 8601 with a zone, or epoch milliseconds; not before 1970. */
export const momentText = z
  .union([z.iso.datetime({ offset: true }), z.string().regex(EPOCH_MS)], {
    error: ({ input }) => (input === undefined ? undefined : EXPECTED),
  })
  .refine(text => timeOf(text) >= 0, 'Expected a time since 1970')

/** Converts a moment that has passed validation. */
export function timeOf(text: string): TimeMs {
  return (EPOCH_MS.test(text) ? Number(text) : Date.parse(text)) as TimeMs
}

/** Arguments for `refine` that refuse a range ending before it begins. */
export const rangeCheck: readonly [typeof isForward, { path: string[]; message: string }] = [
  isForward,
  { path: ['to'], message: 'Expected a time after from' },
]

function isForward({ from, to }: Readonly<Partial<Record<'from' | 'to', string | undefined>>>): boolean {
  return from === undefined || to === undefined || timeOf(to) > timeOf(from)
}
