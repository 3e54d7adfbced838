import type { MarketStatus } from '../api/events/event-shape.js'
import { LIMITS } from '../api/limits.js'
import type { Rest } from './rest.js'

const LIMIT_DEFAULT = 1000

/** Limits a list, to 1,000 rows by default; it is fetched page by page. */
export interface ListOptions {
  readonly limit?: number | undefined
}

/** Limits rows to a range of time, ISO 8601 or epoch milliseconds; the end is excluded. */
export interface TimeOptions {
  readonly from?: string | number | undefined
  readonly to?: string | number | undefined
}

/** Limits rows to a range of time, and to one event. */
export interface PastQuery extends ListOptions, TimeOptions {
  readonly event_id?: string | undefined
}

/** Which events, and in which order; by code unless sorted. */
export interface MarketQuery extends ListOptions {
  readonly status?: MarketStatus | 'trading' | 'ended'
  readonly sot?: string
  readonly category?: string
  readonly q?: string
  readonly sort?: 'trending' | 'movers' | 'volume' | 'closing' | 'ended' | 'newest'
  /** Only these events, at most 200 codes separated by commas. */
  readonly event_ids?: string
}

/** Which users to list, and in which order. */
export interface UserListOptions extends ListOptions {
  /** A part of the user id, in any case. */
  readonly q?: string | undefined
  readonly sort?:
    | 'created'
    | 'userid'
    | 'cash'
    | 'held'
    | 'available'
    | 'profit'
    | 'volume'
    | 'last_seen'
    | undefined
  readonly order?: 'asc' | 'desc' | undefined
  readonly only?: 'suspended' | 'limited' | undefined
  /** Adds profit, volume and the last activity of each. */
  readonly figures?: 'yes' | 'no' | undefined
}

interface ListCall {
  readonly path: string
  /** Name of the rows in an answer. */
  readonly field: string
  readonly query?: Readonly<Record<string, string | number | undefined>>
  readonly limit?: number | undefined
  readonly headers?: Readonly<Record<string, string>>
  /** Ends the list early: no page is fetched after a row for which this is true. */
  readonly isLast?: (row: never) => boolean
}

/** Returns the rows of a list from its beginning, up to the limit. */
export async function listRows<T>(rest: Rest, call: ListCall): Promise<T[]> {
  const { path, field, query = {}, headers = {}, limit = LIMIT_DEFAULT } = call
  const isLast = (call.isLast ?? (() => false)) as (row: T) => boolean
  const rows: T[] = []
  let cursor: string | undefined
  while (rows.length < limit) {
    const wanted = Math.min(limit - rows.length, LIMITS.pageLengthMax)
    const answer = await rest.call<{ readonly next_cursor: string | null }>({
      method: 'GET',
      path,
      query: { ...query, limit: wanted, cursor },
      headers,
    })
    const page = (answer as unknown as Readonly<Record<string, readonly T[]>>)[field] ?? []
    for (const row of page) rows.push(row)
    if (answer.next_cursor === null || page.some(isLast)) break
    cursor = answer.next_cursor
  }
  return rows
}

/** Returns the list of an event's trades. */
export function tradesOf(code: string) {
  return { path: `/events/${encodeURIComponent(code)}/trades`, field: 'trades' }
}
