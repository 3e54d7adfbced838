import type { Database } from '../database.js'
import type { ArchiveCut } from './archive-cut.js'
import { ARCHIVED_TABLES } from './archived-tables.js'

/** The rows that move to an archive, by table; the batches among them. */
export type MovedCounts = Readonly<Record<MovingTable, number>>

export type MovingTable = 'journal' | (typeof ARCHIVED_TABLES)[number]

export const MOVING_TABLES: readonly MovingTable[] = ['journal', ...ARCHIVED_TABLES]

const KEYS: Readonly<Record<MovingTable, readonly string[]>> = {
  journal: ['sequence'],
  orders: ['market', 'number'],
  trades: ['market', 'trade'],
  entries: ['id'],
  updates: ['id'],
}

/**
 * The rows that move. What a start or the next write needs stays: open orders, the last order and the last
 * trade of each market, the last line and the last message of each account.
 */
const LEAVING: Readonly<Record<MovingTable, string>> = {
  journal: 'live_journal AS row WHERE row.sequence <= @sequence',
  orders: `temp.ended_markets AS m CROSS JOIN main.orders AS row
    ON row.market = m.code AND row.number < m.last_order
    WHERE row.updated_at < @before AND row.state NOT IN ('resting', 'partially_filled')`,
  trades: `temp.ended_markets AS m CROSS JOIN main.trades AS row
    ON row.market = m.code AND row.trade < m.last_trade WHERE row.at < @before`,
  entries: `main.entries AS row WHERE row.sequence <= @sequence
    AND row.id IS NOT (SELECT last_entry FROM main.accounts WHERE number = row.account)`,
  updates: `main.updates AS row WHERE row.sequence <= @sequence
    AND row.id IS NOT (SELECT last_update FROM main.accounts WHERE number = row.account)`,
}

/** Selects, copies and deletes the rows of a stopped exchange that move to an archive. */
export class MovingRows {
  readonly #database: Database
  readonly #cut: ArchiveCut

  constructor(database: Database, cut: ArchiveCut) {
    this.#database = database
    this.#cut = cut
    database.exec('DROP TABLE IF EXISTS temp.ended_markets')
    database
      .prepare(
        `CREATE TEMP TABLE ended_markets AS SELECT code, trades AS last_trade,
         (SELECT max(number) FROM main.orders WHERE market = code) AS last_order FROM main.markets
         WHERE status IN ('settled', 'voided') AND coalesce(resolved_at, end_at) < ${Number(cut.before)}`,
      )
      .run()
  }

  /** The number of markets whose orders and trades move. */
  get markets(): number {
    return Number(this.#database.prepare('SELECT count(*) FROM temp.ended_markets').pluck().get())
  }

  count(table: MovingTable): number {
    return Number(
      this.#database.prepare(`SELECT count(*) FROM ${LEAVING[table]}`).pluck().get(this.#bound(table)),
    )
  }

  /** Copies a table's rows; returns their number. */
  copy(table: MovingTable, target: string): number {
    const columns = this.#columns(table).join(', ')
    const rows = this.#columns(table)
      .map(column => `row.${column}`)
      .join(', ')
    const insert = `INSERT INTO ${target}.${table} (${columns}) SELECT ${rows} FROM ${LEAVING[table]}`
    return this.#database.prepare(insert).run(this.#bound(table)).changes
  }

  /** Deletes those rows of a table that an archive has, cell for cell; returns their number. */
  deleteCopied(table: MovingTable, archive: string, live: string): number {
    const key = new Set(KEYS[table])
    const same = this.#columns(table).map(column => {
      return `copy.${column} ${key.has(column) ? '=' : 'IS'} row.${column}`
    })
    const isCopied = `EXISTS (SELECT 1 FROM ${archive}.${table} AS copy WHERE ${same.join(' AND ')})`
    return this.#database.prepare(`DELETE FROM ${live}.${table} AS row WHERE ${isCopied}`).run().changes
  }

  #columns(table: MovingTable): string[] {
    const schema = table === 'journal' ? 'log' : 'main'
    const select = this.#database.prepare<unknown[], string>('SELECT name FROM pragma_table_info(?, ?)')
    return select.pluck().all(table, schema)
  }

  #bound(table: MovingTable): Partial<ArchiveCut> {
    const { sequence, before } = this.#cut
    return table === 'orders' || table === 'trades' ? { before } : { sequence }
  }
}
