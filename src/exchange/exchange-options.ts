import type { BackupStore } from '../backup/backup-store.js'
import type { Examination } from '../backup/examination.js'
import type { Amount } from '../core/units.js'
import type { FollowerMode } from '../follower/batch-source.js'
import type { ReplicaLink } from '../shard/replica-link.js'
import type { Room } from '../store/room-state.js'
import type { HouseBudgets } from './house/house-budgets.js'
import type { FeeSettings } from './markets/fee-rates.js'
import type { BackupNews } from './operations/backup-news.js'
import type { Sources } from './sources.js'

/** The limits that operators have set for one user's orders; cancels are always allowed. */
export interface OrderLimits {
  readonly isSuspended: boolean
  /** The most that one order may be worth; undefined where only the event's own bound applies. */
  readonly orderValueMax: Amount | undefined
  /** The most open orders; undefined where only the bound of all users applies. */
  readonly openOrdersMax: number | undefined
}

export interface ExchangeOptions {
  /** How the follower takes batches; by default, as their shards told them. */
  readonly follower?: FollowerMode
  /** The path of the database file. */
  readonly file: string
  readonly shardCount: number
  /** Runs shards and readers in worker threads. */
  readonly threads: boolean
  /** The most commands that may wait at a shard; further orders are refused with 503. */
  readonly queueLengthMax: number
  /** The most events neither settled nor voided; further ones are refused with 503. */
  readonly eventsMax: () => number
  /** The most open orders of one user, further ones are refused with 409; unlimited by default. */
  readonly openOrdersMax?: number
  /** Returns the limits of a user's orders, undefined without any; asked for each order. */
  readonly limitsOf?: (userId: string) => OrderLimits | undefined
  /** The fee rates of events that have none of their own; by default there are no fees. */
  readonly fees?: FeeSettings
  /** The money of house quotes; unlimited by default, and none for new markets. */
  readonly house?: HouseBudgets
  /** The starting balance of a new user. */
  readonly startingBalance: Amount
  readonly sources: Sources
  /** The room on the disk; unlimited by default. */
  readonly room?: Room
  /** Backups; by default in `backups` beside the file. */
  readonly backups?: BackupOptions
  /** Another log, which must hold each batch before anyone hears of it; by default there is none. */
  readonly replica?: ReplicaLink | undefined
  /** Follows another exchange, whose rows it is given, until it is to lead; by default it leads. */
  readonly standby?: boolean
  /** How long memory keeps an event that is over; by default until no trade is of its last day. */
  readonly forgetAfterMs?: number
  /** Called on an unrecoverable error: the process must stop. */
  readonly fail: (error: Error) => void
}

export interface BackupOptions {
  readonly store: BackupStore
  /** The version of Raay, for the manifests. */
  readonly version: string
  /** Examines each backup after it is made; without it, none is verified unless it is asked for. */
  readonly examine?: (copy: string, signal: AbortSignal) => Promise<Examination>
  /** How long a stop waits for a backup, for tests. */
  readonly closeWithinMs?: number
  /** Called with news of backups, for the log. */
  readonly told?: (news: BackupNews) => void
}
