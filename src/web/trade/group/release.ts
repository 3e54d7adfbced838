import type { GroupPosition } from '../../../client/shapes.js'

/** Contracts that pay the same whichever outcome wins, and can be turned into money now. */
export interface Release {
  /** The events whose NO contracts are given up; none: YES contracts of every outcome. */
  readonly outcomes: readonly string[]
  /** Contracts of each. */
  readonly quantity: number
  /** Rupees for each contract of `quantity`. */
  readonly each: number
}

const hundredths = (contracts: number) => Math.round(contracts * 100) / 100

/** Returns the release that brings the most money at once; undefined if nothing can be released. */
export function releaseOf(
  { outcomes }: Pick<GroupPosition, 'outcomes'>,
  payout: number,
): Release | undefined {
  const free = outcomes.map(({ event_id, yes, no, yes_locked, no_locked }) => ({
    ...{ event_id, yes: hundredths(yes - yes_locked), no: hundredths(no - no_locked) },
  }))
  const byNo = [...free].sort((a, b) => b.no - a.no)
  // NO contracts in the k outcomes with the most of them pay k − 1 times the payout.
  const releases: Release[] = byNo.slice(1).map(({ no }, index) => ({
    outcomes: byNo.slice(0, index + 2).map(({ event_id }) => event_id),
    quantity: no,
    each: (index + 1) * payout,
  }))
  const yes = free.reduce((least, held) => Math.min(least, held.yes), Number.POSITIVE_INFINITY)
  if (free.length > 0) releases.push({ outcomes: [], quantity: yes, each: payout })
  const best = releases.sort((a, b) => b.each * b.quantity - a.each * a.quantity)[0]
  return best !== undefined && best.quantity > 0 ? best : undefined
}
