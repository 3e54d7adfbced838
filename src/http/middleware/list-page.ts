import { LIMITS } from '../../api/limits.js'
import { busy } from '../../doors/capacity-refusal.js'
import type { CallContext } from './envelope.js'
import { envelopeText } from './envelope.js'
import { nextTurn } from './page-turns.js'

/** The rows behind a page, and how to show them. */
export interface ListRows<Row> {
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
  /** The most text of the rows; `pageBytesMax` by default. */
  readonly bytesMax?: number
  /** Cursor of the page after the last row, if the list continues; none by default. */
  readonly next?: string | null
}

/** Sends a page. */
export async function answerPage<Row>(call: CallContext, list: ListRows<Row>): Promise<Response> {
  return envelopeText(call, 200, await writePage(call, () => list), {})
}

/**
 * Returns the text of a page: it ends at `limit` rows or `bytesMax` of text, whichever is first, and has
 * at least one row. A row is serialized once, and only if it may fit, so a page of long rows costs no more
 * than one of short rows. Pages take turns, since each takes some milliseconds. Throws 503 if too many wait.
 *
 * @param read returns the list when the page has its turn
 */
export async function writePage<Row>({ c }: CallContext, read: () => ListRows<Row>): Promise<string> {
  const { pageTurns } = (c.env ?? {}) as { readonly pageTurns?: (work: () => void) => void }
  const turn = nextTurn(pageTurns)
  if (turn === undefined) throw busy('reads_full')
  await turn
  const list = read()
  const { message, field, rows, limit, view, cursorOf, about = {}, bytesMax = LIMITS.pageBytesMax } = list
  const texts: string[] = []
  let bytes = 0
  let last: Row | undefined
  let next = list.next ?? null
  for await (const row of rows) {
    const text = texts.length < limit ? JSON.stringify(view(row)) : ''
    bytes += Buffer.byteLength(text) + 1
    const isFull = texts.length === limit || bytes > bytesMax
    if (isFull && last !== undefined) {
      next = cursorOf(last)
      break
    }
    texts.push(text)
    last = row
  }
  const others = JSON.stringify({ ...about, next_cursor: next }).slice(1)
  const additional = `{"${field}":[${texts.join()}],${others}`
  return `{"status":true,"code":200,"message":"${message}","additional":${additional}}`
}
