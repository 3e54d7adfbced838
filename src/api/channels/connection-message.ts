import { LIMITS } from '../limits.js'
import { kindOf } from '../wrong-value.js'
import type { Misunderstanding } from './misunderstanding.js'

/** Authenticates a connection, or extends its time. */
export interface AuthenticateMessage {
  readonly verb: 'authenticate'
  readonly token: string
  readonly id: string | number | undefined
}

/** A client's request about its connection, written as `{"event": verb, "data": {…}}` or `[verb, {…}]`. */
export type ConnectionMessage = AuthenticateMessage

export const CONNECTION_VERBS = ['authenticate'] as const satisfies ConnectionMessage['verb'][]

type Id = ConnectionMessage['id']

/** Reads the data of a request about the connection. */
export function readConnectionMessage(
  _verb: ConnectionMessage['verb'],
  data: unknown,
  id: Id,
): ConnectionMessage | Misunderstanding {
  if (data === undefined) return refused(id, 'data: Required')
  if (typeof data !== 'object' || data === null || Array.isArray(data)) {
    return refused(id, `data: Expected object, received ${kindOf(data)}`)
  }
  return readAuthenticate(data, id)
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

function refused(id: Id, message: string): Misunderstanding {
  return { id, code: 422, message }
}
