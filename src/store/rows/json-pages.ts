import type { Database } from '../database.js'

const PAGE_LENGTH = 1024

/**
 * Yields the rows of a query by the column that it is ordered by, a page at a time: SQLite returns each page
 * as one JSON text, in a third of the time that it takes to return value by value.
 *
 * @param query selects rows `WHERE key > ? ORDER BY key`
 */
export function* jsonPages<Row>(database: Database, query: string, key: keyof Row & string): Generator<Row> {
  const names = database.prepare(query).columns()
  const pairs = names.map(({ name }) => `'${name}', ${name}`).join(', ')
  const sql = `SELECT json_group_array(json_object(${pairs})) FROM (${query} LIMIT ${PAGE_LENGTH})`
  const select = database.prepare<unknown[], string>(sql).pluck()
  let after: unknown = 0
  for (let length = PAGE_LENGTH; length === PAGE_LENGTH; ) {
    const rows = JSON.parse(select.get(after) ?? '[]') as Row[]
    yield* rows
    length = rows.length
    after = rows.at(-1)?.[key]
  }
}
