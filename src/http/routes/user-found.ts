import { ApiError } from '../../api/api-error.js'
import { REFUSED } from '../../api/refusal-texts.js'
import type { Call } from '../routing/handle.js'

/** The rows of a user who has none. */
export const NO_ROWS = { rows: [], searchedTo: undefined }

/**
 * Returns what was found of a user. Users who have signed in but neither traded nor received money are
 * unknown to the exchange, and find nothing of their own; any other unknown user is refused with 404.
 */
export function userFound<Found>(
  call: Call,
  userId: string,
  found: Found | undefined,
  nothing: Found,
): Found {
  if (found !== undefined) return found
  if (call.caller.userId === userId) return nothing
  throw new ApiError(404, REFUSED.userNotFound, 'user_not_found')
}
