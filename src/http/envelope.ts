import type { Context } from 'hono'
import type { ErrorCode } from '../exchange/error-envelope.js'
import { errorEnvelope } from '../exchange/error-envelope.js'
import type { RefusalReason } from '../exchange/refusal-reason.js'
import { reasonOfCode } from '../exchange/refusal-reason.js'

export const JSON_TYPE = { 'Content-Type': 'application/json; charset=utf-8' }

/** What a client reads of a fault that is the exchange's own. */
export const CANNOT_ANSWER = 'The exchange could not answer this request'

/** What HTTP wants beside some codes: when to come again, and how to say who one is. */
const HEADERS: Partial<Record<ErrorCode, Record<string, string>>> = {
  401: { 'WWW-Authenticate': 'Bearer' },
  503: { 'Retry-After': '1' },
}

/** The header that says why a request was refused, for programs. */
export const REASON_HEADER = 'Raay-Reason'

/** A refusal at the HTTP door; the app's one exit turns it into the error envelope (spec 2.1). */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly code: ErrorCode
  readonly reason: RefusalReason
  /** What the answer brings beside the headers of its code. */
  readonly headers: Readonly<Record<string, string>>

  constructor(
    code: ErrorCode,
    message: string,
    reason: RefusalReason = reasonOfCode(code),
    headers: Readonly<Record<string, string>> = {},
  ) {
    super(message)
    this.code = code
    this.reason = reason
    this.headers = headers
  }
}

/** The success envelope as text (spec 2.1); without `additional` where there is none. */
export function successJson(code: 200 | 201, message: string, additional?: unknown): string {
  return JSON.stringify({ status: true, code, message, ...(additional === undefined ? {} : { additional }) })
}

export function success(c: Context, code: 200 | 201, message: string, additional?: unknown): Response {
  return c.body(successJson(code, message, additional), code, JSON_TYPE)
}

/** Answers text that is an envelope already. */
export function envelopeText(
  c: Context,
  code: 200 | 201,
  text: string,
  headers: Record<string, string>,
): Response {
  return c.body(text, code, { ...JSON_TYPE, ...headers })
}

export function failure(c: Context, { code, message, reason, headers }: ApiError): Response {
  const all = { ...JSON_TYPE, ...HEADERS[code], ...headers, [REASON_HEADER]: reason }
  return c.body(JSON.stringify(errorEnvelope(code, message)), code, all)
}
