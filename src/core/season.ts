import type { Signed } from './signed.js'
import type { Amount, TimeMs } from './units.js'

/** The most seasons that were ever created, those that were deleted included. */
export const SEASONS_MAX = 1000

/** A season, as an operator plans it. */
export interface SeasonTerms {
  readonly name: string
  readonly startsAt: TimeMs
  /** The first moment after it. */
  readonly endsAt: TimeMs
  /** The money of each user at its start, with what they have in events that are not over. */
  readonly stake: Amount
}

/** A season, as its commands leave it. */
export interface Season extends SeasonTerms {
  /** From 1 on, in the order of their creation. */
  readonly number: number
  /** When its turn began: results count from then on. Undefined before. */
  readonly begunAt: TimeMs | undefined
  /** When all accounts had their stake, and trading went on. */
  readonly turnedAt: TimeMs | undefined
  /** True if it was deleted before its start. */
  readonly isDropped: boolean
}

/** Creates a season, or changes one that has not begun. Changes neither a book nor an account. */
export interface KeepSeason extends SeasonTerms, Signed {
  readonly type: 'KEEP_SEASON'
  readonly id: string
  readonly season: number
  /** True if it is there already. */
  readonly isEdit: boolean
}

/** Deletes a season that has not begun. */
export interface DropSeason extends Signed {
  readonly type: 'DROP_SEASON'
  readonly id: string
  readonly season: number
}

/**
 * Begins the turn of a season: no order is taken until it ends. Cancels of all orders follow, then a transfer
 * for each user whose cash is not what the season gives them.
 */
export interface BeginSeason {
  readonly type: 'BEGIN_SEASON'
  readonly id: string
  readonly season: number
}

/** Ends the turn of a season: all is done. */
export interface EndTurn {
  readonly type: 'END_TURN'
  readonly id: string
  readonly season: number
}

export type SeasonCommand = KeepSeason | DropSeason | BeginSeason | EndTurn

/** Tells the commands of seasons from others. */
export function isForSeason(command: { readonly type: string }): command is SeasonCommand {
  switch (command.type) {
    case 'KEEP_SEASON':
    case 'DROP_SEASON':
    case 'BEGIN_SEASON':
    case 'END_TURN':
      return true
    default:
      return false
  }
}

/** Returns a season after a command of a batch at a time. */
export function seasonAfter(before: Season | undefined, command: SeasonCommand, at: TimeMs): Season {
  const { season: number } = command
  if (command.type === 'KEEP_SEASON') {
    const { name, startsAt, endsAt, stake } = command
    return {
      number,
      name,
      startsAt,
      endsAt,
      stake,
      begunAt: undefined,
      turnedAt: undefined,
      isDropped: false,
    }
  }
  if (before === undefined) throw new Error(`no season ${number} was created`)
  if (command.type === 'DROP_SEASON') return { ...before, isDropped: true }
  return command.type === 'BEGIN_SEASON' ? { ...before, begunAt: at } : { ...before, turnedAt: at }
}

/** Tells whether trading has to wait for a season's turn. */
export function isTurning({ begunAt, turnedAt }: Season): boolean {
  return begunAt !== undefined && turnedAt === undefined
}

/**
 * Returns what a season's turn makes of a user's cash.
 *
 * @param paid what they have put into events and groups that are not over; negative if they took more out
 */
export function cashAtTurn({ stake }: SeasonTerms, paid: number): Amount {
  return Math.max(0, stake - paid) as Amount
}

/** Returns the id of the transfer that a turn makes for an account. */
export const turnTxnId = (season: number, account: number) => `season:${season}:${account}`
