import type { Access, Credentials } from '../access/access.js'
import type { Identity } from '../access/identity.js'
import { ANONYMOUS, isStranger, OPEN } from '../access/identity.js'
import { mayActFor, mayReadMarkets } from '../access/rights.js'
import { ApiError } from '../api/api-error.js'
import { userChannelName } from '../api/channels/user-messages.js'
import { REFUSED } from '../api/refusal-texts.js'
import { SOCKET_LIMITS } from '../api/socket-limits.js'
import type { Exchange } from '../exchange/exchange.js'
import type { Budget } from './budget.js'
import { refusedBy } from './budget.js'
import type { Refused } from './connection.js'
import type { Callers } from './callers.js'
import type { Connection } from './connection.js'
import { CREDENTIAL_ENDED, CREDENTIAL_ENDED_TEXT, POLICY_VIOLATION, TRY_AGAIN_LATER } from './connection.js'
import type { BookFeed } from './feeds/book-feed.js'
import type { UserFeed } from './feeds/user-feed.js'
import type { MessageRequest } from './message-handler.js'
import type { Work } from './scheduler.js'

const { anonymousMsMax, perAddressMax, perUserMax, refusedTokensMax, verificationsMax } = SOCKET_LIMITS

const LEADS_NOW = 'this exchange leads now: connect again'
const BUSY: Refused = { code: 503, message: REFUSED.tooManyTokens, reason: 'busy', retryAfterMs: 1000 }
const SOCKET_TAKEN: Refused = { code: 409, message: REFUSED.socketTaken, reason: 'socket_taken' }
const SOCKETS_FULL: Refused = {
  code: 429,
  message:
    `A user has at most ${perUserMax.connections} connections, an address ${perAddressMax.users} of users ` +
    `and ${perAddressMax.strangers} others: close one of them`,
  reason: 'sockets_full',
}

type Identify = () => Identity | Promise<Identity>

/** The caller whom a handshake identified. */
interface Admission {
  readonly caller: Identity
  readonly address: string
  /** The credentials that had ended by then. */
  readonly endedCount: number
  /** Set if credentials were sent to an exchange that followed another one, and not looked at. */
  readonly isUnread: boolean
}

/** Needed by what authenticates connections. */
export interface AuthenticationParts {
  readonly exchange: Pick<Exchange, 'leads'>
  readonly access: Access
  readonly budget: Budget
  readonly callers: Callers
  readonly users: UserFeed
  readonly books: BookFeed
  /** Goes on with the messages of a connection. */
  readonly resume: (connection: Connection) => void
}

/**
 * Identifies the callers of connections: at the handshake, and by a message. Closes connections whose
 * credentials have ended, and those that need a user and have none.
 */
export class Authentication {
  readonly #parts: AuthenticationParts
  readonly #admissions = new WeakMap<object, Admission>()
  /** When connections that need a user will be closed, the earliest first. */
  readonly #deadlines = new Map<Connection, number>()
  /** Those whose credentials were not looked at. */
  readonly #unread = new Set<Connection>()
  #endedCount = 0
  #underWay = 0

  constructor(parts: AuthenticationParts) {
    this.#parts = parts
  }

  /**
   * Identifies the sender of a handshake, for the connection that comes of it; in `open` mode it is
   * everybody. Throws ApiError 401, 403 or 503, or rejects with it.
   */
  admit(handshake: object, credentials: Credentials): void | Promise<void> {
    const { authorization, session, address } = credentials
    const identify = () => this.#parts.access.identify(credentials)
    if (this.#followsAnother) {
      return this.#admitUnread(handshake, address, (authorization ?? session) !== undefined)
    }
    return this.#admit(handshake, address, authorization === undefined ? identify : this.#bounded(identify))
  }

  /** Identifies the sender of a handshake by a token. Throws like `admit`. */
  admitToken(handshake: object, token: string, address: string): void | Promise<void> {
    if (this.#followsAnother) return this.#admitUnread(handshake, address, true)
    const identify = () => this.#parts.access.identifyToken(token, address)
    return this.#admit(handshake, address, this.#bounded(identify))
  }

  /** Sets the caller of a new connection. */
  begin(connection: Connection, handshake: object, at: number): void {
    const { access, callers } = this.#parts
    const stranger = access.mode === 'open' ? OPEN : ANONYMOUS
    const { caller, address, endedCount, isUnread } = this.#admissions.get(handshake) ?? {
      caller: stranger,
      address: '',
      endedCount: this.#endedCount,
      isUnread: false,
    }
    connection.address = address
    if (!callers.hasRoom(caller, connection)) {
      connection.expel(POLICY_VIOLATION, SOCKETS_FULL.message)
      return
    }
    callers.enter(connection, caller)
    if (isUnread) this.#unread.add(connection)
    // Its credential may have ended since the handshake.
    if (caller.credential !== undefined && endedCount !== this.#endedCount) expel(connection)
    if (caller.kind === 'anonymous' && !access.publicReads) {
      this.#deadlines.set(connection, at + anonymousMsMax)
    }
  }

  leave(connection: Connection): void {
    this.#deadlines.delete(connection)
    this.#unread.delete(connection)
    this.#parts.callers.leave(connection)
  }

  /** Closes the connections of a credential that ended, or whose rights have changed. */
  end(credential: string): void {
    this.#endedCount++
    for (const connection of this.#parts.callers.of(credential)) expel(connection)
  }

  /** Closes the connections that needed a user, and those whose credentials can be looked at now. */
  beat(at: number): void {
    if (this.#parts.exchange.leads) {
      for (const connection of this.#unread) connection.expel(TRY_AGAIN_LATER, LEADS_NOW)
    }
    for (const [connection, deadline] of this.#deadlines) {
      if (deadline > at) return
      this.#deadlines.delete(connection)
      const seconds = anonymousMsMax / 1000
      connection.expel(POLICY_VIOLATION, `not authenticated within ${seconds} seconds`)
    }
  }

  /** Handles a message with a token. No other message of the connection is handled until it is done. */
  *authenticate({ connection, id, data: { token } }: MessageRequest<{ readonly token: string }>): Work {
    const { budget } = this.#parts
    const verdict = yield* this.#verdictOn(connection, token)
    if (!connection.isOpen) return
    const refused = 'code' in verdict ? verdict : this.#refusal(connection, verdict)
    if (refused !== undefined) {
      budget.refuse(connection, id, refused)
      this.#countFailure(connection, refused)
      return
    }
    const caller = verdict as Identity
    this.#parts.callers.enter(connection, caller)
    this.#deadlines.delete(connection)
    this.#dropChannels(connection)
    const { userId = null, role = null, scopes, expiresAt } = caller
    const expires_at = expiresAt === undefined ? null : new Date(expiresAt).toISOString()
    const data = { userid: userId, role, scopes: [...scopes], expires_at }
    connection.answer({ event: 'authenticated', data, id })
  }

  get #followsAnother(): boolean {
    return !this.#parts.exchange.leads && this.#parts.access.mode !== 'open'
  }

  /** Lets a stranger in, whatever credentials were sent: the exchange that leads may have ended them. */
  #admitUnread(handshake: object, address: string, isUnread: boolean): void {
    const endedCount = this.#endedCount
    this.#admissions.set(handshake, { caller: ANONYMOUS, address, endedCount, isUnread })
  }

  #admit(handshake: object, address: string, identify: Identify) {
    const endedCount = this.#endedCount
    const found = this.#parts.access.mode === 'open' ? OPEN : identify()
    const note = (caller: Identity) => {
      this.#admissions.set(handshake, { caller, address, endedCount, isUnread: false })
    }
    return found instanceof Promise ? found.then(note) : note(found)
  }

  /** Counts verifications that wait; with too many of them, the next one throws 503 instead. */
  #bounded(identify: Identify): Identify {
    return () => {
      if (this.#underWay >= verificationsMax) throw new ApiError(BUSY.code, BUSY.message, BUSY.reason)
      const found = identify()
      if (!(found instanceof Promise)) return found
      this.#underWay++
      return found.finally(() => {
        this.#underWay--
      })
    }
  }

  *#verdictOn(connection: Connection, token: string): Work<Identity | Refused> {
    const { access, resume } = this.#parts
    try {
      const found = this.#bounded(() => access.identifyToken(token, connection.address))()
      if (!(found instanceof Promise)) return found
      let verdict: Identity | Refused | undefined
      connection.isAuthenticating = true
      const decide = (decided: Identity | Refused) => {
        verdict = decided
        connection.isAuthenticating = false
        resume(connection)
      }
      found.then(decide, error => decide(refusedWith(error)))
      while (verdict === undefined && connection.isOpen) yield 1
      return verdict ?? BUSY
    } catch (error) {
      return refusedWith(error)
    }
  }

  /** Returns why a connection cannot have this caller. */
  #refusal(connection: Connection, caller: Identity): Refused | undefined {
    if (!isStranger(connection.caller) && connection.caller.userId !== caller.userId) return SOCKET_TAKEN
    return this.#parts.callers.hasRoom(caller, connection) ? undefined : SOCKETS_FULL
  }

  #countFailure(connection: Connection, { code }: Refused): void {
    if (code !== 401 && code !== 403) return
    connection.refusedTokens++
    if (connection.refusedTokens < refusedTokensMax) return
    connection.expel(POLICY_VIOLATION, `${refusedTokensMax} tokens were refused`)
  }

  /** Ends the channels that the new caller may not read. */
  #dropChannels(connection: Connection): void {
    const { access, books, users } = this.#parts
    const codes = mayReadMarkets(connection.caller, access) ? [] : [...connection.places.keys()]
    for (const code of codes) {
      books.unsubscribe(connection, code)
      connection.answer({ event: 'unsubscribed', data: String(code) })
    }
    for (const userId of [...connection.userPlaces.keys()]) {
      if (mayActFor(connection.caller, userId, 'read')) continue
      users.unsubscribe(connection, userId)
      connection.answer({ event: 'unsubscribed', data: userId, channel: userChannelName(userId) })
    }
  }
}

function expel(connection: Connection): void {
  connection.expel(CREDENTIAL_ENDED, CREDENTIAL_ENDED_TEXT)
}

function refusedWith(error: unknown): Refused {
  return error instanceof ApiError ? refusedBy(error) : { code: 500, message: REFUSED.cannotAnswer }
}
