import { z } from 'zod'
import { LIMITS } from '../limits.js'

/** Leaves the items of a batch to be checked one by one, so that one fault does not spoil the others. */
export const itemsOf = (item: Record<string, unknown>) =>
  z
    .array(z.unknown().meta(item))
    .min(1, { error: lengthFault })
    .max(LIMITS.batchLengthMax, { error: lengthFault })

const BOTH = 'Send cancels and orders in separate requests'

/** The body of `POST /order/batch` (specification 11). */
export const batchSchema = z
  .strictObject({
    orders: itemsOf({ $ref: '#/components/schemas/NewOrder' })
      .optional()
      .meta({ description: 'Orders to be placed' }),
    cancels: itemsOf({ type: 'string' }).optional().meta({ description: 'Ids of orders to be cancelled' }),
  })
  .refine(({ orders, cancels }) => orders !== undefined || cancels !== undefined, {
    path: ['orders'],
    message: 'Required',
  })
  .refine(({ orders, cancels }) => orders === undefined || cancels === undefined, {
    path: ['cancels'],
    message: BOTH,
  })
  .meta({ id: 'OrderBatch', description: 'Either orders or cancels', minProperties: 1, maxProperties: 1 })

function lengthFault({ input }: { readonly input?: unknown }): string {
  return `Expected 1 to ${LIMITS.batchLengthMax}, received ${(input as readonly unknown[]).length}`
}
