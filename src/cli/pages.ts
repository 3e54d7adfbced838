import type { Server } from './client.js'
import { call } from './client.js'

const PAGE_LENGTH = 1000

/** Rows of a list. */
export interface Rows<Row> {
  readonly rows: Row[]
  /** There are more of them than were asked for. */
  readonly hasMore: boolean
}

/**
 * The rows of a list, however many pages they fill, up to so many.
 *
 * @param name what the answer calls its rows
 */
export async function allPages<Row>(
  server: Server,
  path: string,
  filter: Readonly<Record<string, string>>,
  name: string,
  lengthMax = Number.POSITIVE_INFINITY,
): Promise<Rows<Row>> {
  const rows: Row[] = []
  let cursor: string | null = null
  do {
    const query = new URLSearchParams({
      ...filter,
      limit: String(Math.min(PAGE_LENGTH, lengthMax - rows.length)),
    })
    if (cursor !== null) query.set('cursor', cursor)
    const page = (await call(server, 'GET', `${path}?${query}`)) as Page<Row>
    rows.push(...(page[name] as Row[]))
    cursor = page.next_cursor
  } while (cursor !== null && rows.length < lengthMax)
  return { rows, hasMore: cursor !== null }
}

type Page<Row> = { readonly next_cursor: string | null } & Readonly<Record<string, Row[] | string | null>>
