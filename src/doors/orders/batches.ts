import type { Identity } from '../../access/identity.js'
import { ApiError } from '../../api/api-error.js'
import { errorEnvelope } from '../../api/errors.js'
import type { BatchResult, BatchResults } from '../../api/orders/order-batch-answer.js'
import { REFUSED } from '../../api/refusal-texts.js'
import { kindOf } from '../../api/wrong-value.js'
import type { Exchange } from '../../exchange/exchange.js'
import type { RunningBatch } from '../../exchange/orders/named-batches.js'
import { busy } from '../capacity-refusal.js'
import type { Fault } from '../error-refusal.js'
import { refusalBehind } from '../error-refusal.js'
import { batchKeyOf } from './batch-key.js'
import { cancelOne } from './ending.js'
import type { Envelope } from './order-envelope.js'
import type { Placed } from './placing.js'
import { placedEnvelope, placeFrom } from './placing.js'

/** Orders to place, or ids of orders to cancel; and the name of the batch, if it has one. */
export interface Batch {
  readonly orders?: readonly unknown[] | undefined
  readonly cancels?: readonly unknown[] | undefined
  readonly name: string | undefined
}

type BatchEnvelope = Envelope<200, BatchResults>

/** Makes the result of one order from the error that it ended in. */
type Refused = (error: unknown) => BatchResult

/**
 * Places or cancels many orders at once: one result each, in order, each with its own envelope (specification
 * 11). A fault in one does not affect the others. Throws 409, 422, 503 for a name.
 */
export async function runBatch(
  exchange: Exchange,
  caller: Identity,
  { orders, cancels, name }: Batch,
  fault: Fault,
): Promise<BatchEnvelope> {
  const refused: Refused = error => resultOf(refusalBehind(error, fault))
  const run = (batch?: RunningBatch) =>
    orders === undefined
      ? cancelAll(exchange, caller, cancels ?? [], refused, batch)
      : placeAll(exchange, caller, orders, refused, batch)
  const key = name === undefined ? name : batchKeyOf(exchange.archive, caller, name, { orders, cancels })
  const results = key === undefined ? await run() : await exchange.batches.once(key, run)
  if (results === 'key_used') throw new ApiError(409, REFUSED.batchKeyUsed, 'key_used')
  if (typeof results === 'string') throw busy(results)
  const done = results.filter(({ status }) => status).length
  const what = orders === undefined ? 'cancelled' : 'placed'
  const message = `${done} of ${results.length} orders ${what}`
  return { status: true, code: 200, message, additional: { results } }
}

/** Sends all orders before awaiting any: they reach the exchange in order and share its batches. */
function placeAll(
  exchange: Exchange,
  caller: Identity,
  items: readonly unknown[],
  refused: Refused,
  batch: RunningBatch | undefined,
): Promise<BatchResult[]> {
  const place = (item: unknown, index: number): BatchResult | Promise<BatchResult> => {
    try {
      const part = batch === undefined ? undefined : { batch, index }
      return placeFrom(exchange, caller, item, part).then(resultOfPlaced, refused)
    } catch (error) {
      return refused(error)
    }
  }
  return Promise.all(items.map(place))
}

/** Cancels orders; a named batch first waits until its name is known to belong to no other batch. */
async function cancelAll(
  exchange: Exchange,
  caller: Identity,
  items: readonly unknown[],
  refused: Refused,
  batch: RunningBatch | undefined,
): Promise<BatchResult[]> {
  await batch?.ready
  if (batch?.refusal !== undefined) return []
  const cancel = async (item: unknown): Promise<BatchResult> => {
    if (typeof item !== 'string') {
      throw new ApiError(422, `cancels: Expected the id of an order, received ${kindOf(item)}`)
    }
    return cancelOne(exchange, caller, item) as Promise<BatchResult>
  }
  return Promise.all(items.map(item => cancel(item).catch(refused)))
}

const resultOfPlaced = (placed: Placed) => placedEnvelope(placed) as BatchResult

function resultOf({ code, message, reason }: ApiError): BatchResult {
  return { ...errorEnvelope(code, message), reason }
}
