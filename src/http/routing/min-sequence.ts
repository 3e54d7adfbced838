import type { Context } from 'hono'
import { ApiError } from '../../api/api-error.js'
import { REFUSED } from '../../api/refusal-texts.js'
import type { RouteFacts } from '../../api/route.js'
import {
  EPOCH_HEADER,
  epochField,
  MIN_SEQUENCE_HEADER,
  minSequenceField,
  SEQUENCE_WAIT_MS,
  takesMinSequence,
  WANTED_FAULTS,
} from '../../api/sequence.js'
import { busy } from '../../doors/capacity-refusal.js'
import type { Exchange } from '../../exchange/exchange.js'
import type { RequestCharge } from '../limits/request-charge.js'
import { headerOf } from '../middleware/header-of.js'
import { environmentOf } from './environment.js'

const HEADER = MIN_SEQUENCE_HEADER.toLowerCase()
const EPOCH = EPOCH_HEADER.toLowerCase()

/** The batch that a read asks for, and its epoch if the read says it. */
interface WantedBatch {
  readonly sequence: number
  readonly epoch: number | undefined
}

/** The part of an exchange that says which batches there are. */
type Batches = Pick<Exchange, 'applied' | 'leads'>

/** Returns the batch that a read asks for; undefined if it asks for none. Throws 422. */
export function wantedBatchOf(c: Context, route: RouteFacts): WantedBatch | undefined {
  const text = headerOf(c, HEADER)
  if (text === undefined || !takesMinSequence(route)) return undefined
  const sequence = minSequenceField.safeParse(text).data
  if (sequence === undefined) throw new ApiError(422, WANTED_FAULTS.sequence)
  const epoch = epochField.safeParse(headerOf(c, EPOCH))
  if (!epoch.success) throw new ApiError(422, WANTED_FAULTS.epoch)
  return { sequence, epoch: epoch.data }
}

/**
 * Returns undefined if the exchange has applied a batch; otherwise waits until it has, or the client has
 * gone. Refuses with 409 a batch that a takeover has lost, with 503 if the wait is too long or too many wait,
 * and with 429 if too many of the same address do.
 */
export function waitForBatch(
  batches: Batches,
  c: Context,
  charge: RequestCharge | undefined,
  wanted: WantedBatch,
): Promise<void> | undefined {
  checkLost(batches, wanted)
  return wanted.sequence <= batches.applied.last ? undefined : wait(batches, c, charge, wanted)
}

/**
 * Throws 409 for a batch that a takeover has lost: its epoch ended before it, or it is beyond the end of an
 * exchange that leads, to which no other exchange will bring it. Throws 503 for one of a later epoch where
 * there is another batch of its number: then this exchange has not heard yet that another one leads.
 */
function checkLost({ applied, leads }: Batches, { sequence, epoch }: WantedBatch): void {
  const isThere = sequence <= applied.last
  if (epoch !== undefined && epoch > applied.epoch.epoch) {
    if (isThere || leads) throw new ApiError(503, REFUSED.behind, 'behind')
    return
  }
  const isAfterEpoch = epoch !== undefined && applied.epochs.hasLost(epoch, sequence)
  if (isAfterEpoch || (leads && !isThere)) throw new ApiError(409, REFUSED.sequenceLost, 'sequence_lost')
}

async function wait(
  batches: Batches,
  c: Context,
  charge: RequestCharge | undefined,
  wanted: WantedBatch,
): Promise<void> {
  const end = charge?.beginWait()
  const { outgoing } = environmentOf(c)
  const over = new AbortController()
  const giveUp = () => over.abort()
  const timer = setTimeout(giveUp, SEQUENCE_WAIT_MS)
  outgoing?.once('close', giveUp)
  try {
    const isApplied = await batches.applied.whenApplied(wanted.sequence, over.signal)
    if (isApplied === 'reads_full') throw busy(isApplied)
    // A takeover may have come meanwhile.
    checkLost(batches, wanted)
    if (!isApplied) throw new ApiError(503, REFUSED.behind, 'behind')
  } finally {
    clearTimeout(timer)
    outgoing?.off('close', giveUp)
    end?.()
  }
}
