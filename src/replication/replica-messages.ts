import type { MessagePort } from 'node:worker_threads'
import type { Sequence } from '../core/units.js'
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

/** The data that the thread starts with. */
export interface ReplicaThreadData {
  readonly file: string
  readonly settings: ReplicationSettings
}

/** An order of the main thread to that of the replica. */
export type ReplicaOrder = { readonly kind: 'rows'; readonly port: MessagePort } | { readonly kind: 'close' }

/** News of the replica's thread. */
export type ReplicaNews =
  | { readonly kind: 'warning'; readonly message: string }
  | { readonly kind: 'ready'; readonly held: Sequence; readonly pulled: number; readonly orphans: number }
  | { readonly kind: 'held'; readonly sequence: Sequence }
  | { readonly kind: 'closed' }
  | { readonly kind: 'failed'; readonly name: string; readonly message: string }
