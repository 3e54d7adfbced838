import type { Context } from 'hono'
import { ApiError } from '../../api/api-error.js'
import { errorEnvelope } from '../../api/errors.js'
import { JSON_TYPE, refusalHeaders } from '../../api/refusal-headers.js'
import { REFUSED } from '../../api/refusal-texts.js'
import type { Encoding } from './accepted.js'
import { encodingIn } from './accepted.js'
import type { Call } from '../routing/handle.js'
import { headerOf } from './header-of.js'
import { KeptText } from './kept-text.js'
import { hasRoom } from './outbox.js'

/** The request that is answered. */
export type CallContext = Pick<Call, 'c'>

/** Shorter answers gain nothing from compression. */
const COMPRESSED_LENGTH_MIN = 1000

const VARY = { Vary: 'Accept-Encoding' }

/** An answer, possibly still to be compressed. */
export type Answer = Response | Promise<Response>

/** Returns the success envelope as text (specification 2.1), with `additional` if given. */
export function successJson(code: 200 | 201, message: string, additional?: unknown): string {
  return JSON.stringify({ status: true, code, message, ...(additional === undefined ? {} : { additional }) })
}

export function success(call: CallContext, code: 200 | 201, message: string, additional?: unknown): Answer {
  return envelopeText(call, code, successJson(code, message, additional), {})
}

/** Sends text that is already an envelope. */
export function envelopeText(
  call: CallContext,
  code: 200 | 201,
  text: string | KeptText,
  headers: Readonly<Record<string, string>>,
): Answer {
  return deliver(call, code, text, { ...JSON_TYPE, ...headers })
}

/**
 * Sends text of any kind: compressed if it is long enough, the client accepts it and a processor is free;
 * refused with 503 if it is long and too much is waiting to be read already.
 */
export function deliver(
  { c }: CallContext,
  code: 200 | 201,
  content: string | KeptText,
  headers: Record<string, string>,
): Answer {
  const text = typeof content === 'string' ? content : content.text
  const { method } = c.req
  // Only pages set headers beforehand, on reads, and never where a text is kept. Otherwise a Response keeps
  // these as they are, where Hono and the adapter would copy them into objects of their own.
  if (method !== 'GET' && method !== 'HEAD') return new Response(text, { status: code, headers })
  if (text.length < COMPRESSED_LENGTH_MIN) return c.body(text, code, headers)
  if (method === 'HEAD') {
    c.header('Vary', VARY.Vary, { append: true })
    return c.body(text, code, headers)
  }
  if (!hasRoom(c, text.length)) return failure(c, outboxFull())
  const encoding = encodingIn(headerOf(c, 'accept-encoding'))
  if (typeof content !== 'string') return deliverKept(code, content, { ...headers, ...VARY }, encoding)
  c.header('Vary', VARY.Vary, { append: true })
  const encoded = encoding && new KeptText(content).encoded(encoding)
  if (encoding === undefined || encoded === undefined) return c.body(text, code, headers)
  return encoded.then(bytes => c.body(bytes, code, { ...headers, 'Content-Encoding': encoding }))
}

function deliverKept(
  status: 200 | 201,
  kept: KeptText,
  headers: Record<string, string>,
  encoding: Encoding | undefined,
): Answer {
  const encoded = encoding && kept.encoded(encoding)
  if (encoding === undefined || encoded === undefined) return new Response(kept.bytes, { status, headers })
  const compressed = { ...headers, 'Content-Encoding': encoding }
  return encoded.then(bytes => new Response(bytes, { status, headers: compressed }))
}

/** Returns the refusal sent while too much waits to be read by other clients. */
export function outboxFull(): ApiError {
  return new ApiError(503, REFUSED.answersWait, 'outbox_full')
}

export function failure(c: Context, { code, message, reason, headers }: ApiError): Response {
  const all = { ...refusalHeaders(code, reason), ...headers }
  return c.body(JSON.stringify(errorEnvelope(code, message)), code, all)
}
