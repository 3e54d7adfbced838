import type { ErrorCode } from './errors.js'
import type { RefusalReason } from './reasons.js'
import { reasonOfCode } from './reasons.js'

/** A refused request; the app turns it into the error envelope (specification 2.1). */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly code: ErrorCode
  readonly reason: RefusalReason
  /** Headers of the answer beside those of its code. */
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
