import type { z } from 'zod'
import type { RefusalReason } from '../reasons.js'
import type { Cost } from '../route.js'
import type { MessageBase } from './message.js'

/** The data of a message about orders: one object, validated by its handler in the words of HTTP. */
export interface BodyData {
  readonly kind: 'body'
  readonly schema: z.ZodObject
  /** The list in it, each item of which counts as an order or a cancel. */
  readonly list: string | undefined
}

/**
 * A request about orders over WebSocket: the same as its route over HTTP, at the same cost from the same
 * buckets. It needs an `id`, for answers may come in another order.
 */
export interface OrderMessage extends MessageBase {
  readonly needs: 'trade'
  readonly cost: Cost
  readonly data: BodyData
  /** Set if it adds orders, so that it is refused while too many wait. */
  readonly placesOrders: boolean
}

/** The facts that a message about orders shares with its route. */
interface SharedWithRoute {
  readonly cost?: Cost | 'free' | undefined
  readonly placesOrders?: true
}

/** Reasons for which any message about orders may be refused, beside those of every message. */
const REASONS: readonly RefusalReason[] = [
  'orders_in_flight',
  'requests_full',
  'queue_full',
  'disk_full',
  'reads_full',
  'read_late',
  'internal',
]

type Declared = Omit<OrderMessage, 'needs' | 'cost' | 'data' | 'placesOrders'> & {
  readonly schema: z.ZodObject
  readonly list?: string
}

/** Declares a message that does what a route does. */
export function orderMessage(
  { cost, placesOrders }: SharedWithRoute,
  { schema, list, refuses, ...declared }: Declared,
): OrderMessage {
  if (cost === undefined || cost === 'free') throw new Error(`${declared.verb} has the cost of its route`)
  return {
    ...declared,
    needs: 'trade',
    cost,
    data: { kind: 'body', schema, list },
    placesOrders: placesOrders === true,
    refuses: [...REASONS, ...refuses],
  }
}

/** Returns how many orders or cancels a message contains. */
export function countIn({ data: { list } }: OrderMessage, data: unknown): number {
  const items = list === undefined ? undefined : (data as Readonly<Record<string, unknown>>)[list]
  return Array.isArray(items) ? Math.max(1, items.length) : 1
}
