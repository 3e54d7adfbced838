import { z } from 'zod'
import { nearestStep } from '../../core/units.js'

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
