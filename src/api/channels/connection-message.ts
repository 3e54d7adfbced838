import { LIMITS } from '../limits.js'
import { kindOf } from '../wrong-value.js'
import type { Misunderstanding } from './misunderstanding.js'

/** Authenticates a connection, or extends its time. */
export interface AuthenticateMessage {
  readonly verb: 'authenticate'
  readonly token: string
  readonly id: string | number | undefined
}

/** Sets which of a user's orders are cancelled when the connection ends. */
export interface CancelOnDisconnectMessage {
  readonly verb: 'cancel_on_disconnect'
  /** By default the caller. */
  readonly userId: string | undefined
  /** The codes of the events, without repeats; undefined for all events. */
  readonly codes: readonly string[] | undefined
  readonly id: string | number | undefined
}

/** A client's request about its connection, written as `{"event": verb, "data": {…}}` or `[verb, {…}]`. */
export type ConnectionMessage = AuthenticateMessage | CancelOnDisconnectMessage

export const CONNECTION_VERBS = ['authenticate', 'cancel_on_disconnect'] as const

type Id = ConnectionMessage['id']

/** Reads the data of a request about the connection. */
export function readConnectionMessage(
  verb: ConnectionMessage['verb'],
  data: unknown,
  id: Id,
): ConnectionMessage | Misunderstanding {
  if (data === undefined) return refused(id, 'data: Required')
  if (typeof data !== 'object' || data === null || Array.isArray(data)) {
    return refused(id, `data: Expected object, received ${kindOf(data)}`)
  }
  return verb === 'authenticate' ? readAuthenticate(data, id) : readCancelOnDisconnect(data, id)
}

function readAuthenticate(
  { token }: { readonly token?: unknown },
  id: Id,
): AuthenticateMessage | Misunderstanding {
  if (token === undefined) return refused(id, 'data.token: Required')
  if (typeof token !== 'string') return refused(id, `data.token: Expected string, received ${kindOf(token)}`)
  if (token === '' || token.length > LIMITS.tokenLengthMax) {
    return refused(id, `data.token: Expected 1 to ${LIMITS.tokenLengthMax} characters`)
  }
  return { verb: 'authenticate', token, id }
}

function readCancelOnDisconnect(
  { userid, events }: { readonly userid?: unknown; readonly events?: unknown },
  id: Id,
): CancelOnDisconnectMessage | Misunderstanding {
  const verb = 'cancel_on_disconnect'
  if (userid !== undefined && !isName(userid)) {
    return refused(id, `data.userid: Expected string, received ${kindOf(userid)}`)
  }
  const userId = userid === undefined ? undefined : String(userid)
  if (userId !== undefined && (userId === '' || userId.length > LIMITS.userIdLengthMax)) {
    return refused(id, `data.userid: Expected 1 to ${LIMITS.userIdLengthMax} characters`)
  }
  if (events === undefined) return { verb, userId, codes: undefined, id }
  if (!Array.isArray(events)) return refused(id, `data.events: Expected array, received ${kindOf(events)}`)
  if (events.length > LIMITS.channelNamesMax) {
    return refused(id, `data.events: Expected at most ${LIMITS.channelNamesMax} event codes`)
  }
  const wrong = events.find(code => !isName(code))
  if (wrong !== undefined) return refused(id, `data.events: Expected string, received ${kindOf(wrong)}`)
  return { verb, userId, codes: [...new Set(events.map(String))], id }
}

function isName(value: unknown): value is string | number {
  return typeof value === 'string' || typeof value === 'number'
}

function refused(id: Id, message: string): Misunderstanding {
  return { id, code: 422, message }
}
