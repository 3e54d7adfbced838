import type { AdminVerb } from '../../core/admin-action.js'
import type { Outcome } from '../../core/market.js'

/** One user's payment; `result` is the payment less what they have paid. */
export interface PreviewedSettlement {
  readonly userid: string
  readonly yes: number
  readonly no: number
  readonly paid: number
  readonly payment: number
  readonly result: number
}

/** `sum` is the remainder after all payments: 0 unless something is wrong. */
export interface PreviewTotals {
  readonly users: number
  readonly yes: number
  readonly no: number
  readonly escrow: number
  readonly payout: number
  readonly collected: number
  readonly shortfall: number
  readonly fees: number
  readonly sum: number
}

/** Preview of an outcome: one part of the rows, and where the next part begins. */
export interface SettlementPreview {
  readonly event_id: string
  readonly outcome: Outcome
  /** On the first part only. */
  readonly totals: PreviewTotals | null
  readonly settlements: readonly PreviewedSettlement[]
  readonly next_cursor: string | null
}

/** One action of an operator; `who` is how they authenticated, `fields` what they sent. */
export interface AdminAction {
  readonly id: string
  readonly createdAt: string
  readonly who: 'token' | 'loopback' | 'open' | 'standby' | `account:${string}`
  readonly address: string
  readonly action: AdminVerb
  readonly event_id: string | null
  readonly userid: string | null
  readonly fields: Readonly<Record<string, unknown>>
  /** The values that an edit changed, as they were before; empty for other actions and older edits. */
  readonly before: Readonly<Record<string, unknown>>
}

/** The limits that operators have set for the orders of one user. */
export interface UserLimits {
  readonly userid: string
  /** True while new orders and amendments are refused; cancels are not. */
  readonly suspended: boolean
  readonly reason: string | null
  /** In rupees. */
  readonly order_value_max: number | null
  readonly open_orders_max: number | null
  readonly changed_at: string | null
}

/** Why a backup was made; `unknown` for one that was found without a manifest, and is in order. */
export type BackupReason = 'asked' | 'scheduled' | 'before-restore' | 'unknown'

/** A copy of the exchange, as it was at one moment. */
export interface Backup {
  readonly name: string
  readonly file: string
  readonly bytes: number
  readonly createdAt: string
  /** Null, as is `sequence`, if the backup has no manifest: it is unfinished, or an older version's. */
  readonly reason: BackupReason | null
  /** The number of the last batch in it. */
  readonly sequence: number | null
  /** Null until the backup has been verified. */
  readonly verification: {
    readonly createdAt: string
    readonly ok: boolean
    readonly findings: readonly string[]
  } | null
}

/** A backup just made. */
export interface MadeBackup extends Backup {
  readonly reason: BackupReason
  readonly sequence: number
}

/** `refused` counts since the start. */
export interface ReadLoad {
  readonly running: number
  readonly waiting: number
  readonly refused: number
}

/** Outcome of the last verification of the whole file. */
export interface Verification {
  readonly result: 'ok' | 'broken' | 'failed'
  readonly createdAt: string
  readonly seconds: number
  /** The first ones, or why it failed; `count` counts all. */
  readonly findings: readonly string[]
  readonly count: number
}

/** State of the exchange: the uptime in seconds, all other times in milliseconds. */
export interface Health {
  readonly uptime: number
  readonly version: string
  readonly node: string
  readonly orders: {
    readonly total: number
    readonly per_second: number
    readonly per_second_of_minute: number
    readonly latency_p50: number | null
    readonly latency_p99: number | null
  }
  readonly shards: readonly {
    readonly shard: number
    readonly queue: number
    readonly batches_in_flight: number
  }[]
  /** Requests queued for the reader of histories, by kind. */
  readonly reads: Readonly<Record<'pages' | 'operator' | 'lookups' | 'feeds', ReadLoad>>
  /** Over TCP, whether HTTP or WebSocket. */
  readonly connections: number
  /** Held in memory until clients read them. */
  readonly unsent_bytes: number
  readonly sockets: number
  readonly subscriptions: number
  readonly accounts: number
  readonly events: number
  readonly open_orders: number
  readonly database_bytes: number
  readonly wal_bytes: number
  readonly journal_bytes: number
  readonly journal_wal_bytes: number
  readonly archive_bytes: number
  /** `low`: cancels and reads only; `full`: reads only. */
  readonly disk: {
    readonly state: 'ok' | 'low' | 'full'
    readonly free_bytes: number
    readonly reserve_bytes: number
  }
  /** Set while the clock is not trusted: timed events wait until its jump is confirmed or it is set back. */
  readonly clock: {
    readonly trusted: boolean
    readonly held_since: string | null
    readonly ahead_ms: number
  }
  readonly sequence: number
  /** How far the tables follow the journal, and the reads that wait for them. */
  readonly tables: {
    readonly sequence: number
    readonly commands_behind: number
    readonly reads_waiting: number
  }
  readonly last_backup: Backup | null
  readonly backups: {
    readonly last_verified: Backup | null
    /** The last failure of a backup or its verification since the start. */
    readonly last_failure: { readonly createdAt: string; readonly message: string } | null
    /** The name of the backup that is being verified. */
    readonly verifying: string | null
    /** When the next scheduled backup is due; null without a schedule. */
    readonly next: string | null
  }
  /** The copy of the journal elsewhere; null without one. */
  readonly replication: {
    /** The last batch that is there; null until its place has answered. */
    readonly through: number | null
    readonly batches_behind: number | null
    /** The first batch that is kept there, and the size of all; counted every six hours. */
    readonly kept_from: number | null
    readonly kept_bytes: number | null
    readonly failure: { readonly createdAt: string; readonly message: string } | null
    /** Why old batches there are not deleted. */
    readonly trim_failure: { readonly createdAt: string; readonly message: string } | null
  } | null
  readonly role: 'leader' | 'standby'
  /** How a standby follows the log of the exchange that leads; null for that one. */
  readonly following: {
    /** The last batch of the log; null until the log has said it. */
    readonly log_end: number | null
    readonly batches_behind: number | null
    /** How long ago the standby had all of the log. */
    readonly lag_ms: number
    /** Why the log does not answer. */
    readonly failure: string | null
  } | null
  readonly last_verification: Verification | null
  readonly event_loop_delay: { readonly p50: number; readonly p99: number; readonly max: number }
}

/** How the exchange was over a range of time: one entry of each list a step, the oldest first. */
export interface HealthHistory {
  readonly step_seconds: number
  /** Epoch milliseconds. */
  readonly times: readonly number[]
  readonly orders_per_second: readonly number[]
  /** In milliseconds, as is the delay; null where there were no orders. */
  readonly latency_p99: readonly (number | null)[]
  /** Commands waiting at all shards. */
  readonly queue: readonly number[]
  readonly event_loop_delay: readonly number[]
  readonly connections: readonly number[]
  readonly memory_bytes: readonly number[]
  readonly disk_free_bytes: readonly number[]
}

/** An exchange that leads, and its last batch. */
export interface Promoted {
  readonly sequence: number
}

/** A confirmed jump of the clock, and the exchange's time from then on. */
export interface ConfirmedClock {
  readonly ahead_ms: number
  readonly time: string
}

/** Result of checking that the money adds up, rule by rule; `findings` if it does not. */
export interface LedgerReport {
  readonly ok: boolean
  readonly sequence: number
  readonly checks: readonly { readonly rule: string; readonly ok: boolean }[]
  readonly findings?: readonly string[] | undefined
  readonly accounts: number
  readonly events: number
  readonly open_orders: number
}

/** The fees of one event on one day, in UTC. */
export interface DayOfFees {
  /** Such as 2026-11-24. */
  readonly date: string
  readonly event_id: string
  readonly fees: number
}

/** The versions of an exchange's software: `0.1.0`, `v22.23.0`. */
export interface Version {
  readonly version: string
  readonly node: string
}

/** One finding about the machine and the data of an exchange. */
export interface Check {
  readonly name: string
  /** `fail`: an exchange would not start, or not keep its promises. */
  readonly result: 'ok' | 'warn' | 'fail'
  readonly found: string
  /** The way to fix it; absent if the result is ok. */
  readonly advice?: string | undefined
}

/** The findings about a running exchange. */
export interface DoctorReport {
  /** False if any result is `fail`. */
  readonly ok: boolean
  readonly checkedAt: string
  readonly checks: readonly Check[]
}
