import type { Credentials } from '../../access/access.js'
import { ApiError } from '../../api/api-error.js'
import { sessionCookieIn } from '../../http/middleware/session-cookie.js'
import type { Gateway } from '../../ws/gateway.js'
import { bearerIn } from '../../ws/transports/subprotocols.js'
import type { IncomingMessage } from 'node:http'
import { namesToken } from '../../access/token-in-address.js'
import type { ErrorCode } from '../../api/errors.js'
import { REFUSED } from '../../api/refusal-texts.js'
import type { Match } from '../../http/routing/route-table.js'

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

/**
 * Returns the refusal of an upgrade before it reaches the app, if any: the adapter answers requests that it
 * or the app rejects without a body, and with 500 if the Host header is not a valid host.
 */
export function upgradeRefusal(
  { headers, url = '' }: IncomingMessage,
  { binding }: Match,
): [ErrorCode, string] | undefined {
  if (headers.upgrade?.toLowerCase() !== 'websocket') return [400, 'Upgrade: only websocket is spoken here']
  if (!isHost(headers.host ?? '')) return [400, 'Host: Expected the name or address of this server']
  if (binding?.route.upgrades === undefined) return [404, 'Route not found']
  return namesToken(url) ? [400, REFUSED.tokenInAddress] : undefined
}

/** Returns whether a URL takes the text unchanged as its host: no user, path or other notation. */
function isHost(host: string): boolean {
  const address = `http://${host}`
  if (!URL.canParse(address)) return false
  return new URL(address).hostname === host.replace(/:\d*$/, '').toLowerCase()
}
