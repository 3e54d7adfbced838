import { z } from 'zod'

/**
 * Fields of answers, each defined once. Answers are not checked against them at run time: a view's type
 * guarantees the fields, tests check what is sent against the schemas, and the documents show them.
 */
export const answerField = {
  eventCode: z
    .string()
    .regex(/^\d{7}$/)
    .meta({ description: 'The event code', examples: ['1000001'] }),
  orderId: z
    .string()
    .regex(/^\d{7}-\d+-[0-9A-Za-z]+$/)
    .meta({ description: 'The id of an order', examples: ['1000001-1-x1Ya2Zb3Xc'] }),
  tradeId: z
    .string()
    .regex(/^\d{7}-\d+$/)
    .meta({ description: 'The id of a trade', examples: ['1000001-1'] }),
  price: z.number().meta({ description: 'INR per contract, at most 2 decimals' }),
  contracts: z.number().min(0).meta({ description: 'Contracts, at most 2 decimals' }),
  rupees: z.number().meta({ description: 'INR, at most 4 decimals' }),
  moment: z.string().meta({ format: 'date-time', description: 'ISO 8601, UTC' }),
  epochMs: z.int().min(0).meta({ description: 'The same time, in milliseconds since 1970' }),
  side: z
    .enum(['yes', 'no'])
    .meta({ description: 'Side of the book: yes orders are bids, no orders are asks' }),
  outcome: z.enum(['yes', 'no', 'void']).meta({ description: 'The outcome of the event' }),
  nextCursor: z
    .string()
    .nullable()
    .meta({ description: 'Send it as cursor for the next page; null on the last one' }),
}
