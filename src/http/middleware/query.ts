import type { Context } from 'hono'
import { ApiError } from '../../api/api-error.js'
import { LIMITS } from '../../api/limits.js'
import { pageQuery } from '../../api/page-query.js'
import { REFUSED } from '../../api/refusal-texts.js'
import { validate } from '../../api/validation.js'
import { busy } from './capacity-refusal.js'
import { envelopeText, outboxFull } from './envelope.js'
import { hasRoom } from './outbox.js'
import { nextTurn } from './page-turns.js'

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
  c: Context,
  read: (cursor: string) => Place | undefined,
  query = pageQuery,
): Page<Place> {
  if (!hasRoom(c)) throw outboxFull()
  const { limit, cursor } = validate(query, c.req.query())
  const after = cursor === undefined ? undefined : read(cursor)
  if (cursor !== undefined && after === undefined) {
    throw new ApiError(422, REFUSED.cursorUnknown)
  }
  return { limit, after }
}

/** The rows behind a page, and how to show them. */
interface ListRows<Row> {
  readonly message: string
  /** Name of the rows in the answer. */
  readonly field: string
  /** Rows in order, one more than `limit` if the list continues; read as the page is written. */
  readonly rows: Iterable<Row> | AsyncIterable<Row>
  readonly limit: number
  readonly view: (row: Row) => unknown
  /** Returns the cursor of the page that follows a row. */
  readonly cursorOf: (row: Row) => string
  /** Fields of the answer beside the rows. */
  readonly about?: object
  /** Cursor of the page after the last row, if the list continues; none by default. */
  readonly next?: string | null
}

/**
 * Sends a page: it ends at `limit` rows or `pageBytesMax` of text, whichever is first, and has at least one
 * row. A row is serialized once, and only if it may fit, so a page of long rows costs no more than one of
 * short rows. Pages take turns, since each takes some milliseconds.
 */
export async function answerPage<Row>(c: Context, list: ListRows<Row>): Promise<Response> {
  const turn = nextTurn()
  if (turn === undefined) throw busy('reads_full')
  await turn
  const { message, field, rows, limit, view, cursorOf, about = {} } = list
  const texts: string[] = []
  let bytes = 0
  let last: Row | undefined
  let next = list.next ?? null
  for await (const row of rows) {
    const text = texts.length < limit ? JSON.stringify(view(row)) : ''
    bytes += Buffer.byteLength(text) + 1
    const isFull = texts.length === limit || bytes > LIMITS.pageBytesMax
    if (isFull && last !== undefined) {
      next = cursorOf(last)
      break
    }
    texts.push(text)
    last = row
  }
  const others = JSON.stringify({ ...about, next_cursor: next }).slice(1)
  const additional = `{"${field}":[${texts.join()}],${others}`
  const text = `{"status":true,"code":200,"message":"${message}","additional":${additional}}`
  return envelopeText(c, 200, text, {})
}
