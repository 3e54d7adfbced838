import type { MarketCode } from '../../core/units.js'
import type { Database } from '../../store/database.js'
import type { StoredGroup } from '../../store/rows/group-rows.js'
import { GroupRows } from '../../store/rows/group-rows.js'
import type { RecoveredMarket } from '../../store/rows/market-rows.js'
import { MarketRows } from '../../store/rows/market-rows.js'
import type { EndedSource } from '../markets/ended-units.js'

/** Reads markets and groups that memory has forgotten, each in some microseconds. */
export class EndedReader implements EndedSource {
  readonly #markets: MarketRows
  readonly #groups: GroupRows
  readonly #database: Database
  readonly #fail: (error: Error) => void

  /**
   * @param database stays open until `close`
   * @param fail called if something cannot be read: the exchange must stop
   */
  constructor(database: Database, fail: (error: Error) => void) {
    this.#markets = new MarketRows(database)
    this.#groups = new GroupRows(database)
    this.#database = database
    this.#fail = fail
  }

  market(code: MarketCode): RecoveredMarket | undefined {
    return this.#read(() => this.#markets.recovered(code))
  }

  group(code: MarketCode): StoredGroup | undefined {
    return this.#read(() => this.#groups.find(code))
  }

  ofGroup(code: MarketCode): RecoveredMarket[] {
    return this.#read(() => this.#markets.recoveredOfGroup(code))
  }

  codeOfSlug(slug: string): MarketCode | undefined {
    return this.#read(() => this.#markets.codeOfSlug(slug))
  }

  codeOfId(id: string): MarketCode | undefined {
    return this.#read(() => this.#markets.codeOfId(id))
  }

  close(): void {
    this.#database.close()
  }

  #read<T>(work: () => T): T {
    try {
      return work()
    } catch (error) {
      this.#fail(error as Error)
      throw error
    }
  }
}
