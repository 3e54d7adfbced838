import type { By, Resolution } from '../../core/command.js'
import type { ResolveGroup } from '../../core/group-command.js'
import type { MarketStatus, Outcome } from '../../core/market.js'
import { canMove } from '../../core/market.js'
import type { DeskMarket } from '../markets/desk-market.js'
import type { DeskGroup, GroupResult } from './desk-group.js'

/** Why a group or one of its outcomes cannot get a result: the market in the way, and its state. */
export interface ResultRefusal {
  readonly market: DeskMarket
  readonly status: MarketStatus
  readonly outcome: Outcome | undefined
  /** Set if a season's turn is in the way, and nothing else. */
  readonly isInTurn?: true
}

/** The outcomes that a resolution sets, in the order of the markets. */
export type Outcomes = ReadonlyMap<DeskMarket, Outcome>

/** The source and note of a result, and who sets it. */
export type ResultNotes = Omit<Resolution, 'outcome'> & { readonly by?: By }

/** Returns what a result of an exclusive group sets: for all outcomes that have none yet. */
export function outcomesOf(group: DeskGroup, result: GroupResult): Outcomes {
  const outcome = (market: DeskMarket): Outcome =>
    result === 'void' ? 'void' : market === result ? 'yes' : 'no'
  return new Map(group.live.map(market => [market, outcome(market)]))
}

/**
 * Returns what eliminating an outcome of an exclusive group sets: if one other is left, it wins, whether it
 * is closed or not.
 */
export function eliminationOf(group: DeskGroup, market: DeskMarket): Outcomes {
  const left = group.live.filter(other => other !== market)
  const [last] = left
  return last !== undefined && left.length === 1 ? outcomesOf(group, last) : new Map([[market, 'no']])
}

/** Returns the first market that cannot get its outcome; the last one left need not be closed. */
export function refusalOf(outcomes: Outcomes, last?: DeskMarket): ResultRefusal | undefined {
  for (const [market, outcome] of outcomes) {
    if (market === last) continue
    const to = outcome === 'void' ? 'voided' : 'resolved'
    const { pendingStatus: status, pendingOutcome } = market
    if (pendingOutcome !== undefined || !canMove(status, to)) {
      return { market, status, outcome: pendingOutcome }
    }
  }
  return undefined
}

/** Returns why an exclusive group cannot get a result: it has one, the winner has lost, or it trades. */
export function resultRefusalOf(group: DeskGroup, result: GroupResult): ResultRefusal | undefined {
  const { markets, live, result: known } = group
  const isLost = result !== 'void' && !live.includes(result)
  const late = known !== undefined ? markets[0] : isLost ? result : undefined
  if (late === undefined) return refusalOf(outcomesOf(group, result))
  return { market: late, status: late.pendingStatus, outcome: late.pendingOutcome }
}

/** Marks the outcomes as on their way; returns the command that sets them, without its id. */
export function setAhead(
  { terms }: DeskGroup,
  outcomes: Outcomes,
  { sourceUrl, note }: ResultNotes,
): Omit<ResolveGroup, 'id'> {
  for (const [market, outcome] of outcomes) {
    market.pendingStatus = outcome === 'void' ? 'voided' : 'resolved'
    market.pendingOutcome = outcome
  }
  return {
    type: 'RESOLVE_GROUP',
    group: terms.code,
    outcomes: Array.from(outcomes, ([market, outcome]) => [market.terms.code, outcome] as const),
    ...(sourceUrl !== undefined && { sourceUrl }),
    ...(note !== undefined && { note }),
  }
}
