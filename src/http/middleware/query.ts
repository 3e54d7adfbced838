import type { Context } from 'hono'
import { ApiError } from '../../api/api-error.js'
import { pageQuery } from '../../api/page-query.js'
import { validate } from '../../api/validation.js'
import { busy } from './capacity-refusal.js'
import { envelopeText, outboxFull } from './envelope.js'
import { hasRoom } from './outbox.js'
import { nextTurn } from './turns.js'

/** A page holds no more text than this, whatever its rows are: about 10 ms of the main thread. */
const PAGE_BYTES_MAX = 1_000_000

/** Where a page of a list begins, behind the place that the page before ended at, and its length at most. */
export interface Page<Place> {
  readonly limit: number
  readonly after: Place | undefined
}

/**
 * `limit` and `cursor` of a list. A cursor is what the page before gave as `next_cursor`; to clients it is
 * opaque. Throws 422, and 503 where there is no room for a page now.
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
    throw new ApiError(422, 'cursor: Expected the next_cursor of a page before')
  }
  return { limit, after }
}

/** What a page is cut from, and how it is shown. */
interface ListRows<Row> {
  readonly message: string
  /** The name of the rows in the answer. */
  readonly field: string
  /** In their order, one more than `limit` where the list goes on; read when the page is written. */
  readonly rows: Iterable<Row> | AsyncIterable<Row>
  readonly limit: number
  readonly view: (row: Row) => unknown
  /** The cursor of the page that follows a row. */
  readonly cursorOf: (row: Row) => string
  /** What the answer says beside the rows. */
  readonly about?: object
  /** Where the list goes on behind the last of the rows; nowhere by default. */
  readonly next?: string | null
}

/**
 * Answers a page: it ends at `limit` rows or PAGE_BYTES_MAX of text, whichever comes first, and has one row
 * at least. A row is written as text once and only if it may be on the page, so a page of long rows costs no
 * more than one of short rows. Pages take turns, for each takes some milliseconds.
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
    const isFull = texts.length === limit || bytes > PAGE_BYTES_MAX
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
