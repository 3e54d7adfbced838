import type { BeginEpoch } from './epoch.js'
import type { KeepAmendment, KeepBatch } from './order-names.js'
import type { TimerCommand } from './order-timer.js'
import type { SeasonCommand } from './season.js'
import type { Signed } from './signed.js'
import type { Sequence } from './units.js'

/** Records in the audit log that the database file was backed up. Changes nothing else. */
export interface NoteBackup extends Signed {
  readonly type: 'NOTE_BACKUP'
  readonly id: string
  readonly file: string
  readonly bytes: number
  /** The last batch in the backup. */
  readonly sequence: Sequence
}

/** A clock that jumped ahead was confirmed. Nothing changes by it: it is for the audit log. */
export interface ConfirmClock extends Signed {
  readonly type: 'CONFIRM_CLOCK'
  readonly id: string
  /** How far the clock was ahead of the exchange. */
  readonly aheadMs: number
}

/**
 * An operator changed a webhook, or the exchange disabled one. Address and secret are no part of the journal:
 * the fingerprint tells one address from another.
 */
export interface NoteWebhook extends Signed {
  readonly type: 'CREATE_WEBHOOK' | 'EDIT_WEBHOOK' | 'DISABLE_WEBHOOK' | 'DELETE_WEBHOOK' | 'REPLAY_WEBHOOK'
  readonly id: string
  readonly webhook: string
  readonly fingerprint: string
}

/** A record in the journal that changes neither a book nor an account. */
export type Note =
  | KeepBatch
  | KeepAmendment
  | NoteBackup
  | ConfirmClock
  | NoteWebhook
  | BeginEpoch
  | TimerCommand
  | SeasonCommand

/** Tells notes on webhooks from other commands. */
export function isWebhookNote(command: { readonly type: string }): command is NoteWebhook {
  return command.type.endsWith('_WEBHOOK')
}
