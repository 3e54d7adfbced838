import type { QuoteTable } from '../../core/house/quote-table.js'
import type { AccountNumber, Amount, MarketCode, PriceTicks, QuantityLots, TimeMs } from '../../core/units.js'
import type { Database, Statement } from '../database.js'

/** House quotes as stored. */
export interface StoredQuotes {
  readonly account: AccountNumber
  readonly market: MarketCode
  readonly round: number
  readonly budget: Amount
  readonly table: QuoteTable
  readonly fundedAt: TimeMs
  readonly stoppedAt: TimeMs | undefined
  readonly returned: Amount
  /** YES that the house has sold, net, by its position. */
  readonly sold: number
  readonly isRunning: boolean
  /** True if the market is settled or voided. */
  readonly isOver: boolean
}

interface HouseRow {
  account: AccountNumber
  market: MarketCode
  round: number
  budget: Amount
  low: PriceTicks
  step: PriceTicks
  start: number
  lots: string
  funded_at: TimeMs
  stopped_at: TimeMs | null
  returned: Amount
  sold: number
  is_over: number
}

const COLUMNS = "q.*, ifnull(p.no - p.yes, 0) AS sold, m.status IN ('settled', 'voided') AS is_over"
const POSITIONS = 'LEFT JOIN positions AS p ON p.market = q.market AND p.account = q.account'

/** The table of house quotes. */
export class HouseRows {
  readonly #selectLive: Statement<HouseRow>
  readonly #selectMarket: Statement<HouseRow>

  constructor(database: Database) {
    this.#selectLive = database.prepare(
      `SELECT ${COLUMNS} FROM markets AS m INDEXED BY markets_live
       CROSS JOIN house_quotes AS q ON q.market = m.code ${POSITIONS}
       WHERE m.status NOT IN ('settled', 'voided') ORDER BY m.code, q.round`,
    )
    this.#selectMarket = database.prepare(
      `SELECT ${COLUMNS} FROM house_quotes AS q JOIN markets AS m ON m.code = q.market ${POSITIONS}
       WHERE q.market = ? ORDER BY q.round`,
    )
  }

  /** Returns all quotes a market has ever had, oldest first. */
  of(market: MarketCode): StoredQuotes[] {
    return this.#selectMarket.all(market).map(fromRow)
  }

  /** Returns those of the markets that are neither settled nor voided. */
  live(): StoredQuotes[] {
    return this.#selectLive.all().map(fromRow)
  }
}

function fromRow(row: HouseRow): StoredQuotes {
  const { account, market, round, budget, low, step, start, lots, returned, sold } = row
  return {
    ...{ account, market, round, budget, returned, sold },
    table: { low, step, start, lots: JSON.parse(lots) as QuantityLots[] },
    fundedAt: row.funded_at,
    stoppedAt: row.stopped_at ?? undefined,
    isRunning: row.stopped_at === null,
    isOver: row.is_over === 1,
  }
}
