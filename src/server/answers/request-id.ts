import type { IncomingMessage } from 'node:http'

export const REQUEST_ID_HEADER = 'X-Request-Id'

/** Short, and harmless in a log. */
const CLIENTS_OWN = /^[\w.-]{1,64}$/
const RADIX = 36

/** The process's start, so that no id returns after a restart. */
const prefix = Math.floor(performance.timeOrigin).toString(RADIX)
let count = 0

/** Returns the id of a request: the client's own if it is valid, otherwise a new one. */
export function requestIdOf(request?: IncomingMessage): string {
  const sent = request?.headers['x-request-id']
  if (typeof sent === 'string' && CLIENTS_OWN.test(sent)) return sent
  count++
  return `${prefix}-${count.toString(RADIX)}`
}
