import type { ErrorCode } from '../errors.js'
import type { DoorReason } from '../reasons.js'

/** Reason for which a message cannot be understood. */
export interface Misunderstanding {
  readonly id: string | number | undefined
  readonly code: ErrorCode
  readonly message: string
  /** Defaults to the reason of the code. */
  readonly reason?: DoorReason
}
