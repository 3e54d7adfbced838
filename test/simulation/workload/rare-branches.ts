import type { ConversionRefusal } from '../../../src/core/conversion.js'
import type { CancelReason, OrderState, Refusal } from '../../../src/core/order.js'
import type { BatchPoint, CrashLoad, CrashPoint } from '../world/crash.js'
import { FUNDING_REFUSALS } from '../judges/house-judge.js'
import { BATCH_POINTS, CRASH_LOADS, CRASH_POINTS, GROUP_LOADS, HOUSE_LOADS } from '../world/crash.js'

export type AnsweredState = Exclude<OrderState, 'queued' | 'expired'>

const REFUSALS: Readonly<Record<Refusal, true>> = {
  market_not_open: true,
  market_halted: true,
  market_closed: true,
  order_expired: true,
  order_would_take: true,
  order_changed: true,
  position_insufficient: true,
  price_out_of_range: true,
  price_off_tick: true,
  quantity_off_step: true,
  quantity_too_large: true,
  bet_below_min: true,
  bet_above_max: true,
  funds_insufficient: true,
}
/**
 * The books of a run are too small for `match_limit`, which the test of deep books reaches; and there are no
 * sockets.
 */
const CANCELS: Readonly<
  Record<Exclude<CancelReason, 'match_limit' | 'season_turn' | 'user_disconnected'>, true>
> = {
  user_cancelled: true,
  timer_ended: true,
  self_trade: true,
  no_liquidity: true,
  funds_insufficient: true,
  bet_above_max: true,
  event_capacity: true,
  market_closed: true,
  order_expired: true,
  fill_or_kill: true,
  order_replaced: true,
  quotes_replaced: true,
}
/** The states of an order in its first answer; no order expires in the batch of its arrival. */
const ANSWERS: Readonly<Record<AnsweredState, true>> = {
  resting: true,
  partially_filled: true,
  filled: true,
  cancelled: true,
  rejected: true,
}

/** The loads that publish several messages, so that a crash between two of them is possible. */
const SPOKEN_LOADS: ReadonlySet<CrashLoad> = new Set([
  'orders',
  'amendment',
  'clear part',
  'resolution',
  'group result',
  'house requote',
  'house stop',
])

const CONVERSION_REFUSALS = [
  'answer: conversion group_resolved',
  'answer: conversion group_not_open',
  'answer: conversion outcome_resolved',
  'answer: conversion contracts_insufficient',
  'answer: conversion funds_insufficient',
  'answer: conversion capacity_used',
] as const satisfies readonly `answer: conversion ${ConversionRefusal}`[]

const OTHERS = [
  'user far behind reads on in pages',
  'answer: busy',
  'answer: slug_used',
  'answer: codes or accounts full',
  'answer: move refused',
  'answer: moved once more',
  'answer: edit done',
  'answer: edit slug_used',
  'answer: edit edit_too_late',
  'answer: edit dates_crossed',
  'answer: edit bets_crossed',
  'answer: edit capacity_used',
  'edit refused by its shard',
  'edit closed a market',
  'order in flight refused by an edit',
  'market order in flight cut by an edit',
  'crash: unanswered edit was done',
  'crash: unanswered edit was not done',
  'answer: resolved once more',
  'answer: another outcome refused',
  'answer: not to be resolved yet',
  'answer: transfer refused for want of funds',
  'answer: transfer of an unknown user',
  'answer: one txn_id, the same body',
  'answer: one txn_id, another body',
  'answer: cancel of what had ended',
  'answer: cancel of nothing',
  'two of one txn_id at once',
  'answer: one key, the same order',
  'answer: one key, the order that replaced it',
  'answer: one key, another order',
  'answer: one key, an order that has ended since',
  'answer: smaller where it stands',
  'answer: quote kept',
  'answer: quote reduced',
  'answer: quote placed',
  'answer: an order in the stead of another',
  'answer: amendment refused, the order stays',
  'answer: amendment ends what was filled further',
  'answer: amendment of what had ended',
  'answer: amendment of nothing',
  'answer: all of a user cancelled',
  'two of one key at once',
  'answer: one batch name, the same orders',
  'answer: one batch name, another batch',
  'answer: one batch name, an order that had no room before',
  'two of one batch name at once',
  'two amendments at once',
  'one amendment twice at once',
  'smaller and filled in one batch',
  'cancelled behind a full queue',
  'made smaller behind a full queue',
  'clock stood still',
  'clock went back',
  'clock opened a market',
  'clock closed a market',
  'memory forgot an event',
  'order for a forgotten event',
  'order expired although its queue was slow',
  'order too late for its valid_until',
  'order in flight as its market closed',
  'order in flight as its market was resolved',
  'pairs merged',
  'pairs burnt by a fill',
  'paid a fee',
  'met oneself: traded',
  'met oneself: the resting order went',
  'settled in several parts',
  'cleared in several parts',
  'void: user ahead paid',
  'void: shortfall',
  'withdrew everything',
  'crash at the start',
  'crash while the tables are created',
  'crash while the journal is moved',
  'crash while the tables catch up',
  'crash with a torn log',
  'crash with unsynced tables lost',
  'crash with the tables level',
  'crash with the tables one batch behind',
  'crash with the tables many batches behind',
  'start replays the tail of the journal',
  'start on a backup beside its journal',
  'start on a backup with its journal inside',
  'start on a backup whose tables are level',
  'read waited for the tables',
  'look-up answered from fresh rows',
  'list shows what was answered while the tables were behind',
  'crash: unanswered transfer was done',
  'crash: unanswered transfer was not done',
  'crash: unanswered order was taken',
  'crash: unanswered order was not taken',
  'crash: unanswered amendment was taken',
  'crash: unanswered amendment was not taken',
  'crash: unanswered action was logged',
  'crash: unanswered action was not logged',
  'crash: unanswered key was taken',
  'crash: unanswered key was not taken',
  'crash: unanswered batch was taken whole',
  'crash: unanswered batch was taken in part',
  'crash: unanswered batch was not taken',
  'crash: unanswered resolution was kept',
  'settlement resumed after a crash',
  'clearing resumed after a crash',
  'restart in good order',
  'restart with another number of shards',
  'restart finds pairs to merge',
  'group with None of these',
  'independent group',
  'answer: group slug_used',
  'answer: conversion release',
  'answer: conversion build',
  'answer: conversion of a complete set',
  'answer: one name, the same conversion',
  'answer: one name, another conversion',
  'answer: conversion busy',
  'answer: outcome eliminated',
  'answer: group won',
  'answer: group void',
  'answer: group void after an elimination',
  'answer: group result refused',
  'answer: group resolved once more',
  'conversion refused by its shard',
  'group lived with more NO than YES',
  'group lived with more YES than NO',
  'order in flight as its group was resolved',
  'crash: unanswered conversion was made',
  'crash: unanswered conversion was not made',
  'crash: unanswered group result was kept',
  'group settlement resumed after a crash',
  ...CONVERSION_REFUSALS,
  'answer: quotes funded',
  'answer: quotes of a group funded',
  'answer: quotes funded again',
  'answer: quotes stopped',
  ...FUNDING_REFUSALS.map(refusal => `answer: quotes ${refusal}` as const),
  'quotes funded by the settings',
  'house sold',
  'house bought',
  'house took a better price',
  'house order ended at the capacity',
  'house order refused by its shard',
  'house lost money',
  'house gained money',
  'house quoted again by a start',
  'house money returned by a start',
] as const

export type RareBranch =
  | (typeof OTHERS)[number]
  | `refused ${Refusal}`
  | `cancelled ${CancelReason}`
  | `answer: order ${AnsweredState}`
  | `crash ${CrashPoint}`
  | `crash ${BatchPoint}, ${CrashLoad}`

/** Every possible combination of crash point and load. */
export const CRASHES = crashesOf(CRASH_LOADS)
/** The same of groups. */
export const GROUP_CRASHES = crashesOf(GROUP_LOADS)
/** The same of house quotes. */
export const HOUSE_CRASHES = crashesOf(HOUSE_LOADS)

function crashesOf(
  loads: readonly CrashLoad[],
): readonly { readonly point: BatchPoint; readonly load: CrashLoad }[] {
  return BATCH_POINTS.flatMap(point =>
    loads
      .filter(load => point !== 'between publications' || SPOKEN_LOADS.has(load))
      .map(load => ({ point, load })),
  )
}

const keys = <Key extends string>(record: Readonly<Record<Key, true>>) => Object.keys(record) as Key[]
const ALL: readonly RareBranch[] = [
  ...keys(REFUSALS).map(reason => `refused ${reason}` as const),
  ...keys(CANCELS).map(reason => `cancelled ${reason}` as const),
  ...keys(ANSWERS).map(state => `answer: order ${state}` as const),
  ...CRASH_POINTS.map(point => `crash ${point}` as const),
  ...[...CRASHES, ...GROUP_CRASHES, ...HOUSE_CRASHES].map(
    ({ point, load }) => `crash ${point}, ${load}` as const,
  ),
  ...OTHERS,
]

/** Counts how often runs took each rare branch: a branch never taken proves nothing. */
export class RareBranches {
  readonly #counts = new Map<string, number>(ALL.map(branch => [branch, 0]))

  count(branch: RareBranch, isReached = true): void {
    if (isReached) this.#counts.set(branch, (this.#counts.get(branch) ?? 0) + 1)
  }

  /** Adds the counts of another run. */
  add(counts: Readonly<Record<string, number>>): void {
    for (const [branch, count] of Object.entries(counts))
      this.#counts.set(branch, (this.#counts.get(branch) ?? 0) + count)
  }

  /** Returns the number of crashes. */
  get crashes(): number {
    const points = ['crash at the start', ...CRASH_POINTS.map(point => `crash ${point}`)]
    return points.reduce((sum, branch) => sum + (this.#counts.get(branch) ?? 0), 0)
  }

  missing(): string[] {
    return ALL.filter(branch => this.#counts.get(branch) === 0)
  }

  toJSON(): Record<string, number> {
    return Object.fromEntries(this.#counts)
  }

  toString(): string {
    return Array.from(this.#counts, ([branch, count]) => `${String(count).padStart(9)}  ${branch}`).join('\n')
  }
}
