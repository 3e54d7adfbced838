import type { Role } from '../../../api/auth/auth-shape.js'
import { callAuth } from '../../auth/auth-client.js'

export interface AuditLine {
  readonly id: number
  readonly at: string
  readonly kind: string
  readonly name: string
  readonly by: string
  readonly address: string
  readonly detail: string
  readonly times: number
}

/** The roles, each with the rights of those before it. */
export const ROLES: readonly Role[] = ['viewer', 'trader', 'operator', 'admin']

const PAGE_LENGTH_MAX = 200

/** Fetches the first accounts or audit lines, page by page. Rejects with RaayError. */
export async function fetchList<Row>(
  list: 'users' | 'audit',
  query: Readonly<Record<string, string | undefined>>,
  limit: number,
): Promise<readonly Row[]> {
  const rows: Row[] = []
  let cursor: string | undefined
  do {
    const page = { ...query, cursor, limit: Math.min(PAGE_LENGTH_MAX, limit - rows.length) }
    const answer = await callAuth<Answer<Row>>('GET', `/${list}`, { query: page })
    for (const row of answer.users ?? answer.lines ?? []) rows.push(row)
    cursor = answer.next_cursor ?? undefined
  } while (cursor !== undefined && rows.length < limit)
  return rows
}

interface Answer<Row> {
  readonly users?: readonly Row[]
  readonly lines?: readonly Row[]
  readonly next_cursor: string | null
}
