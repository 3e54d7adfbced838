import { z } from 'zod'
import { REFUSAL_REASONS } from '../reasons.js'
import { ORDER_REASONS } from './order-reason-texts.js'

const NAMES = Object.keys(ORDER_REASONS) as (keyof typeof ORDER_REASONS)[]

/** Reason for rejecting an order or cancelling its rest. */
export const orderReason = z.enum(NAMES).meta({
  id: 'OrderReason',
  description: Object.entries(ORDER_REASONS)
    .map(([name, { words, when }]) => `\`${name}\`: ${words}; ${when}.`)
    .join('\n\n'),
})

const DOOR_NAMES = Object.keys(REFUSAL_REASONS) as (keyof typeof REFUSAL_REASONS)[]

/** Reason for refusing a request: by the API, or by the market with the reason of an order. */
export const refusalReason = z.enum([...DOOR_NAMES, ...NAMES]).meta({
  id: 'RefusalReason',
  description: [
    ...Object.entries(REFUSAL_REASONS).map(([name, [code, meaning]]) => `\`${name}\` (${code}): ${meaning}.`),
    'The market refuses orders with the reasons of `OrderReason`.',
  ].join('\n\n'),
})
