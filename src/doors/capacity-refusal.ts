import { ApiError } from '../api/api-error.js'
import { REFUSAL_REASONS } from '../api/reasons.js'
import { FULL } from '../api/refusal-texts.js'
import type { CapacityRefusal } from '../exchange/capacity.js'
import type { ReadBusy } from '../exchange/reads/read-lane.js'

/** Space on a disk takes longer to return. */
const DISK_RETRY = { 'Retry-After': '10' }
const RETRY_LATER: Partial<Record<CapacityRefusal, Record<string, string>>> = {
  disk_low: DISK_RETRY,
  disk_full: DISK_RETRY,
}

/** Returns the refusal for a bound that the exchange has reached; nothing was queued. */
export function busy(reason: CapacityRefusal): ApiError {
  const [code] = REFUSAL_REASONS[reason]
  return new ApiError(code, FULL[reason], reason, RETRY_LATER[reason])
}

/** Returns the answer of the history. Throws 503 if the history was too busy to be read. */
export function unlessBusy<T>(answer: T | ReadBusy): Exclude<T, ReadBusy> {
  if (isBusy(answer)) throw busy(answer)
  return answer as Exclude<T, ReadBusy>
}

function isBusy(answer: unknown): answer is ReadBusy {
  return answer === 'reads_full' || answer === 'read_late'
}
