import type { Command } from '../core/command.js'
import { createdMarketsOf } from '../core/command-effects.js'
import type { MarketTerms } from '../core/market.js'
import type { MarketCode } from '../core/units.js'
import type { Engine } from '../engine/engine.js'
import type { Database } from '../store/database.js'
import { GroupRows } from '../store/rows/group-rows.js'
import { HouseRows } from '../store/rows/house-rows.js'
import type { StoredMarket } from '../store/rows/market-rows.js'
import { MarketRows } from '../store/rows/market-rows.js'
import { OpenOrderRows } from '../store/rows/open-order-rows.js'

type IsOwn = (terms: Pick<MarketTerms, 'code' | 'group'>) => boolean

/**
 * Restores markets from the tables into an engine that has only those in use: a group always with all of its
 * markets. What an engine lacks must be in the tables as its last command left it.
 */
export class StoredMarkets {
  readonly #engine: Engine
  readonly #isOwn: IsOwn
  readonly #markets: MarketRows
  readonly #groups: GroupRows
  readonly #house: HouseRows
  readonly #openOrders: OpenOrderRows

  /**
   * @param tables a connection that stays open
   * @param isOwn says which markets and groups may be restored
   */
  constructor(engine: Engine, tables: Database, isOwn: IsOwn = () => true) {
    this.#engine = engine
    this.#isOwn = isOwn
    this.#markets = new MarketRows(tables)
    this.#groups = new GroupRows(tables)
    this.#house = new HouseRows(tables)
    this.#openOrders = new OpenOrderRows(tables)
  }

  /** Restores what the commands of a batch are for. */
  restoreFor(commands: readonly Command[]): void {
    const created = new Set<MarketCode>()
    for (const command of commands) {
      if (command.type === 'CREATE_GROUP') created.add(command.terms.code)
      for (const { terms } of createdMarketsOf(command)) created.add(terms.code)
      const code = 'group' in command ? command.group : 'market' in command ? command.market : undefined
      if (code !== undefined && !created.has(code)) this.restore(code)
    }
  }

  /** Restores a market, or a whole group by its code or that of one of its markets; not those of others. */
  restore(code: MarketCode): void {
    if (this.#engine.knows(code)) return
    const stored = this.#markets.find(code)
    if (!this.#isOwn(stored?.terms ?? { code })) return
    if (stored === undefined) this.#restoreGroup(code)
    else this.#restoreStored(stored)
  }

  /** Restores the markets that are not over, and the groups of these. */
  restoreLive(): void {
    this.#restoreOwn(this.#markets.live())
  }

  restoreAll(): void {
    this.#restoreOwn(this.#markets.all())
  }

  #restoreOwn(markets: Iterable<StoredMarket>): void {
    for (const stored of [...markets]) {
      const { terms } = stored
      if (this.#isOwn(terms) && !this.#engine.knows(terms.code)) this.#restoreStored(stored)
    }
  }

  #restoreStored(stored: StoredMarket): void {
    const { group } = stored.terms
    if (group === undefined) this.#restoreMarket(stored)
    else this.#restoreGroup(group)
  }

  #restoreGroup(code: MarketCode): void {
    const group = this.#groups.find(code)
    if (group === undefined) return
    this.#engine.restoreGroup(group.terms, group.progress)
    for (const stored of this.#markets.ofGroup(code)) this.#restoreMarket(stored)
  }

  #restoreMarket({ terms, progress }: StoredMarket): void {
    const { code } = terms
    this.#engine.restore(terms, progress, this.#openOrders.resting(code), this.#house.of(code))
  }
}
