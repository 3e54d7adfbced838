import { ApiError } from '../../api/api-error.js'
import { REFUSAL_REASONS } from '../../api/reasons.js'
import type { CapacityRefusal } from '../../exchange/capacity.js'
import type { ReadBusy } from '../../exchange/reads/read-lane.js'

const MESSAGES: Readonly<Record<CapacityRefusal, string>> = {
  queue_full: 'The order queue is full: try again in a moment',
  accounts_full: 'No more money can come in: the money of all accounts together reaches its limit',
  codes_used_up: 'No more events can be created: all event codes are given',
  user_id_taken: 'userid: Expected another, for one differs from it by invisible joiners alone',
  events_full: 'No more events can be created: settle or void some first',
  disk_low: 'The disk is almost full: only cancels and reads go on until there is room',
  disk_full: 'The disk is full: only reads go on until there is room',
  reads_full: 'Too many reads are waiting: try again in a moment',
  read_late: 'The read waited too long for its turn: try again in a moment',
}

/** Space on a disk takes longer to return. */
const DISK_RETRY = { 'Retry-After': '10' }
const RETRY_LATER: Partial<Record<CapacityRefusal, Record<string, string>>> = {
  disk_low: DISK_RETRY,
  disk_full: DISK_RETRY,
}

/** Returns the refusal for a bound that the exchange has reached; nothing was queued. */
export function busy(reason: CapacityRefusal): ApiError {
  const [code] = REFUSAL_REASONS[reason]
  return new ApiError(code, MESSAGES[reason], reason, RETRY_LATER[reason])
}

/** Returns the answer of the history. Throws 503 if the history was too busy to be read. */
export function unlessBusy<T>(answer: T | ReadBusy): Exclude<T, ReadBusy> {
  if (isBusy(answer)) throw busy(answer)
  return answer as Exclude<T, ReadBusy>
}

function isBusy(answer: unknown): answer is ReadBusy {
  return answer === 'reads_full' || answer === 'read_late'
}
