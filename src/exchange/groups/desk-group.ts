import { conversionEffect } from '../../core/conversion.js'
import type { EditedGroup, GroupListing, GroupProgress, GroupTerms } from '../../core/group.js'
import type { Convert } from '../../core/group-command.js'
import type { Ledger } from '../../core/ledger.js'
import type { Outcome } from '../../core/market.js'
import { amount } from '../../core/units.js'
import type { StoredGroup } from '../../store/rows/group-rows.js'
import type { DeskMarket } from '../markets/desk-market.js'
import type { DeskPool } from '../markets/desk-pool.js'

/** The result of an exclusive group: the market that won, or `void`. */
export type GroupResult = DeskMarket | 'void'

/** A group in the main thread's memory. */
export class DeskGroup {
  readonly terms: GroupTerms
  listing: GroupListing
  progress: GroupProgress
  /** In the order of their codes. */
  readonly markets: DeskMarket[] = []
  /** Holds the money of all its markets, if the group is exclusive. */
  readonly pool: DeskPool | undefined

  constructor({ terms, listing, progress }: StoredGroup) {
    this.terms = terms
    this.listing = listing
    this.progress = progress
    const { code, payout, escrow } = terms
    this.pool =
      escrow === undefined ? undefined : { code, payout, escrow, markets: this.markets, group: this }
  }

  edited(listing: EditedGroup): void {
    this.listing = { ...this.listing, ...listing }
  }

  /** Ends the locks and the hold of a decided conversion. */
  endConversion(ledger: Ledger, command: Convert): void {
    const { account, lots } = command
    const { takes, cash } = conversionEffect(command, this.terms.payout)
    for (const market of takes.markets) ledger.endLock(market, account, takes.side, lots)
    if (cash < 0) ledger.endHold(account, amount(-cash))
  }

  add(market: DeskMarket): void {
    this.markets.push(market)
  }

  get isExclusive(): boolean {
    return this.pool !== undefined
  }

  /** The markets without a result, committed or in flight. */
  get live(): DeskMarket[] {
    return this.markets.filter(({ pendingOutcome }) => pendingOutcome === undefined)
  }

  /** The result of an exclusive group, committed or in flight. */
  get result(): GroupResult | undefined {
    return this.#resultOf(({ pendingOutcome }) => pendingOutcome)
  }

  /** True once the group is void, and that is committed. */
  get isVoid(): boolean {
    return this.isExclusive && this.markets.some(({ progress }) => progress.outcome === 'void')
  }

  /** Finds an outcome by its code as a client wrote it. */
  written(code: string): DeskMarket | undefined {
    return this.markets.find(({ terms }) => String(terms.code) === code)
  }

  #resultOf(outcomeOf: (market: DeskMarket) => Outcome | undefined): GroupResult | undefined {
    if (!this.isExclusive) return undefined
    if (this.markets.some(market => outcomeOf(market) === 'void')) return 'void'
    return this.markets.find(market => outcomeOf(market) === 'yes')
  }
}
