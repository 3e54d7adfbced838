import { z } from 'zod'
import { answerField } from '../fields.js'
import type { Checked, Same } from '../same-shape.js'
import type { Fill, ListedUser, ValuedPosition } from './portfolio-shape.js'

const { eventCode, orderId, tradeId, price, contracts, rupees, moment } = answerField

/** A user's balance. */
export const balanceAnswer = z
  .object({
    userid: z.string(),
    cash: rupees,
    held: rupees.meta({ description: 'INR set aside for open orders' }),
    available: rupees.meta({ description: 'cash − held' }),
    user_seq: z
      .int()
      .min(0)
      .meta({ description: "The last message of the user's channel that this answer includes" }),
  })
  .meta({ id: 'Balance' })

/** A user and their money, as the operator lists them. */
export const userAnswer = balanceAnswer
  .omit({ user_seq: true })
  .extend({
    suspended: z.boolean().meta({ description: 'True while new orders of the user are refused' }),
    figures: z
      .object({
        profit: rupees.meta({ description: 'Profit or loss in resolved events, in INR' }),
        volume: rupees.meta({ description: 'Value of all trades, in INR' }),
        last_seen: moment.nullable().meta({ description: 'When their money last changed' }),
      })
      .optional()
      .meta({ id: 'UserFigures', description: 'Only with `figures=yes`; 30 seconds old at most' }),
  })
  .meta({ id: 'User' })

/** A user's contracts in an event, and how they have done there. */
export const positionAnswer = z
  .object({
    event_id: eventCode,
    yes: contracts,
    no: contracts,
    yes_locked: contracts.meta({ description: 'YES contracts that open orders sell' }),
    no_locked: contracts.meta({ description: 'NO contracts that open orders sell' }),
    average_price: price.nullable().meta({ description: 'Average cost of the contracts held' }),
    realised: rupees.nullable().meta({
      description: 'Realised profit or loss, in INR; fees count as paid. Null in an exclusive group',
    }),
    unrealised: rupees
      .nullable()
      .meta({ description: 'Unrealised profit or loss at the last price, in INR' }),
  })
  .meta({ id: 'Position' })

/** A user's part in a trade; `price` refers to the outcome that the order named. */
export const fillAnswer = z
  .object({
    tradeId,
    event_id: eventCode,
    order_id: orderId,
    side: answerField.side,
    outcome: z.enum(['yes', 'no']),
    price: price.meta({ description: 'INR per contract of the outcome' }),
    qty: contracts,
    role: z.enum(['taker', 'maker']),
    ts: moment,
    ts_ms: answerField.epochMs,
    amount: rupees.meta({ description: "Change of the user's cash, the fee included" }),
    fee: rupees.optional().meta({ description: 'The fee; absent if there was none' }),
  })
  .meta({ id: 'Fill' })

export type BalanceAnswer = z.output<typeof balanceAnswer>
export type UserAnswer = Checked<ListedUser, Same<ListedUser, z.output<typeof userAnswer>>>
export type PositionAnswer = Checked<ValuedPosition, Same<ValuedPosition, z.output<typeof positionAnswer>>>
export type FillAnswer = Checked<Fill, Same<Fill, z.output<typeof fillAnswer>>>
