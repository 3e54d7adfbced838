import type { Context } from 'hono'
import { ApiError } from './envelope.js'

const LIMIT_DEFAULT = 100
const LIMIT_MAX = 1000
const DEPTH_MAX = 10_000

/** Where a page of a list begins, behind the place that the page before ended at, and its length at most. */
export interface Page<Place> {
  readonly limit: number
  readonly after: Place | undefined
}

/**
 * `limit` and `cursor` of a list. A cursor is what the page before gave as `next_cursor`; to clients it is
 * opaque. Throws 422.
 *
 * @param read the place that a cursor names, undefined where it is no cursor
 */
export function pageOf<Place>(c: Context, read: (cursor: string) => Place | undefined): Page<Place> {
  const limit = wholeNumber(c, 'limit', 1, LIMIT_MAX) ?? LIMIT_DEFAULT
  const cursor = c.req.query('cursor')
  const after = cursor === undefined ? undefined : read(cursor)
  if (cursor !== undefined && after === undefined) {
    throw new ApiError(422, 'cursor: Expected the next_cursor of a page before')
  }
  return { limit, after }
}

/**
 * Cuts a page from what was read for it: one row more than it may have, where there are so many, which says
 * that there is a next page.
 */
export function cutPage<Row>(
  rows: readonly Row[],
  limit: number,
  cursorOf: (last: Row) => string,
): { readonly page: readonly Row[]; readonly next_cursor: string | null } {
  const page = rows.slice(0, limit)
  const last = rows.length > limit ? page.at(-1) : undefined
  return { page, next_cursor: last === undefined ? null : cursorOf(last) }
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
  throw new ApiError(422, `${field}: Expected ${min} to ${max}`)
}
