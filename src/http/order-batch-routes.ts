import type { Context } from 'hono'
import { Hono } from 'hono'
import type { ErrorEnvelope } from '../exchange/error-envelope.js'
import { errorEnvelope } from '../exchange/error-envelope.js'
import type { Exchange } from '../exchange/exchange.js'
import { kindOf } from '../exchange/wrong-value.js'
import { readJson } from './body.js'
import { ApiError, success } from './envelope.js'
import { cancelMessage, cancelOne, viewOf } from './order-ending.js'
import { placeFrom } from './order-placing.js'
import { PLACED } from './order-routes.js'

const BATCH_LENGTH_MAX = 100

interface Done {
  readonly status: true
  readonly code: 200 | 201
  readonly message: string
  readonly additional: unknown
}

/**
 * Many orders at once, to be placed or cancelled: one result each, in their order, each an envelope of its
 * own (semantics 2). What is wrong with one of them does not touch the others.
 */
export function orderBatchRoutes(exchange: Exchange): Hono {
  return new Hono().post('/batch', async c => {
    const [field, items] = itemsOf(await readJson(c))
    const one = field === 'orders' ? place : cancel
    // All are sent before any is awaited: they reach the exchange in their order and share their batches.
    const results = await Promise.all(items.map(item => one(exchange, item).catch(refused)))
    return answer(c, field, results)
  })
}

function answer(c: Context, field: string, results: readonly (Done | ErrorEnvelope)[]): Response {
  const done = results.filter(({ status }) => status).length
  const what = field === 'orders' ? 'placed' : 'cancelled'
  return success(c, 200, `${done} of ${results.length} orders ${what}`, { results })
}

function itemsOf(body: unknown): readonly ['orders' | 'cancels', readonly unknown[]] {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new ApiError(422, `body: Expected object, received ${kindOf(body)}`)
  }
  const { orders, cancels } = body as { readonly orders?: unknown; readonly cancels?: unknown }
  if (orders !== undefined && cancels !== undefined) {
    throw new ApiError(422, 'cancels: Expected none beside orders: send them apart')
  }
  const field = cancels === undefined ? 'orders' : 'cancels'
  const items = orders ?? cancels
  if (items === undefined) throw new ApiError(422, 'orders: Required')
  if (!Array.isArray(items)) throw new ApiError(422, `${field}: Expected array, received ${kindOf(items)}`)
  if (items.length < 1 || items.length > BATCH_LENGTH_MAX) {
    throw new ApiError(422, `${field}: Expected 1 to ${BATCH_LENGTH_MAX}, received ${items.length}`)
  }
  return [field, items]
}

async function place(exchange: Exchange, item: unknown): Promise<Done> {
  const { order } = await placeFrom(exchange, item)
  return { status: true, code: 201, message: PLACED, additional: viewOf(exchange, order) }
}

async function cancel(exchange: Exchange, item: unknown): Promise<Done> {
  if (typeof item !== 'string') {
    throw new ApiError(422, `cancels: Expected the id of an order, received ${kindOf(item)}`)
  }
  const order = await cancelOne(exchange, item)
  return { status: true, code: 200, message: cancelMessage(order), additional: viewOf(exchange, order) }
}

function refused(error: unknown): ErrorEnvelope {
  if (error instanceof ApiError) return errorEnvelope(error.code, error.message)
  throw error
}
