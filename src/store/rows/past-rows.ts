import type { OwnFill } from '../../core/cost-basis.js'
import type { EntryRow } from '../../core/records/statement-record.js'
import type { AccountNumber, MarketCode, OrderNumber, PriceTicks, TimeMs } from '../../core/units.js'
import { ticks } from '../../core/units.js'
import type { Database, Statement } from '../database.js'
import { EntryRows, LINES_IN_RANGE } from './entry-rows.js'
import { boundsOf } from './time-range.js'
import { TradeTimes } from './trade-times.js'

/** A statement line, with what leads from it to its trade and to the line before. */
export interface PastLine
  extends Pick<EntryRow, 'at' | 'kind' | 'change' | 'fee' | 'cash' | 'market' | 'trade'> {
  readonly orderNumber: OrderNumber | null
  readonly previous: number | null
}

type Fill = Omit<OwnFill, 'change' | 'fee'>

/** The contracts that a settlement took from a user. */
export interface SettledContracts {
  readonly market: MarketCode
  readonly yes: number
  readonly no: number
  readonly at: TimeMs
}

/** The rows from which a user's earlier worth is computed. */
export class PastRows {
  readonly #entries: EntryRows
  readonly #times: TradeTimes
  readonly #selectLines: Statement<PastLine>
  readonly #selectFill: Statement<Fill>
  readonly #selectSettlements: Statement<SettledContracts>
  readonly #selectPayout: Statement<PriceTicks>
  readonly #selectPrice: Statement<PriceTicks>
  readonly #payouts = new Map<MarketCode, PriceTicks>()

  constructor(database: Database) {
    this.#entries = new EntryRows(database)
    this.#times = new TradeTimes(database)
    this.#selectLines = database.prepare(
      `${LINES_IN_RANGE} SELECT at, kind, change, fee, cash, market, trade,
         order_number AS orderNumber, previous
       FROM lines`,
    )
    this.#selectFill = database.prepare(
      `SELECT price, quantity, iif((taker = ?) = (taker_side = 'yes'), 'yes', 'no') AS side
       FROM whole_trades WHERE market = ? AND trade = ?`,
    )
    this.#selectSettlements = database.prepare(
      `SELECT * FROM
         (SELECT market, yes, no, at FROM settlements WHERE account = ? AND at >= ? AND yes + no > 0 LIMIT ?)
       ORDER BY at DESC`,
    )
    this.#selectPayout = database
      .prepare<unknown[], PriceTicks>('SELECT payout FROM markets WHERE code = ?')
      .pluck()
    this.#selectPrice = database
      .prepare<unknown[], PriceTicks>('SELECT price FROM whole_trades WHERE market = ? AND trade = ?')
      .pluck()
  }

  /** Returns a user's lines, newest first, up to the first one before `from`. */
  lines(account: AccountNumber, from: TimeMs | undefined, lengthMax: number): PastLine[] {
    const newest = this.#entries.newestBefore(account, undefined)
    return this.#selectLines.all({ newest, from: boundsOf({ from }).from, searchLengthMax: lengthMax })
  }

  /** Returns the user's part in a trade. */
  fill(market: MarketCode, trade: number, order: OrderNumber): Fill | undefined {
    return this.#selectFill.get(order, market, trade)
  }

  /**
   * Returns the contracts that settlements took from a user since a time, newest first. Of more than
   * `lengthMax` it returns any.
   */
  settlements(account: AccountNumber, from: TimeMs, lengthMax: number): SettledContracts[] {
    return this.#selectSettlements.all(account, from, lengthMax)
  }

  payoutOf(market: MarketCode): PriceTicks {
    const payout = this.#payouts.get(market) ?? this.#selectPayout.get(market) ?? ticks(0)
    this.#payouts.set(market, payout)
    return payout
  }

  /** Returns a reader of past prices; the moments requested of a market must never increase. */
  prices(): { before(market: MarketCode, at: TimeMs): PriceTicks | undefined } {
    const ends = new Map<MarketCode, number>()
    return {
      before: (market, at) => {
        const end = ends.get(market) ?? this.#times.end(market)
        const next = this.#times.firstSince(market, at, 1, end)
        ends.set(market, next)
        return this.#selectPrice.get(market, next - 1)
      },
    }
  }
}
