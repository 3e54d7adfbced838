import type { z } from 'zod'
import { ApiError } from '../../api/api-error.js'
import { pageQuery } from '../../api/page-query.js'
import { REFUSED } from '../../api/refusal-texts.js'
import { validate } from '../../api/validation.js'
import type { CallContext } from './envelope.js'
import { outboxFull } from './envelope.js'
import { hasRoom } from './outbox.js'

/** The output of each schema for a request without a query. */
const withoutQuery = new WeakMap<z.ZodObject, object>()

/** Validates a request's query; only once for all requests without one. Throws 422. */
export function queryOf<Schema extends z.ZodObject>(
  { c }: CallContext,
  schema: Schema,
): Readonly<z.output<Schema>> {
  if (c.req.url.includes('?')) return validate(schema, c.req.query())
  const known = withoutQuery.get(schema) ?? validate(schema, {})
  withoutQuery.set(schema, known)
  return known as z.output<Schema>
}

/** Start of a page, after the last place of the page before, and its maximum length. */
export interface Page<Place> {
  readonly limit: number
  readonly after: Place | undefined
}

/**
 * Reads `limit` and `cursor` of a list. A cursor is the previous page's `next_cursor`, opaque to clients.
 * Throws 422, and 503 if there is no room for a page now.
 *
 * @param read the place that a cursor names, undefined where it is no cursor
 */
export function pageOf<Place>(
  call: CallContext,
  read: (cursor: string) => Place | undefined,
  query = pageQuery,
): Page<Place> {
  if (!hasRoom(call.c)) throw outboxFull()
  return askedPage(call, read, query)
}

/** Reads the same for a page that may be kept already, and then needs no room. Throws 422. */
export function askedPage<Place>(
  call: CallContext,
  read: (cursor: string) => Place | undefined,
  query = pageQuery,
): Page<Place> {
  const { limit, cursor } = queryOf(call, query)
  const after = cursor === undefined ? undefined : read(cursor)
  if (cursor !== undefined && after === undefined) {
    throw new ApiError(422, REFUSED.cursorUnknown)
  }
  return { limit, after }
}
