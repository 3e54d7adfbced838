import type { MarketCode } from '../../core/units.js'
import { DeskGroup } from '../groups/desk-group.js'
import type { StoredGroup } from '../../store/rows/group-rows.js'
import type { StoredQuotes } from '../../store/rows/house-rows.js'
import type { RecoveredMarket } from '../../store/rows/market-rows.js'
import { DeskMarket } from './desk-market.js'

/** Two to four kilobytes each. */
const MARKETS_MAX = 2048

/** Reads markets and groups that memory has forgotten. */
export interface EndedSource {
  market(code: MarketCode): RecoveredMarket | undefined
  group(code: MarketCode): StoredGroup | undefined
  /** Returns the markets of a group, by code. */
  ofGroup(code: MarketCode): RecoveredMarket[]
  /** Returns the house quotes of a market, oldest first. */
  quotes(code: MarketCode): StoredQuotes[]
  codeOfSlug(slug: string): MarketCode | undefined
  codeOfId(id: string): MarketCode | undefined
  close(): void
}

/** A market that is over, or a group of such markets with all of them; one of a group may be alone here. */
export interface EndedUnit {
  readonly group: DeskGroup | undefined
  readonly markets: readonly DeskMarket[]
}

/** Forgotten markets and groups that were asked for lately. */
export class EndedUnits {
  readonly #source: EndedSource
  readonly #prepare: (market: DeskMarket) => void
  readonly #units = new Map<MarketCode, EndedUnit>()
  #marketsCount = 0

  /** @param prepare gives a market that was read what is not in the tables */
  constructor(source: EndedSource, prepare: (market: DeskMarket) => void) {
    this.#source = source
    this.#prepare = prepare
  }

  /**
   * Reads a market; undefined if there is none. An outcome is read without the others of its group, because a
   * list may have outcomes of many; until all are read, its pool has no other markets.
   */
  market(code: MarketCode, group: MarketCode | undefined): DeskMarket | undefined {
    const key = group !== undefined && this.#units.has(group) ? group : code
    const unit = this.#kept(key, () => this.#alone(code))
    return unit?.markets.find(({ terms }) => terms.code === code)
  }

  /** Reads the market that is in no group, or the group, with this code; undefined if there is none. */
  whole(code: MarketCode, group: MarketCode | undefined): EndedUnit | undefined {
    return this.#kept(group ?? code, () => (group === undefined ? this.#alone(code) : this.#group(group)))
  }

  #kept(key: MarketCode, read: () => EndedUnit | undefined): EndedUnit | undefined {
    const unit = this.#units.get(key) ?? read()
    if (unit === undefined) return undefined
    // The last asked for is the last to go.
    this.drop(key)
    this.#units.set(key, unit)
    this.#marketsCount += unit.markets.length
    for (const first of this.#units.keys()) {
      if (this.#marketsCount <= MARKETS_MAX || first === key) break
      this.drop(first)
    }
    return unit
  }

  drop(key: MarketCode): void {
    this.#marketsCount -= this.#units.get(key)?.markets.length ?? 0
    this.#units.delete(key)
  }

  #alone(code: MarketCode): EndedUnit | undefined {
    const stored = this.#source.market(code)
    return stored && { group: undefined, markets: [this.#marketOf(stored)] }
  }

  #group(code: MarketCode): EndedUnit | undefined {
    const stored = this.#source.group(code)
    if (stored === undefined) return undefined
    const group = new DeskGroup(stored)
    for (const one of this.#source.ofGroup(code)) {
      // A caller that has read it alone has the same object as the group.
      const known = this.#units.get(one.terms.code)?.markets[0]
      const market = known ?? this.#marketOf(one)
      if (group.pool !== undefined) market.pool = group.pool
      group.add(market)
      this.drop(one.terms.code)
    }
    return { group, markets: group.markets }
  }

  #marketOf(stored: RecoveredMarket): DeskMarket {
    const market = new DeskMarket(stored, stored.lastNumber)
    this.#prepare(market)
    return market
  }
}
