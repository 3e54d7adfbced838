import { STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import type { ErrorCode } from '../api/errors.js'
import { errorEnvelope } from '../api/errors.js'
import type { RefusalReason } from '../api/reasons.js'
import { reasonOfCode } from '../api/reasons.js'
import { refusalHeaders } from '../api/refusal-headers.js'
import { REQUEST_ID_HEADER, requestIdOf } from './answers/request-id.js'
import { securityHeaders } from './answers/security-headers.js'

/** How long a refused client has to read the refusal. */
const LINGER_MS = 1000

/**
 * Answers without a response of Node, and closes the connection later: closing it with unread data would
 * discard the answer.
 */
export function refuse(
  socket: Duplex,
  code: ErrorCode,
  message: string,
  reason: RefusalReason = reasonOfCode(code),
  requestId = requestIdOf(),
): void {
  const { body, headers } = refusalOf(code, message, reason)
  endWith(socket, code, { [REQUEST_ID_HEADER]: requestId, ...headers }, body)
}

/** Answers an upgrade that the app has refused: the adapter would leave out the body. */
export async function refuseUpgrade(socket: Duplex, response: Response, requestId: string): Promise<void> {
  const body = await response.text()
  const own = { 'Content-Length': String(Buffer.byteLength(body)), Connection: 'close' }
  const headers = { [REQUEST_ID_HEADER]: requestId, ...Object.fromEntries(response.headers), ...own }
  endWith(socket, response.status, headers, body)
}

function endWith(
  socket: Duplex,
  status: number,
  headers: Readonly<Record<string, string>>,
  body: string,
): void {
  const all: string[] = [...securityHeaders('encrypted' in socket)]
  for (const [name, value] of Object.entries(headers)) all.push(name, value)
  const lines = all.map((text, index) => (index % 2 === 0 ? `${text}: ` : `${text}\r\n`))
  socket.on('error', () => {})
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`)
  socket.resume()
  const linger = setTimeout(() => socket.destroy(), LINGER_MS)
  socket.once('close', () => clearTimeout(linger))
}

/** A refusal written without the app. */
export interface Refusal {
  readonly body: string
  readonly headers: Readonly<Record<string, string>>
}

/** Returns a refusal that ends the connection. */
export function refusalOf(
  code: ErrorCode,
  message: string,
  reason: RefusalReason = reasonOfCode(code),
): Refusal {
  const { body, headers } = lastingRefusal(code, message, reason)
  return { body, headers: { ...headers, Connection: 'close' } }
}

/** Returns a refusal that keeps the connection open. */
export function lastingRefusal(
  code: ErrorCode,
  message: string,
  reason: RefusalReason = reasonOfCode(code),
): Refusal {
  const body = JSON.stringify(errorEnvelope(code, message))
  const length = String(Buffer.byteLength(body))
  return { body, headers: { ...refusalHeaders(code, reason), 'Content-Length': length } }
}
