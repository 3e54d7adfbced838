import { ApiError } from '../api/api-error.js'
import { REFUSED } from '../api/refusal-texts.js'
import type { Exchange } from '../exchange/exchange.js'
import type { DeskGroup } from '../exchange/groups/desk-group.js'

/** Returns the group with a code that a client wrote. Throws 404. */
export function groupOf(exchange: Exchange, code: string): DeskGroup {
  const group = exchange.groups.written(code)
  if (group === undefined) throw new ApiError(404, REFUSED.groupNotFound, 'group_not_found')
  return group
}

/** Returns the exclusive group with a code that a client wrote. Throws 404, or 409 for an independent one. */
export function exclusiveGroupOf(exchange: Exchange, code: string): DeskGroup {
  const group = groupOf(exchange, code)
  if (!group.isExclusive) throw new ApiError(409, REFUSED.groupIndependent)
  return group
}
