import type { CompanionWriter } from '../../store/companions/companion.js'
import type { Identity } from '../identity.js'
import type { AuditLog } from './audit-log.js'
import type { Endings } from './endings.js'

/** Shared by all parts of the store of accounts. */
export interface AccessContext {
  readonly database: CompanionWriter
  /** Epoch milliseconds. */
  readonly now: () => number
  /** A monotonic clock in milliseconds, for waits that no jump of the clock may change. */
  readonly watch: () => number
  readonly random: (bytes: number) => Buffer
  readonly audit: AuditLog
  readonly endings: Endings
  /** The hash of the operator's key: what another key has opened or made ends. */
  readonly issuer: string
}

/** The author of changes made with the key of the operator. */
export const OPERATOR = 'operator key'

/** The author of a change, as the audit log names it: an account, `OPERATOR`, or a session that it opened. */
export interface Author {
  readonly by: string
  readonly address: string
  /** Set for those who act by the operator's key: what they make ends when it changes. */
  readonly isOperator?: true
  /** The number of the session in which it is done, if it is one of an account. */
  readonly session?: number
}

/** Returns the author of a caller's changes. */
export function authorOf({ kind, userId, credential }: Identity, address: string): Author {
  if (kind === 'operator_key') return { by: OPERATOR, address, isOperator: true }
  if (kind === 'session') {
    return { by: userId ?? '', address, session: Number(credential?.replace('session:', '')) }
  }
  if (kind !== 'operator_session') return { by: userId ?? '', address }
  return { by: `operator ${credential?.replace(':', ' ')}`, address, isOperator: true }
}

/** Returns the user ids of the exchange that fold to a name. */
export type UsersLike = (folded: string) => readonly string[]

/** The browser or program at the other end. */
export interface Client {
  readonly address: string
  /** Its User-Agent. */
  readonly browser: string
}
