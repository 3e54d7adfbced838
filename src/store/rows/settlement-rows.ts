import type { Settlement } from '../../core/engine-event.js'
import type { SettlementRow } from '../../core/records/statement-record.js'
import type { AccountNumber, MarketCode, TimeMs } from '../../core/units.js'
import type { Database, Statement } from '../database.js'

/** The table of settlements: one row per user and market, so that none is paid twice. */
export class SettlementRows {
  readonly #insert: Statement
  readonly #selectPage: Statement<SettlementRow>

  constructor(database: Database) {
    this.#insert = database.prepare('INSERT INTO settlements VALUES (?, ?, ?, ?, ?, ?, ?, ?)')
    this.#selectPage = database.prepare(
      `SELECT account, market, outcome, yes, no, paid, payment, at FROM settlements
       WHERE account = ? AND market < ? ORDER BY market DESC LIMIT ?`,
    )
  }

  insert({ account, market, outcome, yes, no, paid, payment }: Settlement, at: TimeMs): void {
    this.#insert.run(account, market, outcome, yes, no, paid, payment, at)
  }

  /** Returns a page of a user's settlements below the given market code, newest market first. */
  page(account: AccountNumber, before: MarketCode | undefined, lengthMax: number): SettlementRow[] {
    return this.#selectPage.all(account, before ?? Number.MAX_SAFE_INTEGER, lengthMax)
  }
}
