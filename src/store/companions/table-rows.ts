import type { Database, Statement } from '../sqlite.js'
import { OWN_TABLES } from './own-tables.js'

/** A value of a row as JSON has it; bytes are in base64. */
type Cell = null | number | string | { readonly bytes: string }

/** A row after a change, found by its key; without cells it is gone. */
export type RowImage = readonly [table: string, key: readonly Cell[], cells?: readonly Cell[]]

/** A table of a companion whose rows can be copied one by one. */
export interface RowTable {
  readonly name: string
  readonly columns: readonly string[]
  /** Columns of the primary key, in its order. */
  readonly key: readonly string[]
  readonly counts: boolean
}

/** The table in which SQLite counts the ids that a table has given. */
export const COUNTERS = 'sqlite_sequence'

/** Returns the tables of a companion, the one with its counters last. */
export function rowTables(database: Database): RowTable[] {
  const tables = database
    .prepare<unknown[], { readonly name: string; readonly sql: string }>(
      `SELECT name, sql FROM main.sqlite_schema WHERE type = 'table' AND name NOT GLOB 'sqlite_*'
       ORDER BY name`,
    )
    .all()
    .filter(({ name }) => !OWN_TABLES.includes(name))
    .map(({ name, sql }) => {
      const columns = database
        .prepare<unknown[], { readonly name: string; readonly pk: number }>(
          "SELECT name, pk FROM pragma_table_info(?, 'main') ORDER BY cid",
        )
        .all(name)
      const key = columns.filter(({ pk }) => pk > 0).sort((one, other) => one.pk - other.pk)
      if (key.length === 0) throw new Error(`the table ${name} has no primary key`)
      return {
        name,
        columns: columns.map(column => column.name),
        key: key.map(column => column.name),
        counts: sql.includes('AUTOINCREMENT'),
      }
    })
  const hasCounters = tables.some(({ counts }) => counts)
  const counters = { name: COUNTERS, columns: ['name', 'seq'], key: ['name'], counts: false }
  return hasCounters ? [...tables, counters] : tables
}

/** Reads single rows of a companion by their keys. */
export class RowReader {
  readonly #statements = new Map<string, Statement<unknown[]>>()

  constructor(database: Database, tables: readonly RowTable[]) {
    for (const { name, columns, key } of tables) {
      const sql = `SELECT ${listOf(columns)} FROM main.${name} WHERE ${equalsKey(key)}`
      this.#statements.set(name, database.prepare<unknown[], unknown[]>(sql).raw())
    }
  }

  image(table: string, key: readonly unknown[]): RowImage {
    const row = this.#statements.get(table)?.get(...key)
    const cells = key.map(cellOf)
    return row === undefined ? [table, cells] : [table, cells, row.map(cellOf)]
  }
}

/** Yields all rows of a companion; to be called within a transaction that reads. */
export function* allRows(database: Database): Generator<RowImage, void, undefined> {
  for (const { name, columns, key } of rowTables(database)) {
    const places = key.map(column => columns.indexOf(column))
    const rows = database
      .prepare<unknown[], unknown[]>(`SELECT ${listOf(columns)} FROM main.${name} ${whereOf(name)}`)
      .raw()
    for (const row of rows.iterate()) {
      const cells = row.map(cellOf)
      yield [name, places.map(place => cells[place] as Cell), cells]
    }
  }
}

/** Writes images of rows into a companion that nothing else changes. */
export class RowWriter {
  readonly #database: Database
  readonly #tables: readonly RowTable[]
  readonly #removals = new Map<string, Statement>()
  readonly #puts = new Map<string, Statement>()

  constructor(database: Database) {
    this.#database = database
    this.#tables = rowTables(database)
    for (const { name, key } of this.#tables) {
      this.#removals.set(name, database.prepare(`DELETE FROM main.${name} WHERE ${equalsKey(key)}`))
    }
  }

  /** Removes all rows. */
  clear(): void {
    for (const { name } of this.#tables) this.#database.exec(`DELETE FROM main.${name} ${whereOf(name)}`)
  }

  /**
   * Writes a row. Another one that has its unique values goes: it has changed, too, and follows. A row of an
   * earlier version lacks the last columns, which get their defaults.
   */
  write([table, key, cells]: RowImage): void {
    const removal = this.#removals.get(table)
    if (removal === undefined) throw new Error(`there is no table ${String(table)}`)
    removal.run(...key.map(sqlValueOf))
    if (cells !== undefined) this.#putOf(table, cells.length).run(...cells.map(sqlValueOf))
  }

  #putOf(table: string, count: number): Statement {
    const id = `${table} ${count}`
    let put = this.#puts.get(id)
    if (put === undefined) {
      const columns = this.#tables.find(({ name }) => name === table)?.columns.slice(0, count) ?? []
      put = this.#database.prepare(
        `INSERT OR REPLACE INTO main.${table} (${listOf(columns)})
         VALUES (${columns.map(() => '?').join(', ')})`,
      )
      this.#puts.set(id, put)
    }
    return put
  }
}

/** Each file counts its own outbox, and a count of nothing comes and goes without a change of a row. */
const whereOf = (table: string) => (table === COUNTERS ? "WHERE name <> 'outbox' AND seq > 0" : '')
const listOf = (columns: readonly string[]) => columns.map(column => `"${column}"`).join(', ')
const equalsKey = (key: readonly string[]) => key.map(column => `"${column}" = ?`).join(' AND ')

function cellOf(value: unknown): Cell {
  return value instanceof Uint8Array
    ? { bytes: Buffer.from(value).toString('base64') }
    : (value as number | string | null)
}

function sqlValueOf(cell: Cell): unknown {
  return typeof cell === 'object' && cell !== null ? Buffer.from(cell.bytes, 'base64') : cell
}
