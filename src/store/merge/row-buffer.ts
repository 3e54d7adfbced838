import type { Database, Statement } from '../database.js'

type Cell = number | string | null

/** A call of SQLite costs as much as a short row; more rows a statement gain little. */
const ROWS_PER_STATEMENT = 8

const ROWS_FIRST = 64
/** They stand for cells that are not numbers: all numbers of the tables are finite. */
const TEXT = Number.NaN
const NULL = Number.POSITIVE_INFINITY

interface RowShape {
  /** The number of columns. */
  readonly width: number
  /**
   * Says what happens to a row that is there already. `ROLLBACK`, the default, spares SQLite the journal with
   * which it could undo a single statement of several rows.
   */
  readonly conflict?: 'ROLLBACK' | 'REPLACE'
}

/**
 * New rows of one table that wait for the next flush. Their numbers are kept outside the heap of JavaScript:
 * thousands of rows that live a while cost its collector more than their writing.
 */
export class RowBuffer {
  readonly #insertOne: Statement
  readonly #insertMany: Statement
  #cells: Float64Array
  #length = 0
  /** The texts among the cells, in their order. */
  #texts: string[] = []
  /** The values of one statement; kept from one to the next. */
  readonly #one: Cell[]
  readonly #many: Cell[]

  /**
   * @param table its name, then its columns where a row does not have them in the table's order
   */
  constructor(database: Database, table: string, { width, conflict = 'ROLLBACK' }: RowShape) {
    const list = (count: number, what: string) => Array.from({ length: count }, () => what).join(', ')
    const insert = (count: number) =>
      database.prepare(`INSERT OR ${conflict} INTO ${table} VALUES ${list(count, `(${list(width, '?')})`)}`)
    this.#insertOne = insert(1)
    this.#insertMany = insert(ROWS_PER_STATEMENT)
    this.#cells = new Float64Array(ROWS_FIRST * width)
    this.#one = new Array<Cell>(width).fill(null)
    this.#many = new Array<Cell>(ROWS_PER_STATEMENT * width).fill(null)
  }

  /** Adds a row, bounded by its columns; the cells are in their order. */
  add(...cells: readonly Cell[]): void {
    let next = this.#length
    if (next + cells.length > this.#cells.length) this.#grow()
    const kept = this.#cells
    for (let index = 0; index < cells.length; index++) {
      const cell = cells[index] as Cell
      if (typeof cell === 'number') kept[next] = cell
      else if (cell === null) kept[next] = NULL
      else {
        kept[next] = TEXT
        this.#texts.push(cell)
      }
      next++
    }
    this.#length = next
  }

  /** Writes the rows that fill statements; a few may stay. */
  flushFull(): void {
    this.#write(this.#insertMany, this.#many)
  }

  flush(): void {
    this.#write(this.#insertMany, this.#many)
    this.#write(this.#insertOne, this.#one)
  }

  /** Writes as many statements of a length as there are rows for, and keeps the rows behind them. */
  #write(statement: Statement, values: Cell[]): void {
    if (this.#length < values.length) return
    const cells = this.#cells
    const texts = this.#texts
    let next = 0
    let text = 0
    while (next + values.length <= this.#length) {
      for (let index = 0; index < values.length; index++) {
        const cell = cells[next] as number
        next++
        if (cell === NULL) values[index] = null
        else if (Number.isNaN(cell)) {
          values[index] = texts[text] as string
          text++
        } else values[index] = cell
      }
      statement.run(...values)
    }
    cells.copyWithin(0, next, this.#length)
    this.#length -= next
    texts.splice(0, text)
  }

  #grow(): void {
    const cells = new Float64Array(this.#cells.length * 2)
    cells.set(this.#cells)
    this.#cells = cells
  }
}
