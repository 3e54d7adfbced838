import { z } from 'zod'
import { answerField } from '../fields.js'
import { rangedPage } from '../page-query.js'
import type { Checked, Same } from '../same-shape.js'
import type { Settlement, StatementEntry, TransferReceipt } from './statement-shape.js'

const { eventCode, orderId, tradeId, contracts, rupees, moment } = answerField

/** A line of a statement; fields that do not apply are null. */
export const entryAnswer = z
  .object({
    id: z.string().meta({ description: 'Identifies the line' }),
    createdAt: moment,
    type: z.enum([
      'opening',
      'deposit',
      'withdrawal',
      'trade',
      'merge',
      'conversion',
      'settlement',
      'void',
      'shortfall',
      'brought_forward',
    ]),
    amount: rupees.meta({ description: 'Change of the cash' }),
    fee: rupees.optional().meta({ description: 'The fee of a trade, which amount includes; absent if none' }),
    cash: rupees.meta({ description: 'Cash after the change' }),
    event_id: eventCode
      .nullable()
      .meta({ description: 'The event; the group, for a conversion or the void of an exclusive group' }),
    order_id: orderId.nullable(),
    trade_id: tradeId.nullable(),
    txn_id: z.string().nullable(),
  })
  .meta({ id: 'StatementEntry' })

/** Selects a user's settlements. */
export const settlementQuery = z.object({
  event_id: z.string().optional().meta({ description: 'An event code' }),
  ...rangedPage.shape,
})

/** Result of one event for a user. */
export const settlementAnswer = z
  .object({
    event_id: eventCode,
    outcome: answerField.outcome,
    yes: contracts,
    no: contracts,
    paid: rupees.meta({ description: 'Net amount invested: purchases less sales' }),
    payment: rupees.meta({ description: 'Payout or refund' }),
    result: rupees.meta({ description: 'payment − paid' }),
    settledAt: moment,
  })
  .meta({ id: 'Settlement' })

/** A deposit or a withdrawal, as first made. */
export const transferAnswer = z
  .object({
    txn_id: z.string(),
    userid: z.string(),
    type: z.enum(['deposit', 'withdrawal']),
    amount: rupees,
    cash: rupees.meta({ description: 'Cash after the transfer' }),
    createdAt: moment,
  })
  .meta({ id: 'Transfer' })

export type EntryAnswer = Checked<StatementEntry, Same<StatementEntry, z.output<typeof entryAnswer>>>
export type SettlementAnswer = Checked<Settlement, Same<Settlement, z.output<typeof settlementAnswer>>>
export type TransferAnswer = Checked<TransferReceipt, Same<TransferReceipt, z.output<typeof transferAnswer>>>
