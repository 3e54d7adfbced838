import type { Command, SettledPosition } from '../../../src/core/command.js'
import type { Outcome } from '../../../src/core/market.js'
import type { MarketCode } from '../../../src/core/units.js'

/**
 * The points of a batch at which the process dies; the transaction is the journal's. A failing write, or a
 * commit that took effect and failed, only throws an error: the exchange must stop by itself.
 */
export const BATCH_POINTS = [
  'between batches',
  'before the transaction',
  'at a write',
  'as a write fails',
  'at the commit',
  'as the commit fails',
  'after the commit',
  'while taken over',
  'between publications',
] as const
export type BatchPoint = (typeof BATCH_POINTS)[number]

/** How far the follower has come when the process dies, whatever the batches are about that it writes. */
export const TABLE_POINTS = [
  'before the tables',
  'at a row of the tables',
  'as a row of the tables fails',
  'at the commit of the tables',
  'as the commit of the tables fails',
  'after the tables',
  'before a checkpoint',
  'after a checkpoint',
] as const
export type TablePoint = (typeof TABLE_POINTS)[number]

export const CRASH_POINTS = [...BATCH_POINTS, ...TABLE_POINTS] as const
export type CrashPoint = BatchPoint | TablePoint

/** The contents of a batch whose crashes are counted separately. */
export const CRASH_LOADS = [
  'orders',
  'amendment',
  'edit',
  'transfer',
  'clear part',
  'resolution',
  'settlement part',
  'void with shortfall',
] as const
/** The same of groups, which only some seeds play. */
export const GROUP_LOADS = ['conversion', 'group result', 'group settlement part', 'group void part'] as const
/** The same of house quotes. */
export const HOUSE_LOADS = ['house funding', 'house requote', 'house stop', 'house return'] as const
export type CrashLoad =
  | (typeof CRASH_LOADS)[number]
  | (typeof GROUP_LOADS)[number]
  | (typeof HOUSE_LOADS)[number]

/** The commands queued so far. */
export interface KnownCommands {
  readonly outcomes: ReadonlyMap<MarketCode, Outcome>
  /** By market, the group that it is an outcome of; a group's own code leads to itself. */
  readonly groups: ReadonlyMap<MarketCode, MarketCode>
}

/** The next batch that holds `load` dies at `point`. */
export interface CrashPlan {
  readonly point: CrashPoint
  /** Undefined if any batch will do, as for the points of the tables. */
  readonly load: CrashLoad | undefined
  /** The number of the last write of the transaction, or of the last publication of the batch. */
  readonly nth: number
}

/** Returns true for points at which the disk fails, and the exchange has to stop itself. */
export function isFailure(point: CrashPoint | 'at the start'): boolean {
  return point.endsWith(' fails')
}

/** The error the machine throws into the exchange when it dies. */
export class Crash extends Error {
  override readonly name = 'Crash'
}

/** The error of a failing disk; the machine stays up. */
export class DiskError extends Error {
  override readonly name = 'DiskError'
}

/** Finds the counted loads among commands; the outcomes say which markets are voided. */
export function loadsOf(commands: Iterable<Command>, { outcomes, groups }: KnownCommands): Set<CrashLoad> {
  const loads = new Set<CrashLoad>()
  for (const command of commands) {
    if (command.type === 'CREATE_ORDER') loads.add('orders')
    if (command.type === 'REDUCE_ORDER' || command.type === 'REPLACE_ORDER') loads.add('amendment')
    if (command.type === 'EDIT_MARKET') loads.add('edit')
    if (command.type === 'TRANSFER_MONEY') loads.add('transfer')
    if (command.type === 'CLEAR_BOOK') loads.add('clear part')
    if (command.type === 'RESOLVE_MARKET') loads.add('resolution')
    if (command.type === 'CONVERT') loads.add('conversion')
    if (command.type === 'RESOLVE_GROUP') loads.add('group result')
    if (command.type === 'FUND_QUOTES') loads.add('house funding')
    if (command.type === 'REQUOTE_HOUSE') loads.add('house requote')
    if (command.type === 'STOP_QUOTES') loads.add('house stop')
    if (command.type === 'RETURN_HOUSE_MONEY') loads.add('house return')
    if (command.type !== 'SETTLE_POSITIONS') continue
    loads.add('settlement part')
    const group = groups.get(command.market)
    if (group !== undefined) loads.add(group === command.market ? 'group void part' : 'group settlement part')
    const isVoid = outcomes.get(command.market) === 'void'
    if (isVoid && command.positions.some(hasShortfall)) loads.add('void with shortfall')
  }
  return loads
}

/** Returns true if a user ahead in a voided market owes more than the desk can hold. */
export function hasShortfall([, , , paid, held]: SettledPosition): boolean {
  return paid < 0 && held < -paid
}
