import { z } from 'zod'
import { amount, TICKS_PER_RUPEE, ticks, UNITS_PER_RUPEE, wholeParts } from '../../core/units.js'
import type { Amount, PriceTicks } from '../../core/units.js'
import { transferSchema } from './transfer-schema.js'

const price = (description: string) =>
  z
    .number()
    .gt(0, 'Expected more than 0')
    .refine(value => wholeParts(value, TICKS_PER_RUPEE) !== undefined, 'Expected a multiple of 0.01')
    .meta({ description })

const start_price = price('The YES price around which it begins, on the tick')
const step = price('From one rung to the next, in ticks; about 1/100 of the payout unless given').optional()
const { amount: budget } = transferSchema.shape

/** The body of `POST /events/:code/liquidity`. */
export const liquiditySchema = z
  .strictObject({
    budget: budget.meta({ description: 'INR that the house is given, and the most that it can lose' }),
    ...{ start_price, step },
  })
  .meta({ id: 'NewHouseQuotes' })

/** The body of `POST /groups/:code/liquidity`. */
export const groupLiquiditySchema = z
  .strictObject({
    budget: budget.meta({ description: 'INR for all outcomes without a result, split evenly' }),
    start_price: start_price.optional().meta({ description: 'An even share of the payout unless given' }),
    step,
  })
  .meta({ id: 'NewGroupHouseQuotes' })

export const liquidityQuery = z.object({
  preview: z
    .literal('true')
    .optional()
    .meta({ description: 'Changes nothing, and says what the house would quote' }),
})

/** House quotes that a body asks for, in units of the exchange. */
export interface AskedQuotes {
  readonly budget: Amount
  readonly startPrice?: PriceTicks
  readonly step?: PriceTicks
}

export function toAskedQuotes(body: z.output<typeof groupLiquiditySchema>): AskedQuotes {
  return {
    budget: amount(wholeParts(body.budget, UNITS_PER_RUPEE) ?? 0),
    ...(body.start_price !== undefined && { startPrice: toTicks(body.start_price) }),
    ...(body.step !== undefined && { step: toTicks(body.step) }),
  }
}

const toTicks = (rupees: number) => ticks(wholeParts(rupees, TICKS_PER_RUPEE) ?? 0)
