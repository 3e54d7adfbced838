import type { z } from 'zod'
import type { Identity } from '../../access/identity.js'
import { ApiError } from '../../api/api-error.js'
import { errorEnvelope } from '../../api/errors.js'
import type { BatchResult, batchAnswer } from '../../api/orders/order-batch-answer.js'
import { batchSchema } from '../../api/orders/order-batch-schema.js'
import { REFUSED } from '../../api/refusal-texts.js'
import { validate } from '../../api/validation.js'
import { kindOf } from '../../api/wrong-value.js'
import type { Exchange } from '../../exchange/exchange.js'
import type { RunningBatch, RunningPart } from '../../exchange/orders/named-batches.js'
import { readJson } from '../middleware/body.js'
import { busy } from '../middleware/capacity-refusal.js'
import type { Answer } from '../middleware/envelope.js'
import { success } from '../middleware/envelope.js'
import type { Fault } from '../middleware/error-refusal.js'
import { refusalBehind } from '../middleware/error-refusal.js'
import { headerOf } from '../middleware/header-of.js'
import { checkLoad } from '../middleware/load-check.js'
import { batchKeyOf } from './batch-key.js'
import { cancelMessage, cancelOne, viewOf } from './order-ending.js'
import { checkKey, placeFrom } from './order-placing.js'
import { PLACED } from './order-handlers.js'
import { handle } from '../routing/handle.js'
import type { Binding, Call } from '../routing/handle.js'
import { orderRoutes } from '../../api/orders/order-routes.js'

const KEY_USED = REFUSED.batchKeyUsed

/**
 * Places or cancels many orders at once: one result each, in order, each with its own envelope (specification
 * 11). A fault in one does not affect the others.
 */
export function orderBatchHandlers(exchange: Exchange, fault: Fault): Binding[] {
  const refused = (error: unknown) => resultOf(refusalBehind(error, fault))
  return [
    handle(orderRoutes.batchOrders, async call => {
      const caller = call.caller
      const { orders, cancels } = validate(batchSchema, await readJson(call))
      if (orders !== undefined) checkLoad(call)
      if (orders === undefined) call.charge?.countBatch('cancels', cancels?.length ?? 0)
      else call.charge?.countBatch('orders', orders.length)
      const run = (batch?: RunningBatch) =>
        orders === undefined
          ? cancelAll(exchange, caller, cancels ?? [], refused, batch)
          : placeAll(exchange, caller, orders, refused, batch)
      const name = headerOf(call.c, 'idempotency-key')
      if (name !== undefined) checkKey(name)
      const key = name === undefined ? name : batchKeyOf(exchange.archive, caller, name, { orders, cancels })
      const results = key === undefined ? await run() : await exchange.batches.once(key, run)
      if (results === 'key_used') throw new ApiError(409, KEY_USED, 'key_used')
      if (typeof results === 'string') throw busy(results)
      return answer(call, orders === undefined ? 'cancelled' : 'placed', results)
    }),
  ]
}

function answer(call: Call, what: string, results: BatchResult[]): Answer {
  const done = results.filter(({ status }) => status).length
  const additional: z.output<typeof batchAnswer> = { results }
  return success(call, 200, `${done} of ${results.length} orders ${what}`, additional)
}

/** Sends all orders before awaiting any: they reach the exchange in order and share its batches. */
function placeAll(
  exchange: Exchange,
  caller: Identity,
  items: readonly unknown[],
  refused: Refused,
  batch: RunningBatch | undefined,
): Promise<BatchResult[]> {
  const part = (index: number) => (batch === undefined ? undefined : { batch, index })
  return Promise.all(items.map((item, index) => place(exchange, caller, item, part(index)).catch(refused)))
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
  return Promise.all(items.map(item => cancel(exchange, caller, item).catch(refused)))
}

async function place(
  exchange: Exchange,
  caller: Identity,
  item: unknown,
  part?: RunningPart,
): Promise<BatchResult> {
  const { order } = await placeFrom(exchange, caller, item, part)
  return { status: true, code: 201, message: PLACED, additional: viewOf(exchange, order) }
}

async function cancel(exchange: Exchange, caller: Identity, item: unknown): Promise<BatchResult> {
  if (typeof item !== 'string') {
    throw new ApiError(422, `cancels: Expected the id of an order, received ${kindOf(item)}`)
  }
  const order = await cancelOne(exchange, caller, item)
  return { status: true, code: 200, message: cancelMessage(order), additional: viewOf(exchange, order) }
}

/** Makes the result of one order from the error that it ended in. */
type Refused = (error: unknown) => BatchResult

function resultOf({ code, message, reason }: ApiError): BatchResult {
  return { ...errorEnvelope(code, message), reason }
}
