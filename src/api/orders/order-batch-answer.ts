import { z } from 'zod'
import { orderAnswer } from './order-answer.js'
import { refusalReason } from './order-reason.js'

const placed = z.object({
  status: z.literal(true),
  code: z.literal(201),
  message: z.string(),
  additional: orderAnswer,
})

const cancelled = z.object({
  status: z.literal(true),
  code: z.literal(200),
  message: z.string(),
  additional: orderAnswer,
})

const refused = z.object({
  status: z.literal(false),
  code: z.int(),
  name: z.string(),
  message: z.string(),
  reason: refusalReason,
})

/**
 * Result of one order of a batch: the envelope that it would have received alone; a refusal has its reason.
 */
const batchResult = z.union([placed, cancelled, refused]).meta({ id: 'BatchResult' })

/** One result per item, in the order of the request. */
export const batchAnswer = z.object({ results: z.array(batchResult) }).meta({ id: 'BatchResults' })

export type BatchResult = z.output<typeof batchResult>
export type BatchResults = z.output<typeof batchAnswer>
