import type { Context } from 'hono'
import { ApiError } from './envelope.js'

const LIMIT_DEFAULT = 100
const LIMIT_MAX = 1000
const DEPTH_MAX = 10_000

/** `limit` and `cursor` of a list. A cursor is what the page before gave as `next_cursor`. Throws 422. */
export function pageOf(c: Context): { readonly limit: number; readonly after: number } {
  return {
    limit: wholeNumber(c, 'limit', 1, LIMIT_MAX) ?? LIMIT_DEFAULT,
    after: wholeNumber(c, 'cursor', 0, Number.MAX_SAFE_INTEGER) ?? 0,
  }
}

/** How many levels a side to show; all of them by default. Throws 422. */
export function depthOf(c: Context): number {
  return wholeNumber(c, 'depth', 1, DEPTH_MAX) ?? DEPTH_MAX
}

function wholeNumber(c: Context, field: string, min: number, max: number): number | undefined {
  const text = c.req.query(field)
  if (text === undefined) return undefined
  const value = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN
  if (value >= min && value <= max) return value
  const expected =
    field === 'cursor' ? 'Expected the next_cursor of a page before' : `Expected ${min} to ${max}`
  throw new ApiError(422, `${field}: ${expected}`)
}
