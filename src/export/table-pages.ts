import type { Database, Statement } from '../store/database.js'
import type { Cell, Row } from './column.js'
import type { ExportTable } from './export-tables.js'

/** Some rows of a table, and the key of the last. */
export interface TablePage {
  readonly rows: readonly Row[]
  readonly key: readonly Cell[]
}

/** The bounds of the rows that are read. */
export interface TableBounds {
  /** Only rows of this account. */
  readonly account?: number | undefined
  /** Only rows that batches up to this one have written, where the table says which. */
  readonly sequence: number
}

/** The rows of a table that are read. */
interface TableRows {
  readonly database: Database
  readonly table: ExportTable
  readonly bounds: TableBounds
}

/** Reads a table in the order of its key, page by page: memory is bounded, and any page can be the first. */
export class TablePages {
  readonly #parts: readonly Part[]
  readonly #keyLength: number
  readonly #lengthMax: number

  /** @param lengthMax the most rows of a page */
  constructor(rows: TableRows, lengthMax: number) {
    this.#parts = rows.table.from.map(from => new Part(rows, from))
    this.#keyLength = rows.table.key.length
    this.#lengthMax = lengthMax
  }

  /** Returns the page behind a key, or the first; undefined if there is no further row. */
  after(key: readonly Cell[] | undefined): TablePage | undefined {
    const found = this.#parts.flatMap(part => part.after(key, this.#lengthMax))
    if (this.#parts.length > 1) found.sort((one, other) => this.#compare(one, other))
    const rows = found.slice(0, this.#lengthMax)
    const last = rows.at(-1)
    if (last === undefined) return undefined
    return { rows: rows.map(row => row.slice(this.#keyLength)), key: last.slice(0, this.#keyLength) }
  }

  /** Compares keys, which are whole numbers. */
  #compare(one: Row, other: Row): number {
    for (let at = 0; at < this.#keyLength; at++) {
      const difference = Number(one[at]) - Number(other[at])
      if (difference !== 0) return difference
    }
    return 0
  }
}

/** One of the places in which a table has rows. */
class Part {
  readonly #select: Statement<Cell[]>
  readonly #first: Statement<Cell[]>
  readonly #bounds: readonly Cell[]

  constructor({ database, table, bounds }: TableRows, from: string) {
    const { key, values, account, sequence } = table
    const ofAccount = account !== undefined && bounds.account !== undefined
    const filters = [
      ...(ofAccount ? [`${account} = ?`] : []),
      ...(sequence === undefined ? [] : [`${sequence} <= ?`]),
    ]
    const behind = `(${key.join(', ')}) > (${key.map(() => '?').join(', ')})`
    const prepare = (where: readonly string[]) =>
      database
        .prepare<unknown[], Cell[]>(
          `SELECT ${[...key, ...values].join(', ')} FROM ${from}
           ${where.length === 0 ? '' : `WHERE ${where.join(' AND ')}`} ORDER BY ${key.join(', ')} LIMIT ?`,
        )
        .raw()
    this.#first = prepare(filters)
    this.#select = prepare([...filters, behind])
    this.#bounds = [...(ofAccount ? [bounds.account ?? null] : []), ...(sequence ? [bounds.sequence] : [])]
  }

  after(key: readonly Cell[] | undefined, lengthMax: number): Row[] {
    return key === undefined
      ? this.#first.all(...this.#bounds, lengthMax)
      : this.#select.all(...this.#bounds, ...key, lengthMax)
  }
}
