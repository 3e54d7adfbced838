import type { MessagePort } from 'node:worker_threads'
import type { Sequence } from '../core/units.js'
import type { JournalRow } from '../store/journal.js'
import type { LogEnd } from './journal-log.js'
import type { Withdrawal } from './jetstream/lease-wish.js'
import type { NatsTlsFiles } from './jetstream/nats-place.js'

/** How long an answer waits: `sync` until the log holds its line, `async` for this disk alone. */
export type ReplicationMode = 'sync' | 'async'

/** The log that the journal's lines go to, as the settings have it. */
export interface ReplicationSettings {
  readonly to: string
  readonly mode: ReplicationMode
  /** Paths of files with logins: of the exchange's user, and of one of the system account. */
  readonly login: string | undefined
  readonly systemLogin: string | undefined
  readonly tls: NatsTlsFiles
  readonly allowUnsynced: boolean
  readonly replicas: number
}

/** Asks for lines to be deleted from a log if nobody needs them. */
export interface TrimOrder {
  /** The ends of the verified backups of this exchange. */
  readonly backups: readonly LogEnd[]
  /** Lines from before this time. */
  readonly before: number
}

/** The first line that a log keeps, undefined if it is empty, and the size of all its lines. */
export interface ReplicaExtent {
  readonly from: Sequence | undefined
  readonly bytes: number
}

/** The lines of a log once it was trimmed, if it answers; and why nothing could be deleted. */
export interface Trimmed {
  readonly kept: ReplicaExtent | undefined
  readonly failure: string | undefined
}

/** The data that the thread starts with. */
export interface ReplicaThreadData {
  readonly file: string
  readonly settings: ReplicationSettings
  /** How long lines are kept that a verified backup has. */
  readonly keepMs: number
  /** Follows the log, until the exchange that leads is gone. */
  readonly isStandby: boolean
  /** The memory of a `LeaseWatch`. */
  readonly lease: SharedArrayBuffer
}

/** An order of the main thread to that of the replica. */
export type ReplicaOrder =
  | { readonly kind: 'rows'; readonly port: MessagePort }
  /** A standby's exchange is open: its lines may come, and its time to lead. */
  | { readonly kind: 'follow' }
  /** It has these lines on its disk. */
  | { readonly kind: 'followed'; readonly sequence: Sequence }
  /** Asks the exchange that leads to make way, or no longer does. */
  | { readonly kind: 'ask' | 'withdraw' }
  /** Nothing more will be decided: gives the lease up. */
  | { readonly kind: 'release' }
  /** The line that begins its time. */
  | { readonly kind: 'epoch'; readonly row: JournalRow }
  | ({ readonly kind: 'trim' } & TrimOrder)
  | { readonly kind: 'close' }

/** News of the replica's thread. */
export type ReplicaNews =
  | { readonly kind: 'warning'; readonly message: string }
  | { readonly kind: 'ready'; readonly held: Sequence; readonly pulled: number; readonly orphans: number }
  | { readonly kind: 'held'; readonly sequence: Sequence }
  /** Lines of the exchange that leads. */
  | { readonly kind: 'lines'; readonly rows: readonly JournalRow[] }
  /** The log's last line, as it just said; or why it says nothing. */
  | { readonly kind: 'end'; readonly sequence: Sequence }
  | { readonly kind: 'silent'; readonly message: string }
  /** This exchange has the lease and all lines: it is to begin its time. */
  | { readonly kind: 'free' }
  /** The log holds the line that begins it. */
  | { readonly kind: 'leads'; readonly sequence: Sequence; readonly mode: ReplicationMode }
  | { readonly kind: 'withdrawn'; readonly how: Withdrawal }
  | { readonly kind: 'released' }
  | ({ readonly kind: 'trimmed' } & Trimmed)
  /** Another exchange asks this one to make way. */
  | { readonly kind: 'asked'; readonly by: string }
  /** The lease was renewed. */
  | { readonly kind: 'renewed' }
  /** Why the log takes no lines, or does not answer; undefined once it does again. */
  | { readonly kind: 'trouble'; readonly reason: string | undefined }
  | { readonly kind: 'closed' }
  | { readonly kind: 'failed'; readonly name: string; readonly message: string }

/** News of an exchange that follows. */
export type FollowNews = Extract<
  ReplicaNews,
  { readonly kind: 'lines' | 'end' | 'silent' | 'free' | 'leads' }
>

/** News once the log is open. */
export type HeardNews = Exclude<
  ReplicaNews,
  { readonly kind: 'warning' | 'ready' | 'closed' | 'asked' | 'failed' }
>

/** Why a log takes no lines, and since when. */
export interface LogFailure {
  readonly at: number
  readonly message: string
}

/** The part of a thread that is used. */
export interface ReplicaThread {
  postMessage(order: ReplicaOrder, transferred?: readonly MessagePort[]): void
  on(event: 'message', heard: (news: ReplicaNews) => void): unknown
  on(event: 'error', heard: (error: Error) => void): unknown
  on(event: 'exit', heard: () => void): unknown
  terminate(): unknown
}
