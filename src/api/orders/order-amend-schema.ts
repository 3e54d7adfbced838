import { z } from 'zod'

/** The body of `POST /order/:id/amend`: a price of the order's outcome, a total quantity. */
export const amendSchema = z
  .object({
    price: z
      .number()
      .min(0.1, 'Expected 0.1 or more')
      .optional()
      .meta({ description: 'INR a contract of the outcome that the order names' }),
    quantity: z
      .number()
      .gt(0, 'Expected more than 0')
      .optional()
      .meta({ description: 'Contracts in all, those filled already among them' }),
  })
  .refine(({ price, quantity }) => price !== undefined || quantity !== undefined, {
    path: ['price'],
    message: 'Expected a price, a quantity, or both',
  })
  .meta({ id: 'Amendment', description: 'A price, a quantity, or both' })
