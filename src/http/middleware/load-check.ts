import { ApiError } from '../../api/api-error.js'
import { REFUSED } from '../../api/refusal-texts.js'
import type { Call } from '../routing/handle.js'

/** How much the exchange has to do, as measured by the server. */
export interface OrderLoad {
  /** Returns whether an order that begins now would wait too long for its commit. */
  isTooMuch(): boolean
}

/** Throws 503 if new orders would wait too long, for requests of which only the body says what they are. */
export function checkLoad({ c }: Pick<Call, 'c'>): void {
  const { orderLoad } = (c.env ?? {}) as { readonly orderLoad?: OrderLoad }
  if (orderLoad?.isTooMuch() === true) throw new ApiError(503, REFUSED.tooBusy, 'busy')
}
