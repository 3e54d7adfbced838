import { assert } from '../../core/assert.js'
import type { CreateMarket } from '../../core/command.js'
import { createdMarketsOf, escrowsOf } from '../../core/command-effects.js'
import type { BatchOutcome } from '../../core/engine-event.js'
import { NEW_GROUP } from '../../core/group.js'
import type { Convert, CreatedMarket, CreateGroup, EditGroup } from '../../core/group-command.js'
import type { Ledger } from '../../core/ledger.js'
import { newProgress } from '../../core/market.js'
import type { MarketCode } from '../../core/units.js'
import type { StoredGroup } from '../../store/rows/group-rows.js'
import { ByCode } from '../markets/by-code.js'
import { DeskMarket } from '../markets/desk-market.js'
import { assertPools } from '../markets/desk-pool.js'
import type { FeeSettings } from '../markets/fee-rates.js'
import type { MarketDirectory } from '../markets/market-directory.js'
import { DeskGroup } from './desk-group.js'

/** All groups in the main thread's memory, and what creates markets, in groups or on their own. */
export class DeskGroups {
  readonly #ledger: Ledger
  readonly #markets: MarketDirectory
  readonly #byCode = new Map<MarketCode, DeskGroup>()
  readonly #ordered = new ByCode<DeskGroup>()
  /** The codes of those that are over and not in memory, ascending. */
  readonly #forgotten: MarketCode[] = []

  constructor(ledger: Ledger, markets: MarketDirectory) {
    this.#ledger = ledger
    this.#markets = markets
  }

  /** All groups, in the order of their codes. */
  all(): DeskGroup[] {
    return [...this.behind(0)]
  }

  /** The groups that memory has. */
  allInMemory(): Iterable<DeskGroup> {
    return this.#byCode.values()
  }

  /** Yields the groups with higher codes than one, in the order of their codes. */
  *behind(code: number): Generator<DeskGroup> {
    let index = this.#placeBehind(code)
    for (const group of this.#ordered.behind(code)) {
      for (; (this.#forgotten[index] ?? Infinity) < group.terms.code; index++) yield this.#read(index)
      yield group
    }
    for (; index < this.#forgotten.length; index++) yield this.#read(index)
  }

  #read(index: number): DeskGroup {
    return this.get(this.#forgotten[index] as MarketCode)
  }

  find(code: MarketCode): DeskGroup | undefined {
    const known = this.#byCode.get(code)
    if (known !== undefined || this.#forgotten[this.#placeBehind(code) - 1] !== code) return known
    return this.#markets.forgottenGroup(code)?.group
  }

  /** Adds a group that is over, and that memory need not have. */
  addForgotten(code: MarketCode): void {
    this.#forgotten.splice(this.#placeBehind(code), 0, code)
  }

  /** Forgets a group that is over, with its markets. */
  forget(group: DeskGroup): void {
    this.#byCode.delete(group.terms.code)
    this.#ordered.remove(group)
    this.addForgotten(group.terms.code)
  }

  /** Keeps a forgotten group in memory from now on. */
  recall(group: DeskGroup): void {
    const { code } = group.terms
    const index = this.#placeBehind(code) - 1
    assert(this.#forgotten[index] === code, 'only a forgotten group is recalled')
    this.#forgotten.splice(index, 1)
    this.#add(group)
  }

  #placeBehind(code: number): number {
    let [low, high] = [0, this.#forgotten.length]
    if ((this.#forgotten[high - 1] ?? 0) <= code) return high
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((this.#forgotten[middle] ?? 0) <= code) low = middle + 1
      else high = middle
    }
    return low
  }

  /** Returns the group of a committed command. */
  get(code: MarketCode): DeskGroup {
    const group = this.find(code)
    assert(group !== undefined, 'the group of a committed command exists')
    return group
  }

  /** Returns the group that a market is an outcome of. */
  of({ terms: { group } }: DeskMarket): DeskGroup | undefined {
    return group === undefined ? undefined : this.get(group)
  }

  /** Adds a stored group; its markets follow. */
  restore(stored: StoredGroup): void {
    this.#add(new DeskGroup(stored))
  }

  #add(group: DeskGroup): void {
    this.#byCode.set(group.terms.code, group)
    this.#ordered.add(group)
  }

  /** Applies a committed command that creates markets or concerns a group. */
  land(command: CreateGroup | CreateMarket | EditGroup | Convert, fees: FeeSettings): void {
    if (command.type === 'EDIT_GROUP') this.get(command.group).edited(command.listing)
    else if (command.type === 'CONVERT') this.get(command.group).endConversion(this.#ledger, command)
    else this.#create(command, fees)
  }

  /** Adds the market or the group of a committed command. */
  #create(command: CreateGroup | CreateMarket, fees: FeeSettings): void {
    if (command.type === 'CREATE_GROUP') {
      this.restore({ ...command, progress: NEW_GROUP })
      this.#markets.dropCode(command.terms.code)
    }
    for (const [escrow] of escrowsOf(command)) this.#ledger.open(escrow)
    for (const created of createdMarketsOf(command)) this.#markets.add(this.#newMarket(created, fees))
  }

  /** Asserts the invariant of each pool that a batch has changed. */
  assertPools({ markets, groups }: Pick<BatchOutcome, 'markets' | 'groups'>): void {
    // A pool that was forgotten has no money.
    const ofGroups = groups.flatMap(({ code }) => this.#byCode.get(code)?.pool ?? [])
    const inMemory = markets.filter(({ code }) => this.#markets.inMemory(code) !== undefined)
    const ofMarkets = inMemory.flatMap(({ code }) => this.#markets.inMemory(code)?.pool ?? [])
    assertPools(this.#ledger, new Set([...ofMarkets, ...ofGroups]), { markets, groups })
  }

  #newMarket({ terms, listing, status }: CreatedMarket, fees: FeeSettings): DeskMarket {
    const group = terms.group === undefined ? undefined : this.get(terms.group)
    const stored = { terms, listing, progress: newProgress(status), resolved: undefined }
    const market = new DeskMarket(stored, undefined, group?.pool)
    group?.add(market)
    market.feeSettings = fees
    return market
  }
}
