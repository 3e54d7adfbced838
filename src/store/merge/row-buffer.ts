import type { Database, Statement } from '../database.js'

export type Cell = number | string | null

/** Rows per statement: fewer statements cost less time, and more rows than these gain little. */
const ROWS_PER_STATEMENT = 8

/**
 * New rows of one table that wait for the next flush. `OR ROLLBACK`: with the default, `OR ABORT`, SQLite
 * would keep a journal of each statement of several rows, 7 KB an order, to undo the statement alone.
 */
export class RowBuffer {
  readonly #insertOne: Statement
  readonly #insertMany: Statement
  #rows: (readonly Cell[])[] = []

  /** @param table its name, then its columns where a row does not have them in the table's order */
  constructor(database: Database, table: string, width: number) {
    const row = `(${Array.from({ length: width }, () => '?').join(', ')})`
    const insert = (count: number) =>
      database.prepare(
        `INSERT OR ROLLBACK INTO ${table} VALUES ${Array.from({ length: count }, () => row).join(', ')}`,
      )
    this.#insertOne = insert(1)
    this.#insertMany = insert(ROWS_PER_STATEMENT)
  }

  add(row: readonly Cell[]): void {
    this.#rows.push(row)
  }

  flush(): void {
    const rows = this.#rows
    let next = 0
    for (; next + ROWS_PER_STATEMENT <= rows.length; next += ROWS_PER_STATEMENT)
      this.#insertMany.run(...rows.slice(next, next + ROWS_PER_STATEMENT))
    for (const row of rows.slice(next)) this.#insertOne.run(row)
    this.#rows = []
  }
}
