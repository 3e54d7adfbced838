import type { Held } from '../../store/companions/companion-outbox.js'
import type { Identity } from '../../backup/encryption/age-keys.js'
import type { StoreSettings } from '../../backup/stores/open-store.js'
import type { Companion } from '../../store/files/companion-files.js'
import type { ReplicationSettings } from '../replica-messages.js'

/** The place of the packs, which is that of the journal's lines. */
export type PackPlaceSettings =
  | { readonly kind: 'stream'; readonly settings: ReplicationSettings }
  | { readonly kind: 'store'; readonly settings: StoreSettings }

/** The data that the thread of the packs starts with. */
export interface PackThreadData {
  /** The tables of the exchange. */
  readonly file: string
  readonly place: PackPlaceSettings
  readonly identities: readonly Identity[]
  readonly isStandby: boolean
  /** The epoch in which the exchange leads. */
  readonly epoch: number
  /** The time at the start of the thread. */
  readonly startedAt: number
}

/** An order of the main thread. */
export type PackOrder =
  /** The files are open: what changes is to be sent, or taken. */
  | { readonly kind: 'go'; readonly companions: readonly Companion[] }
  | { readonly kind: 'changed'; readonly companion: Companion }
  /** An answer waits for the changes. */
  | { readonly kind: 'hurry' }
  | { readonly kind: 'lead'; readonly epoch: number }
  | { readonly kind: 'close' }

/** News of the thread. */
export type PackNews =
  | { readonly kind: 'opened' }
  | { readonly kind: 'warning'; readonly message: string }
  /** Rows of these tables were changed by the exchange that leads. */
  | { readonly kind: 'followed'; readonly companion: Companion; readonly tables: readonly string[] }
  | { readonly kind: 'leads' }
  | ({ readonly kind: 'held'; readonly companion: Companion } & Held)
  /** Why attempts fail; undefined once one succeeds. */
  | { readonly kind: 'failing'; readonly companion: Companion; readonly reason: string | undefined }
  /** The log cannot be used, or another exchange went on: this one must not serve. */
  | { readonly kind: 'failed'; readonly name: string; readonly message: string }
  | { readonly kind: 'closed' }
