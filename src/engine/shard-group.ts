import { assert } from '../core/assert.js'
import { postConversion, postSettlement, postSweep } from '../core/clearing.js'
import type { SettledPosition } from '../core/command.js'
import { CLEAR_LENGTH_MAX } from '../core/command.js'
import type { ConversionEffect, ConversionOutcome, ConversionRefusal } from '../core/conversion.js'
import { buildExceedsCapacity, conversionEffect } from '../core/conversion.js'
import type { GroupChange, Settlement } from '../core/engine-event.js'
import type { GroupProgress, GroupTerms } from '../core/group.js'
import { NEW_GROUP } from '../core/group.js'
import type { Convert, ResolveGroup } from '../core/group-command.js'
import { keepsOrders } from '../core/market.js'
import type { Postings } from '../core/postings.js'
import type { ShardMarket } from './shard-market.js'
import type { SharedSets } from './open-pairs.js'

/** The changes of a group in a batch. */
interface GroupOutbox {
  readonly change: GroupChange
  readonly conversions: readonly ConversionOutcome[]
  readonly settlements: readonly Settlement[]
}

/** A group within its shard, which has all its markets. */
export class ShardGroup {
  readonly terms: GroupTerms
  /** In the order of their codes. */
  readonly markets: ShardMarket[] = []
  /** Shared by the markets of an exclusive group. */
  readonly sets: SharedSets
  #conversionsCount: number
  #conversions: ConversionOutcome[] = []
  #settlements: Settlement[] = []

  constructor(terms: GroupTerms, { sets, conversions }: GroupProgress = NEW_GROUP) {
    this.terms = terms
    this.sets = { count: sets }
    this.#conversionsCount = conversions
  }

  get progress(): GroupProgress {
    return { sets: this.sets.count, conversions: this.#conversionsCount }
  }

  /** The markets without a result. */
  get live(): ShardMarket[] {
    return this.markets.filter(({ progress }) => progress.outcome === undefined)
  }

  add(market: ShardMarket): void {
    this.markets.push(market)
    this.markets.sort((a, b) => a.terms.code - b.terms.code)
  }

  /** Makes a conversion that the desk has admitted, unless a result has come before it. */
  convert(command: Convert, postings: Postings): void {
    const { id, group, account } = command
    const effect = conversionEffect(command, this.terms.payout)
    const refusal = this.#refusalOf(command, effect)
    if (refusal !== undefined) {
      this.#conversions.push({ id, group, account, number: 0, cash: 0, refusal })
      return
    }
    const { takes, gives, cash, sets } = effect
    this.#conversionsCount++
    const number = this.#conversionsCount
    postConversion(postings, this.terms, { account, lots: command.lots, number }, effect)
    for (const [{ side, markets }, sign] of [
      [takes, -1],
      [gives, 1],
    ] as const) {
      if (side === 'yes') continue
      for (const market of this.live) {
        if (markets.includes(market.terms.code)) market.pairs.add(sign * command.lots)
      }
    }
    this.sets.count += sets
    this.#conversions.push({ id, group, account, number, cash, refusal: undefined })
  }

  /**
   * Sets the outcomes of markets. One that is still open, the last one left, is closed. Cancels a part of the
   * orders of all their books, as closing one market does; the others follow in parts of their own.
   */
  resolve({ outcomes }: ResolveGroup, postings: Postings): void {
    if (this.terms.kind === 'exclusive') this.#assertExclusive(outcomes)
    let left = CLEAR_LENGTH_MAX
    for (const [code, outcome] of outcomes) {
      const market = this.markets.find(({ terms }) => terms.code === code)
      assert(market !== undefined, 'a group resolves its own markets')
      const { size } = market.book
      // The last outcome left wins, whether it was closed or not.
      if (outcome === 'yes' && keepsOrders(market.progress.status)) market.move('closed', postings, left)
      market.resolve(outcome, postings, left - (size - market.book.size))
      left -= size - market.book.size
    }
    if (outcomes.some(([, outcome]) => outcome === 'void')) this.sets.count = 0
  }

  /** Reverses net payments to a void group: its contracts were settled, each with its market. */
  settle(positions: readonly SettledPosition[], postings: Postings): void {
    for (const market of this.markets) {
      assert(market.progress.outcome !== undefined, 'only a group with a result is settled')
      assert(market.progress.openPairs === 0, 'an outcome that came before the void is paid first')
    }
    for (const position of positions) {
      this.#settlements.push(postSettlement(postings, poolTerms(this.terms), 'void', position))
    }
  }

  /** Moves the fees of an exclusive group to the account of fees, once its last market is settled. */
  sweep(postings: Postings): void {
    const { escrow } = this.terms
    const progresses = this.markets.map(({ progress }) => progress)
    if (escrow === undefined || progresses.some(({ status }) => status !== 'settled')) return
    postSweep(
      postings,
      escrow,
      progresses.reduce((sum, { fees }) => sum + fees, 0),
    )
  }

  /** Returns the batch's output. */
  takeOutcome(): GroupOutbox {
    const [conversions, settlements] = [this.#conversions, this.#settlements]
    this.#conversions = []
    this.#settlements = []
    return { change: { code: this.terms.code, ...this.progress }, conversions, settlements }
  }

  #refusalOf(
    { direction, lots, markets, others }: Convert,
    effect: ConversionEffect,
  ): ConversionRefusal | undefined {
    const { live } = this
    if (live.length === 0) return 'group_resolved'
    const codes = new Set(live.map(({ terms }) => terms.code))
    const named = new Set([...markets, ...others])
    if (named.size !== codes.size || ![...named].every(code => codes.has(code))) return 'outcome_resolved'
    if (direction === 'release') return undefined
    if (live.some(({ progress }) => progress.status !== 'open')) return 'group_not_open'
    const parts = live.map(({ terms, progress }) => ({ ...terms, ...progress }))
    const isFull = buildExceedsCapacity({ lots, ...effect }, this.sets.count, parts)
    return isFull ? 'capacity_used' : undefined
  }

  #assertExclusive(outcomes: ResolveGroup['outcomes']): void {
    const winners = outcomes.filter(([, outcome]) => outcome === 'yes').length
    const voids = outcomes.filter(([, outcome]) => outcome === 'void').length
    assert(outcomes.length === this.live.length, 'a result of an exclusive group ends all its outcomes')
    assert(
      (winners === 1 && voids === 0) || voids === outcomes.length,
      'exactly one outcome of an exclusive group wins, or all are void',
    )
  }
}

/** Returns what a posting needs to know of the group as a pool. */
function poolTerms({ code, payout, escrow }: GroupTerms) {
  assert(escrow !== undefined, 'an exclusive group has an escrow')
  return { code, payout, escrow, pool: code }
}
