import { z } from 'zod'

/** The body of `POST /order/:id/amend`: a price of the order's outcome, a total quantity. */
export const amendSchema = z
  .object({
    price: z
      .number()
      .min(0.1, 'Expected 0.1 or more')
      .optional()
      .meta({ description: 'INR per contract of the outcome of the order' }),
    quantity: z
      .number()
      .gt(0, 'Expected more than 0')
      .optional()
      .meta({ description: 'Total contracts, including those already filled' }),
  })
  .refine(({ price, quantity }) => price !== undefined || quantity !== undefined, {
    path: ['price'],
    message: 'Expected a price, a quantity, or both',
  })
  .meta({ id: 'Amendment', description: 'A price, a quantity, or both' })
