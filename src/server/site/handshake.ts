import type { IncomingMessage } from 'node:http'
import type { Credentials } from '../../access/access.js'
import { ApiError } from '../../api/api-error.js'
import { REFUSED } from '../../api/refusal-texts.js'
import { sessionCookieIn } from '../../http/middleware/session-cookie.js'
import type { Gateway } from '../../ws/gateway.js'
import { bearerIn } from '../../ws/transports/subprotocols.js'

/**
 * Returns the credentials of a handshake: in its header, its subprotocol, or the cookie of its browser.
 *
 * @param address the client's
 */
export function handshakeCredentials({ headers, socket }: IncomingMessage, address: string): Credentials {
  const token = bearerIn(headers['sec-websocket-protocol'])
  const authorization = headers.authorization ?? (token === undefined ? undefined : `Bearer ${token}`)
  const { cookie = '', host = '' } = headers
  const found = sessionCookieIn(cookie, host, 'encrypted' in socket)
  return { authorization, session: undefined, ...found, address }
}

/** Identifies the sender of an upgrade, which then goes on or is refused. */
export function identifyUpgrade(
  gateway: Gateway,
  request: IncomingMessage,
  address: string,
  goOn: () => void,
  refuse: (error: ApiError) => void,
): void {
  const fail = (error: unknown) => {
    refuse(error instanceof ApiError ? error : new ApiError(500, REFUSED.cannotAnswer))
  }
  try {
    const { socket } = request
    const admitted = gateway.authentication.admit(request, handshakeCredentials(request, address))
    if (admitted === undefined) goOn()
    else {
      // Until the adapter listens, nobody else does.
      socket.on('error', () => {})
      void admitted.then(() => socket.destroyed || goOn(), fail)
    }
  } catch (error) {
    fail(error)
  }
}
