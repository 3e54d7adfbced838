import type { IncomingMessage } from 'node:http'
import { namesToken } from '../../access/token-in-address.js'
import type { ErrorCode } from '../../api/errors.js'
import { REFUSED } from '../../api/refusal-texts.js'
import type { Match } from '../routing/route-table.js'

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
