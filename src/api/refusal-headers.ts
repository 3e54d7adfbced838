import type { ErrorCode } from './errors.js'
import type { RefusalReason } from './reasons.js'
import { reasonOfCode } from './reasons.js'

export const JSON_TYPE = { 'Content-Type': 'application/json; charset=utf-8' }

/** Header that gives programs the reason for a refusal. */
export const REASON_HEADER = 'Raay-Reason'

/** Headers that HTTP expects with some codes: when to retry, and how to authenticate. */
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
