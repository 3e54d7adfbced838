import type { SettlementRow } from '../../core/records/statement-record.js'
import type { AccountNumber, MarketCode } from '../../core/units.js'
import type { Database, Statement } from '../database.js'
import type { TimeRange } from './time-range.js'
import { boundsOf } from './time-range.js'

export interface SettlementFilter extends TimeRange {
  readonly market?: MarketCode | undefined
}

/** A settlement's place in the list of its user. */
export type SettlementPlace = Pick<SettlementRow, 'at' | 'market'>

const COLUMNS = 'account, market, outcome, yes, no, paid, payment, at'

/** The table of settlements: one row per user and market, so that none is paid twice. */
export class SettlementRows {
  readonly #selectPage: Statement<SettlementRow>
  readonly #selectOne: Statement<SettlementRow>

  constructor(database: Database) {
    // The rows of a user are one range of the table, without an index by time: each page sorts them.
    this.#selectPage = database.prepare(
      `SELECT ${COLUMNS} FROM settlements
       WHERE account = $account AND at >= $from AND at < $to AND (at, market) < ($at, $market)
       ORDER BY at DESC, market DESC LIMIT $lengthMax`,
    )
    this.#selectOne = database.prepare(
      `SELECT ${COLUMNS} FROM settlements WHERE account = $account AND market = $only
       AND at >= $from AND at < $to AND (at, market) < ($at, $market) LIMIT $lengthMax`,
    )
  }

  /** Returns a page of a user's settlements before the given one, newest first. */
  page(
    account: AccountNumber,
    { market: only, ...range }: SettlementFilter,
    before: SettlementPlace | undefined,
    lengthMax: number,
  ): SettlementRow[] {
    const { at = Number.MAX_SAFE_INTEGER, market = 0 } = before ?? {}
    const asked = { account, ...boundsOf(range), at, market, lengthMax }
    return only === undefined ? this.#selectPage.all(asked) : this.#selectOne.all({ ...asked, only })
  }
}
