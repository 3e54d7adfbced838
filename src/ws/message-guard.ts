import type { Access } from '../access/access.js'
import type { Identity } from '../access/identity.js'
import { mayActFor, mayReadMarkets } from '../access/rights.js'
import type { Scope } from '../access/scopes.js'
import type { Message } from '../api/channels/message.js'
import { isForStandbys } from '../api/channels/message.js'
import { REFUSED } from '../api/refusal-texts.js'
import { scopeMissing } from '../api/scope-missing.js'
import { busy } from '../doors/capacity-refusal.js'
import type { Exchange } from '../exchange/exchange.js'
import { refusedBy } from './budget.js'
import type { Refused } from './connection.js'

const NO_USER: Refused = { code: 422, message: 'data.userid: Required' }

/** The refusal while another exchange leads. */
export const NOT_LEADER = refusedBy(busy('not_leader'))

/** Decides who may send a message, from what the message needs. */
export class MessageGuard {
  readonly #access: Pick<Access, 'publicReads'>
  readonly #exchange: Pick<Exchange, 'archive' | 'leads'>

  constructor(access: Pick<Access, 'publicReads'>, exchange: Pick<Exchange, 'archive' | 'leads'>) {
    this.#access = access
    this.#exchange = exchange
  }

  /** Returns the user for whom the caller may act; empty if the message is about no user. */
  userFor(caller: Identity, message: Message, data: unknown): string | Refused {
    const { needs } = message
    if (!this.#exchange.leads) {
      const isForMembers = needs === 'markets' && !this.#access.publicReads
      return isForMembers || !isForStandbys(message) ? NOT_LEADER : ''
    }
    if (needs === 'visit') return ''
    if (needs === 'markets') {
      return mayReadMarkets(caller, this.#access) ? '' : refusalFor(caller, 'read')
    }
    const written = message.userOf?.(data) ?? caller.userId
    if (written === undefined) return caller.scopes.has(needs) ? NO_USER : refusalFor(caller, needs)
    const { userId } = this.#exchange.archive.userNamed(written)
    return mayActFor(caller, userId, needs) ? userId : refusalFor(caller, needs)
  }
}

/** Returns why a caller may not act for a user: no credentials, no scope, or someone else's channel. */
export function refusalFor({ kind, scopes }: Identity, scope: Scope): Refused {
  if (kind === 'anonymous') return { code: 401, message: REFUSED.socketTokenMissing, reason: 'token_missing' }
  if (scopes.has(scope)) return { code: 403, message: REFUSED.otherUser, reason: 'other_user' }
  return { code: 403, message: scopeMissing(scope), reason: 'scope_missing' }
}
