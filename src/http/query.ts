import type { Context } from 'hono'
import { z } from 'zod'
import { ApiError } from './envelope.js'
import { validate } from './validation.js'
import { wholeNumber } from './whole-number.js'

const LIMIT_DEFAULT = 100
const LIMIT_MAX = 1000

/** Which page of a list. */
export const pageQuery = z.object({
  limit: wholeNumber(1, LIMIT_MAX)
    .default(LIMIT_DEFAULT)
    .meta({ description: 'The most rows of a page', default: LIMIT_DEFAULT }),
  cursor: z.string().optional().meta({ description: 'The next_cursor of the page before' }),
})

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
  const { limit, cursor } = validate(pageQuery, c.req.query())
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
