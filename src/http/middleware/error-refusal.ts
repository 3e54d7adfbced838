import { ApiError } from '../../api/api-error.js'
import { LateTask } from '../../shard/late-task.js'
import { busy } from './capacity-refusal.js'
import { CANNOT_ANSWER } from './envelope.js'

/**
 * Returns the refusal that a client reads of an error, and reports what no client could cause. A thread that
 * has too much to do is no fault of the exchange's own: 503, never 500.
 */
export function refusalBehind(error: unknown, fault: (error: Error) => void): ApiError {
  if (error instanceof ApiError) return error
  fault(error instanceof Error ? error : new Error(String(error)))
  return error instanceof LateTask ? busy('read_late') : new ApiError(500, CANNOT_ANSWER)
}
