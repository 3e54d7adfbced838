import { ApiError } from '../api/api-error.js'
import { REFUSED } from '../api/refusal-texts.js'
import { LateTask } from '../shard/late-task.js'
import { NotLeaderError } from '../shard/not-leader-error.js'
import { CompanionShutError } from '../store/companions/companion.js'
import { isDiskFull } from '../store/database.js'
import type { Companion } from '../store/files/companion-files.js'
import { busy } from './capacity-refusal.js'

/** Reports an error that no client could cause, and the id of its request if that is known. */
export type Fault = (error: Error, requestId?: string) => void

/**
 * Returns the refusal that a client receives for an error, and reports errors that no client could cause. An
 * overloaded thread and a full disk are no faults: 503, never 500.
 */
export function refusalBehind(error: unknown, fault: Fault, requestId?: string): ApiError {
  if (error instanceof ApiError) return error
  if (error instanceof NotLeaderError) return busy('not_leader')
  if (error instanceof CompanionShutError) return SHUT[error.companion]()
  // The store of accounts, which stops nothing: trading goes on as far as the exchange has room.
  if (isDiskFull(error)) return busy('disk_full')
  fault(error instanceof Error ? error : new Error(String(error)), requestId)
  return error instanceof LateTask ? busy('read_late') : new ApiError(500, REFUSED.cannotAnswer)
}

/** The answers to changes of a companion whose file is in doubt. */
const SHUT: Readonly<Record<Companion, () => ApiError>> = {
  accounts: () => new ApiError(503, REFUSED.signInClosed, 'sign_in_closed'),
  site: () => new ApiError(503, REFUSED.siteClosed, 'site_closed'),
}
