import { z } from 'zod'
import { nearestStep } from '../../core/units.js'
import { keyField } from './order-key.js'

/** The fields of an amendment: a price of the order's outcome, a total quantity. */
export const amendFields = {
  price: z
    .number()
    .min(0.1, 'Expected 0.1 or more')
    .overwrite(nearestStep)
    .optional()
    .meta({ description: 'INR per contract of the outcome of the order' }),
  quantity: z
    .number()
    .gt(0, 'Expected more than 0')
    .overwrite(nearestStep)
    .optional()
    .meta({ description: 'Total contracts, including those already filled' }),
}

const NAME =
  'Your name for this amendment of this order, kept permanently. Repeating it with the same body returns ' +
  'the order that it left in force, as it is now; a different body returns 409'

/** The name of an amendment. */
export const amendmentName = keyField.optional().meta({ description: NAME })

/** The headers of an amendment over HTTP. */
export const amendHeaders = {
  headers: z.object({ 'Idempotency-Key': amendmentName }),
  headersSample: { 'Idempotency-Key': 'amend-3' },
}

/** Refuses an amendment that changes nothing. */
export const HAS_AMENDMENT = {
  path: ['price'],
  message: 'Expected a price, a quantity, or both',
}

/** Tells whether anything is to change. */
export function hasAmendment({ price, quantity }: { price?: unknown; quantity?: unknown }): boolean {
  return price !== undefined || quantity !== undefined
}

/** The body of `POST /order/:id/amend`. */
export const amendSchema = z
  .strictObject(amendFields)
  .refine(hasAmendment, HAS_AMENDMENT)
  .meta({ id: 'Amendment', description: 'A price, a quantity, or both', minProperties: 1 })
