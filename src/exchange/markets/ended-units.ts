import type { MarketCode } from '../../core/units.js'
import { DeskGroup } from '../groups/desk-group.js'
import type { StoredGroup } from '../../store/rows/group-rows.js'
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
  codeOfSlug(slug: string): MarketCode | undefined
  codeOfId(id: string): MarketCode | undefined
  close(): void
}

/** A market that is over, or a group of such markets with all of them. */
export interface EndedUnit {
  readonly group: DeskGroup | undefined
  readonly markets: readonly DeskMarket[]
}

/** Forgotten markets and groups that were asked for lately, each group with all of its markets. */
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

  /** Reads the market that is in no group, or the group, with this code; undefined if there is none. */
  read(code: MarketCode, group: MarketCode | undefined): EndedUnit | undefined {
    const key = group ?? code
    const unit = this.#units.get(key) ?? this.#made(code, group)
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

  #made(code: MarketCode, group: MarketCode | undefined): EndedUnit | undefined {
    if (group === undefined) {
      const stored = this.#source.market(code)
      return stored && { group: undefined, markets: [this.#marketOf(stored)] }
    }
    const stored = this.#source.group(group)
    if (stored === undefined) return undefined
    const whole = new DeskGroup(stored)
    for (const one of this.#source.ofGroup(group)) whole.add(this.#marketOf(one, whole))
    return { group: whole, markets: whole.markets }
  }

  #marketOf(stored: RecoveredMarket, group?: DeskGroup): DeskMarket {
    const market = new DeskMarket(stored, stored.lastNumber, group?.pool)
    this.#prepare(market)
    return market
  }
}
