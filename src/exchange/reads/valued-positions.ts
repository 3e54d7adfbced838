import { CostBasis } from '../../core/cost-basis.js'
import type { PricedPositionRow, ValuedPosition } from '../../core/records/position-record.js'
import type { AccountNumber, MarketCode } from '../../core/units.js'
import type { Database } from '../../store/database.js'
import { FillRows } from '../../store/rows/fill-rows.js'
import { PositionRows } from '../../store/rows/position-rows.js'

/** Returns a user's positions in the given markets with their cost, from one snapshot. */
export class ValuedPositions {
  readonly #database: Database
  readonly #positions: PositionRows
  readonly #fills: FillRows

  constructor(database: Database) {
    this.#database = database
    this.#positions = new PositionRows(database)
    this.#fills = new FillRows(database)
  }

  /** The non-empty positions, in the order of the given markets. */
  read(account: AccountNumber, markets: readonly MarketCode[]): ValuedPosition[] {
    return this.#database.transaction(() => this.#read(account, markets)).deferred()
  }

  #read(account: AccountNumber, markets: readonly MarketCode[]): ValuedPosition[] {
    const rows = markets.flatMap(market => this.#positions.find(market, account) ?? [])
    const held = rows.filter(({ yes, no }) => yes > 0 || no > 0)
    const costs = this.#costs(account, held)
    return held.map(({ payout: _, isConverted: __, ...row }) => ({
      ...row,
      cost: costs.get(row.market)?.cost,
    }))
  }

  #costs(account: AccountNumber, held: readonly PricedPositionRow[]): Map<MarketCode, CostBasis> {
    const bought = held.filter(({ isConverted }) => isConverted === 0)
    const costs = new Map(bought.map(row => [row.market, new CostBasis(row.payout, row)]))
    const searched = new Map(costs)
    if (searched.size === 0) return costs
    for (const [market, fill] of this.#fills.newest(account, searched)) {
      const cost = searched.get(market)
      cost?.add(fill)
      if (cost?.cost !== undefined) searched.delete(market)
      if (searched.size === 0) break
    }
    return costs
  }
}
