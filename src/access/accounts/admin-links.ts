import type { Identity } from '../identity.js'
import type { OneTimeCode, OneTimeCodes } from '../one-time-codes.js'
import { SCOPES } from '../scopes.js'
import type { AccessContext, Author, Client } from './access-context.js'
import type { Accounts } from './accounts.js'
import type { Credentials } from './credentials.js'
import type { OpenedSession, Sessions } from './sessions.js'
import type { SignIn } from './sign-in.js'

interface Parts {
  readonly context: AccessContext
  readonly credentials: Credentials
  readonly accounts: Accounts
  readonly sessions: Sessions
  readonly signIn: SignIn
  /** The session that made each code; undefined if the operator's key did. */
  readonly codes: OneTimeCodes<number | undefined>
}

/**
 * Links that sign one browser in as the one who made them. A link and the session it opens have the rights of
 * their maker, and end when the maker's session does.
 */
export class AdminLinks {
  readonly #parts: Parts

  constructor(parts: Parts) {
    this.#parts = parts
  }

  /** Makes a link's code, for the operator's key and for sessions of admins with all scopes. */
  make(caller: Identity, author: Author): OneTimeCode | 'admin_only' | 'session_needed' {
    const { kind } = caller
    if (kind === 'operator_key') return this.#made(undefined, author)
    if (kind !== 'session' && kind !== 'operator_session') return 'session_needed'
    if (!isFullAdmin(caller)) return 'admin_only'
    return this.#made(sessionOf(caller), author, caller.expiresAt)
  }

  /** Makes a code for the terminal of the start, where the operator's key can be read as well. */
  makeAtStart(): OneTimeCode {
    return this.#parts.codes.make(undefined)
  }

  /** Uses a code up and opens a session, unless its maker could no longer make it. */
  redeem(code: string, client: Client): OpenedSession | 'code_wrong' {
    const { credentials, accounts, sessions, signIn, codes } = this.#parts
    const used = codes.use(code)
    if (used === undefined) return 'code_wrong'
    if (used.maker === undefined) return sessions.openOperator(client, 'with a code')
    const maker = credentials.findSession(used.maker)
    if (maker === undefined || !isFullAdmin(maker)) return 'code_wrong'
    const opener = { id: used.maker, endsAt: maker.expiresAt ?? 0 }
    const how = `link of session ${used.maker}`
    if (maker.userId === undefined) return sessions.openOperator(client, how, opener)
    const account = accounts.named(maker.userId)
    return account === undefined ? 'code_wrong' : signIn.openSession(account, client, how, { opener }).session
  }

  #made(maker: number | undefined, author: Author, expiresAtMax?: number): OneTimeCode {
    this.#parts.context.audit.write('admin_link', { name: '', ...author, detail: '' })
    return this.#parts.codes.make(maker, expiresAtMax)
  }
}

function isFullAdmin({ role, scopes }: Identity): boolean {
  return role === 'admin' && SCOPES.every(scope => scopes.has(scope))
}

/** Returns the number of a caller's session. */
export function sessionOf({ credential }: Identity): number {
  return Number(credential?.replace('session:', ''))
}
