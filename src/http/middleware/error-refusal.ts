import { ApiError } from '../../api/api-error.js'
import { REFUSED } from '../../api/refusal-texts.js'
import { LateTask } from '../../shard/late-task.js'
import { busy } from './capacity-refusal.js'

/**
 * Returns the refusal that a client receives for an error, and reports errors that no client could cause. An
 * overloaded thread is not a fault: 503, never 500.
 */
export function refusalBehind(error: unknown, fault: (error: Error) => void): ApiError {
  if (error instanceof ApiError) return error
  fault(error instanceof Error ? error : new Error(String(error)))
  return error instanceof LateTask ? busy('read_late') : new ApiError(500, REFUSED.cannotAnswer)
}
