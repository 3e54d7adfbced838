import type { Database, Statement } from '../database.js'

type Cell = number | string | null

/** A call of SQLite costs as much as a short row; more rows a statement gain little. */
const ROWS_PER_STATEMENT = 8

/** New rows of one table that wait for the next flush. */
export class RowBuffer {
  readonly #width: number
  readonly #insertOne: Statement
  readonly #insertMany: Statement
  #cells: Cell[] = []

  /**
   * @param table its name, then its columns where a row does not have them in the table's order
   * @param width the number of columns
   * @param conflict what happens to a row that is there already. `ROLLBACK` spares SQLite the journal with
   * which it could undo a single statement of several rows.
   */
  constructor(
    database: Database,
    table: string,
    width: number,
    conflict: 'ROLLBACK' | 'REPLACE' = 'ROLLBACK',
  ) {
    const list = (count: number, what: string) => Array.from({ length: count }, () => what).join(', ')
    const insert = (count: number) =>
      database.prepare(`INSERT OR ${conflict} INTO ${table} VALUES ${list(count, `(${list(width, '?')})`)}`)
    this.#width = width
    this.#insertOne = insert(1)
    this.#insertMany = insert(ROWS_PER_STATEMENT)
  }

  /** Adds a row, bounded by its columns; the cells are in their order. */
  add(...cells: Cell[]): void {
    for (const cell of cells) this.#cells.push(cell)
  }

  /** Writes the rows that fill statements; a few may stay. */
  flushFull(): void {
    const cells = this.#cells
    const length = ROWS_PER_STATEMENT * this.#width
    if (cells.length < length) return
    let next = 0
    for (; next + length <= cells.length; next += length)
      this.#insertMany.run(...cells.slice(next, next + length))
    this.#cells = cells.slice(next)
  }

  flush(): void {
    this.flushFull()
    const cells = this.#cells
    for (let next = 0; next < cells.length; next += this.#width)
      this.#insertOne.run(...cells.slice(next, next + this.#width))
    this.#cells = []
  }
}
