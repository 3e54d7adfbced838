import type { ErrorCode } from './errors.js'
import type { RefusalReason } from './reasons.js'
import { reasonOfCode } from './reasons.js'

export const JSON_TYPE = { 'Content-Type': 'application/json; charset=utf-8' }

/** The header that says why a request was refused, for programs. */
export const REASON_HEADER = 'Raay-Reason'

/** What HTTP wants beside some codes: when to come again, and how to say who one is. */
const HEADERS: Partial<Record<ErrorCode, Record<string, string>>> = {
  401: { 'WWW-Authenticate': 'Bearer' },
  503: { 'Retry-After': '1' },
}

/** Returns the headers of a refusal. */
export function refusalHeaders(
  code: ErrorCode,
  reason: RefusalReason = reasonOfCode(code),
): Readonly<Record<string, string>> {
  return { ...JSON_TYPE, ...HEADERS[code], [REASON_HEADER]: reason }
}
