import type { OneTimeCodes } from '../one-time-codes.js'
import type { AccessContext, Author } from './access-context.js'
import type { Account, Accounts } from './accounts.js'
import type { ApiKeys } from './api-keys.js'
import { withdrawUnused } from './made-credentials.js'
import type { RecoveryLinks } from './recovery-links.js'
import type { Sessions } from './sessions.js'

/** The numbers of credentials that ended with a password. */
export interface EndedWithPassword {
  readonly sessions: number
  readonly invitations: number
  readonly keys: number
}

interface Parts {
  readonly context: AccessContext
  readonly accounts: Accounts
  readonly sessions: Sessions
  readonly keys: ApiKeys
  readonly recoveryLinks: RecoveryLinks
  /** The unused codes of links that admins made, with the session of each. */
  readonly adminCodes: OneTimeCodes<number | undefined>
}

interface NewPassword {
  readonly account: Account
  readonly hash: string
  /** True to revoke the account's keys, and those that it made for others. */
  readonly endsKeys: boolean | undefined
  /** The session that stays. */
  readonly kept?: number | undefined
  readonly kind: 'password_changed' | 'recovered'
  readonly author: Author
}

/**
 * Stores a password, and ends all sessions of the account but one, and the links and invitations that it made
 * and nobody has used: someone with a stolen session may have made them. `then` joins the transaction.
 * Returns its result, and how much has ended.
 */
export function replacePassword<Result extends object>(
  { context, accounts, sessions, keys, recoveryLinks, adminCodes }: Parts,
  { account, hash, endsKeys, kept, kind, author }: NewPassword,
  then: () => Result,
): Result & { readonly ended: EndedWithPassword } {
  const { database, audit, endings } = context
  const { credentials, ended, result } = database.transaction(() => {
    accounts.setPassword(account, hash)
    recoveryLinks.end(account)
    const invitations = withdrawUnused(database, account.name)
    const revoked = endsKeys === true ? keys.deleteMadeBy(account) : []
    const others = sessions.deleteOthers(account, kept)
    const counts = { sessions: others.length, invitations, keys: revoked.length }
    audit.write(kind, { name: account.name, ...author, detail: endedText(counts) })
    return { credentials: [...others, ...revoked], ended: counts, result: then() }
  })()

  // After this point all of that is gone from the disk.
  if (kept !== undefined) adminCodes.endOf(kept)
  endings.report(credentials)
  return { ...result, ended }
}

function endedText(ended: EndedWithPassword): string {
  return Object.entries(ended)
    .filter(([, count]) => count > 0)
    .map(([what, count]) => `${what} ended: ${count}`)
    .join(', ')
}
