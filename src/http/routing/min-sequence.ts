import type { Context } from 'hono'
import { ApiError } from '../../api/api-error.js'
import { REFUSED } from '../../api/refusal-texts.js'
import type { RouteFacts } from '../../api/route.js'
import {
  MIN_SEQUENCE_FAULT,
  MIN_SEQUENCE_HEADER,
  minSequenceField,
  SEQUENCE_WAIT_MS,
  takesMinSequence,
} from '../../api/sequence.js'
import { busy } from '../../doors/capacity-refusal.js'
import type { AppliedBatches } from '../../exchange/reads/applied-batches.js'
import type { RequestCharge } from '../limits/request-charge.js'
import { headerOf } from '../middleware/header-of.js'
import { environmentOf } from './environment.js'

const HEADER = MIN_SEQUENCE_HEADER.toLowerCase()

/** Returns the batch that a read asks for; undefined if it asks for none. Throws 422. */
export function minSequenceOf(c: Context, route: RouteFacts): number | undefined {
  const text = headerOf(c, HEADER)
  if (text === undefined || !takesMinSequence(route)) return undefined
  const { data } = minSequenceField.safeParse(text)
  if (data === undefined) throw new ApiError(422, MIN_SEQUENCE_FAULT)
  return data
}

/**
 * Waits until the exchange has applied a batch, or the client has gone. Rejects with 503 if that takes too
 * long or too many wait, with 429 if too many of the same address do.
 */
export async function waitForSequence(
  applied: AppliedBatches,
  c: Context,
  charge: RequestCharge | undefined,
  sequence: number,
): Promise<void> {
  const end = charge?.beginWait()
  const { outgoing } = environmentOf(c)
  const over = new AbortController()
  const giveUp = () => over.abort()
  const timer = setTimeout(giveUp, SEQUENCE_WAIT_MS)
  outgoing?.once('close', giveUp)
  try {
    const isApplied = await applied.whenApplied(sequence, over.signal)
    if (isApplied === 'reads_full') throw busy(isApplied)
    if (!isApplied) throw new ApiError(503, REFUSED.behind, 'behind')
  } finally {
    clearTimeout(timer)
    outgoing?.off('close', giveUp)
    end?.()
  }
}
