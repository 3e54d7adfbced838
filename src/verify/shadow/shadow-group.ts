import type { CommandBatch } from '../../core/command.js'
import type { ConversionOutcome } from '../../core/conversion.js'
import { conversionEffect } from '../../core/conversion.js'
import type { BatchOutcome, Settlement } from '../../core/engine-event.js'
import type { GroupListing, GroupProgress, GroupTerms } from '../../core/group.js'
import { NEW_GROUP } from '../../core/group.js'
import type { Convert, EditGroup } from '../../core/group-command.js'
import type { PositionPosting } from '../../core/postings.js'
import type { ExpectedRows } from '../stored/expected-rows.js'
import { orNone } from '../stored/row-lines.js'
import type { ShadowMarket } from './shadow-market.js'

/** One user's net payments to an exclusive group, and what of them is by no fill. */
interface ShadowPayments {
  paid: number
  flow: number
}

/** A group as its commands describe it, kept apart from the engine. */
export class ShadowGroup {
  readonly terms: GroupTerms
  listing: GroupListing
  change: GroupProgress = NEW_GROUP
  readonly markets: ShadowMarket[] = []
  readonly payments = new Map<number, ShadowPayments>()

  constructor(terms: GroupTerms, listing: GroupListing) {
    this.terms = terms
    this.listing = listing
  }

  edit({ listing }: EditGroup): void {
    this.listing = { ...this.listing, ...listing }
  }

  post({ account, paid }: PositionPosting): void {
    this.#paymentsOf(account).paid += paid
  }

  /**
   * Counts a conversion by its sets alone: whatever it takes and gives, YES − NO changes by as much in each
   * outcome, and the user's stake, less the payout of their NO, by their payout.
   */
  convert(
    command: Convert,
    { number, cash, refusal }: ConversionOutcome,
    at: number,
    rows: ExpectedRows,
  ): void {
    if (refusal !== undefined) return
    const { account, direction, lots, markets, others, key } = command
    const { sets } = conversionEffect(command, this.terms.payout)
    for (const market of this.markets) {
      const { code } = market.terms
      if (markets.includes(code) || others.includes(code)) market.position(account).net += sets
    }
    this.#paymentsOf(account).flow += this.terms.payout * sets
    const lists = [markets, others].map(list => JSON.stringify(list))
    const names = [orNone(key?.name), orNone(key?.fingerprint)]
    const cells = [account, at, direction, lots, cash, ...lists, ...names]
    rows.keyed('conversions', `${this.terms.code} ${number}`, cells)
  }

  /** Reverses a user's net payments; returns what is wrong with it. */
  settle({ account, yes, no, paid, payment }: Settlement): string[] {
    const expected = this.expected(account)
    this.#paymentsOf(account).flow -= paid
    const faults: string[] = []
    if (yes + no !== 0 || paid !== expected) {
      faults.push(`${paid} put in, by the fills and conversions ${expected}`)
    }
    const isRight = paid > 0 ? payment === paid : paid <= payment && payment <= 0
    if (!isRight) faults.push(`${payment} for ${paid} put in`)
    return faults
  }

  /** Returns the net payments of a user by their fills and conversions. */
  expected(account: number): number {
    let sum = this.payments.get(account)?.flow ?? 0
    for (const { positions } of this.markets) {
      const position = positions.get(account)
      if (position !== undefined) sum += position.flow + position.fees + this.terms.payout * position.no
    }
    return sum
  }

  writeRows(rows: ExpectedRows): void {
    const { code, kind, payout, escrow } = this.terms
    const { id, title, description, hasNone, createdAt } = this.listing
    const fixed = [id, kind, title, description, hasNone ? 1 : 0, createdAt, payout, orNone(escrow)]
    rows.keyed('market_groups', String(code), [...fixed, this.change.sets, this.change.conversions])
    for (const [account, { paid }] of this.payments) {
      rows.keyed('positions', `${code} ${account}`, [0, 0, 0, 0, paid])
    }
  }

  #paymentsOf(account: number): ShadowPayments {
    let payments = this.payments.get(account)
    if (payments === undefined) {
      payments = { paid: 0, flow: 0 }
      this.payments.set(account, payments)
    }
    return payments
  }
}

/** Follows what a batch did to groups: their progress, and the conversions in them. */
export function followGroups(
  shadows: ReadonlyMap<number, ShadowGroup>,
  { commands, at }: CommandBatch,
  { groups, conversions }: Pick<BatchOutcome, 'groups' | 'conversions'>,
  rows: ExpectedRows,
): void {
  for (const { code, ...progress } of groups) {
    const group = shadows.get(code)
    if (group !== undefined) group.change = progress
  }
  for (const made of conversions) {
    const command = commands.find(({ id }) => id === made.id)
    if (command?.type === 'CONVERT') shadows.get(command.group)?.convert(command, made, at, rows)
  }
}
