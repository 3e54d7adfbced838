import type { IncomingMessage } from 'node:http'
import type { ErrorCode } from '../../api/errors.js'

/** Where a WebSocket may be opened; the routes of the app have the gateway at the same places. */
const PATHS: readonly (string | undefined)[] = ['/', '/ws', '/api/v1/ws']

/**
 * Why an upgrade is refused before it reaches the app, if it is: the adapter answers whatever it cannot take,
 * and whatever the app does not, without a body, and 500 where the Host header is no host.
 */
export function upgradeRefusal({ headers, url = '' }: IncomingMessage): [ErrorCode, string] | undefined {
  if (headers.upgrade?.toLowerCase() !== 'websocket') return [400, 'Upgrade: only websocket is spoken here']
  if (!isHost(headers.host ?? '')) return [400, 'Host: Expected the name or address of this server']
  return PATHS.includes(pathOf(url)) ? undefined : [404, 'Route not found']
}

/** Whether a URL takes the text as its host as it is: no user, no path, no other way to write an address. */
function isHost(host: string): boolean {
  const address = `http://${host}`
  if (!URL.canParse(address)) return false
  return new URL(address).hostname === host.replace(/:\d*$/, '').toLowerCase()
}

/** The path of a request target, `/ws` or in full `http://host/ws`; undefined where it is neither. */
function pathOf(target: string): string | undefined {
  if (target.startsWith('/')) return target.split('?')[0]
  const isFull = /^https?:\/\/[^\\]*$/.test(target) && URL.canParse(target)
  return isFull ? new URL(target).pathname : undefined
}
