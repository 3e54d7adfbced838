import { randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

export const REQUEST_ID_HEADER = 'X-Request-Id'

/** Short, and harmless in a log. */
const CLIENTS_OWN = /^[\w.-]{1,64}$/
const RADIX = 36

/** Differs between processes, so that ids of before a restart do not return. */
const prefix = randomBytes(4).toString('hex')
let count = 0

/** Returns the id of a request: the client's own if it is valid, otherwise a new one. */
export function requestIdOf(request?: IncomingMessage): string {
  const sent = request?.headers['x-request-id']
  if (typeof sent === 'string' && CLIENTS_OWN.test(sent)) return sent
  count++
  return `${prefix}-${count.toString(RADIX)}`
}
