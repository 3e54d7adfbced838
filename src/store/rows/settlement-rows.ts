import type { SettlementRow } from '../../core/records/statement-record.js'
import type { AccountNumber, MarketCode } from '../../core/units.js'
import type { Database, Statement } from '../database.js'

/** The table of settlements: one row per user and market, so that none is paid twice. */
export class SettlementRows {
  readonly #selectPage: Statement<SettlementRow>

  constructor(database: Database) {
    this.#selectPage = database.prepare(
      `SELECT account, market, outcome, yes, no, paid, payment, at FROM settlements
       WHERE account = ? AND market < ? ORDER BY market DESC LIMIT ?`,
    )
  }

  /** Returns a page of a user's settlements below the given market code, newest market first. */
  page(account: AccountNumber, before: MarketCode | undefined, lengthMax: number): SettlementRow[] {
    return this.#selectPage.all(account, before ?? Number.MAX_SAFE_INTEGER, lengthMax)
  }
}
