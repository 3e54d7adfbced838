import type { MarketCode } from '../../core/units.js'
import type { Database } from '../../store/database.js'
import type { StoredGroup } from '../../store/rows/group-rows.js'
import { GroupRows } from '../../store/rows/group-rows.js'
import type { StoredQuotes } from '../../store/rows/house-rows.js'
import { HouseRows } from '../../store/rows/house-rows.js'
import type { RecoveredMarket } from '../../store/rows/market-rows.js'
import { MarketRows } from '../../store/rows/market-rows.js'
import type { EndedSource } from '../markets/ended-units.js'

/**
 * Reads markets and groups that memory has forgotten, each in some microseconds. A fault fails the request
 * that needs them, and no others.
 */
export class EndedReader implements EndedSource {
  readonly #markets: MarketRows
  readonly #groups: GroupRows
  readonly #house: HouseRows
  readonly #database: Database

  /** @param database stays open until `close` */
  constructor(database: Database) {
    this.#markets = new MarketRows(database)
    this.#groups = new GroupRows(database)
    this.#house = new HouseRows(database)
    this.#database = database
  }

  market(code: MarketCode): RecoveredMarket | undefined {
    return this.#markets.recovered(code)
  }

  group(code: MarketCode): StoredGroup | undefined {
    return this.#groups.find(code)
  }

  ofGroup(code: MarketCode): RecoveredMarket[] {
    return this.#markets.recoveredOfGroup(code)
  }

  quotes(code: MarketCode): StoredQuotes[] {
    return this.#house.of(code)
  }

  codeOfSlug(slug: string): MarketCode | undefined {
    return this.#markets.codeOfSlug(slug)
  }

  codeOfId(id: string): MarketCode | undefined {
    return this.#markets.codeOfId(id)
  }

  close(): void {
    this.#database.close()
  }
}
