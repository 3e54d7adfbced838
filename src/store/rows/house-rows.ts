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

const SELECT = `SELECT q.*, ifnull(p.no - p.yes, 0) AS sold, m.status IN ('settled', 'voided') AS is_over
  FROM house_quotes AS q JOIN markets AS m ON m.code = q.market
  LEFT JOIN positions AS p ON p.market = q.market AND p.account = q.account`

/** The table of house quotes. */
export class HouseRows {
  readonly #selectAll: Statement<HouseRow>
  readonly #selectMarket: Statement<HouseRow>

  constructor(database: Database) {
    this.#selectAll = database.prepare(`${SELECT} ORDER BY q.market, q.round`)
    this.#selectMarket = database.prepare(`${SELECT} WHERE q.market = ? ORDER BY q.round`)
  }

  /** Returns all quotes a market has ever had, oldest first. */
  of(market: MarketCode): StoredQuotes[] {
    return this.#selectMarket.all(market).map(fromRow)
  }

  all(): StoredQuotes[] {
    return this.#selectAll.all().map(fromRow)
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
