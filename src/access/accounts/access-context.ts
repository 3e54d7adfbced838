import type { Database } from '../../store/database.js'
import type { AuditLog } from './audit-log.js'
import type { Endings } from './endings.js'

/** Shared by all parts of the store of accounts. */
export interface AccessContext {
  readonly database: Database
  /** Epoch milliseconds. */
  readonly now: () => number
  readonly random: (bytes: number) => Buffer
  readonly audit: AuditLog
  readonly endings: Endings
}

/** The author of changes made with the key of the operator, or in a session that it opened. */
export const OPERATOR = 'operator key'

/** The author of a change, as the audit log names it: an account, or `OPERATOR`. */
export interface Author {
  readonly by: string
  readonly address: string
}

/** The browser or program at the other end. */
export interface Client {
  readonly address: string
  /** Its User-Agent. */
  readonly browser: string
}
