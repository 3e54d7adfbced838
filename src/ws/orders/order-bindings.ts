import type { Identity } from '../../access/identity.js'
import type { OrderMessage } from '../../api/channels/order-message.js'
import {
  amendOrder,
  amendOrderSchema,
  cancelAfter,
  cancelAll,
  cancelAllSchema,
  cancelOrder,
  cancelOrderSchema,
  cancelOrders,
  cancelOrdersSchema,
  placeOrder,
  placeOrders,
  placeOrdersSchema,
  previewOrder,
  replaceQuotes,
} from '../../api/channels/order-messages.js'
import { ApiError } from '../../api/api-error.js'
import { orderSchema } from '../../api/orders/order-schema.js'
import { ignoredInAny, ignoredNames } from '../../api/unknown-fields.js'
import { validate } from '../../api/validation.js'
import type { Fault } from '../../doors/error-refusal.js'
import { amendOne } from '../../doors/orders/amending.js'
import { runBatch } from '../../doors/orders/batches.js'
import { cancelNamed, cancelOne, cancelOrdersOf } from '../../doors/orders/ending.js'
import type { Envelope } from '../../doors/orders/order-envelope.js'
import { placedEnvelope, placeFrom } from '../../doors/orders/placing.js'
import { previewFrom } from '../../doors/orders/previewing.js'
import { replaceQuotesFrom } from '../../doors/orders/quoting.js'
import { setTimerFrom } from '../../doors/orders/timing.js'
import { withOwnUser } from '../../doors/own-user.js'
import type { Exchange } from '../../exchange/exchange.js'

/**
 * Does what a message asks for; resolves to its answer. What it places, amends or cancels
 * arrives with this call. Rejects with an ApiError.
 */
export type OrderHandler = (caller: Identity, data: object) => Promise<Handled>

/** The envelope of an answer, and the fields of the request that had no effect, if any. */
interface Handled {
  readonly data: Envelope<200 | 201, unknown>
  readonly ignored?: readonly string[]
}

export type OrderHandlers = ReadonlyMap<OrderMessage, OrderHandler>

/** Binds the messages about orders to what HTTP calls, too. */
export function orderHandlers(exchange: Exchange, fault: Fault): OrderHandlers {
  return new Map<OrderMessage, OrderHandler>([
    [
      placeOrder,
      async (caller, data) => {
        const placed = await placeFrom(exchange, caller, data)
        return handled(placedEnvelope(placed), placed.ignored)
      },
    ],
    [
      placeOrders,
      async (caller, data) => {
        const { orders, idempotency_key: name } = validate(placeOrdersSchema, data)
        const ignored = ignoredInAny(orderSchema, orders)
        return handled(await runBatch(exchange, caller, { orders, name }, fault), ignored)
      },
    ],
    [
      amendOrder,
      async (caller, data) => {
        const { id, idempotency_key: key, ...amendment } = validate(amendOrderSchema, data)
        return handled(await amendOne(exchange, caller, { id, key }, amendment))
      },
    ],
    [cancelOrder, async (caller, data) => handled(await cancelIn(exchange, caller, data))],
    [
      cancelOrders,
      async (caller, data) => {
        const { ids, idempotency_key: name } = validate(cancelOrdersSchema, data)
        return handled(await runBatch(exchange, caller, { cancels: ids, name }, fault))
      },
    ],
    [
      cancelAll,
      async (caller, data) =>
        handled(await cancelOrdersOf(exchange, caller, validate(cancelAllSchema, withOwnUser(caller, data)))),
    ],
    [replaceQuotes, async (caller, data) => handled(await replaceQuotesFrom(exchange, caller, data))],
    [cancelAfter, async (caller, data) => handled(await setTimerFrom(exchange, caller, data))],
    [previewOrder, async (caller, data) => handled(await previewFrom(exchange, caller, data))],
  ])
}

function handled(data: Handled['data'], ignored: readonly string[] = []): Handled {
  const names = ignored.length === 0 ? ignored : ignoredNames(ignored)
  return names.length === 0 ? { data } : { data, ignored: names }
}

/** Cancels an order by its id, or by the name that its user gave it. */
function cancelIn(exchange: Exchange, caller: Identity, data: object) {
  const { id, client_order_id: name, userid = caller.userId } = validate(cancelOrderSchema, data)
  if (id !== undefined) return cancelOne(exchange, caller, id)
  if (userid === undefined) throw new ApiError(422, 'userid: Required')
  return cancelNamed(exchange, caller, userid, name ?? '')
}
