import { batchSchema } from '../../api/orders/order-batch-schema.js'
import { orderSchema } from '../../api/orders/order-schema.js'
import { orderRoutes } from '../../api/orders/order-routes.js'
import { ignoredInAny } from '../../api/unknown-fields.js'
import { validate } from '../../api/validation.js'
import type { Fault } from '../../doors/error-refusal.js'
import { runBatch } from '../../doors/orders/batches.js'
import type { Exchange } from '../../exchange/exchange.js'
import { readJson } from '../middleware/body.js'
import { envelopeText } from '../middleware/envelope.js'
import { ignoredHeader } from '../middleware/ignored-header.js'
import { checkLoad } from '../middleware/load-check.js'
import type { Binding } from '../routing/handle.js'
import { handle } from '../routing/handle.js'
import { idempotencyKeyOf } from './idempotency-key.js'

/** Places or cancels many orders at once (specification 11). */
export function orderBatchHandlers(exchange: Exchange, fault: Fault): Binding[] {
  return [
    handle(orderRoutes.batchOrders, async call => {
      const { orders, cancels } = validate(batchSchema, await readJson(call))
      if (orders !== undefined) checkLoad(call)
      if (orders === undefined) call.charge?.countBatch('cancels', cancels?.length ?? 0)
      else call.charge?.countBatch('orders', orders.length)
      const batch = { orders, cancels, name: idempotencyKeyOf(call) }
      const { code, message, additional } = await runBatch(exchange, call.caller, batch, fault)
      const text = JSON.stringify({ status: true, code, message, additional })
      return envelopeText(call, code, text, { ...ignoredHeader(ignoredInAny(orderSchema, orders ?? [])) })
    }),
  ]
}
