import { z } from 'zod'
import { eventStatus } from '../events/event-answer.js'
import { answerField } from '../fields.js'
import type { Checked, Same } from '../same-shape.js'
import { groupKind } from './group-schema.js'
import type { Conversion, EventGroup, GroupMoney, GroupPosition } from './group-shape.js'

const { eventCode, price, contracts, rupees, moment, outcome } = answerField

const outcomeAnswer = z
  .object({
    event_id: eventCode,
    label: z.string().meta({ description: 'The outcome’s own title' }),
    image: z.string().nullable().meta({ description: 'An emoji, or the address of a picture' }),
    status: eventStatus,
    outcome: outcome.nullable(),
    last_price: price.nullable(),
    best_bid: price.nullable(),
    best_ask: price.nullable(),
    volume: contracts,
    volume_24h: contracts,
    change_24h: price.nullable(),
  })
  .meta({ id: 'GroupOutcome' })

const groupAnswer = z
  .object({
    code: eventCode.meta({ description: 'The code of the group; its events have codes of their own' }),
    title: z.string(),
    description: z.string(),
    kind: groupKind,
    payout: price.meta({ description: 'Payout of a winning contract, in INR' }),
    createdAt: moment,
    end_date: moment.meta({ description: 'The latest end of its events' }),
    category: z.string().nullable(),
    none_of_these: z.boolean().meta({ description: 'Whether the last outcome is “None of these”' }),
    status: eventStatus.meta({
      description:
        'open while any outcome without a result is, else the first of halted, scheduled and closed that ' +
        'applies to one; then voided, or resolved until all are settled',
    }),
    winner: eventCode.nullable().meta({ description: 'The event that won, in an exclusive group' }),
    outcomes: z.array(outcomeAnswer).meta({ description: 'In the order of their codes' }),
    house_quotes: z
      .object({
        max_loss: rupees.meta({ description: 'The most that the house can lose with all of them' }),
      })
      .optional()
      .meta({ description: 'Absent where the house quotes no outcome, and in lists' }),
  })
  .meta({ id: 'EventGroup' })

const positionAnswer = z
  .object({
    code: eventCode,
    userid: z.string(),
    paid: rupees.meta({ description: 'Net cash put into the group; negative if more came out' }),
    releasable: rupees.meta({
      description: 'What free contracts pay whichever outcome wins: as much can be released in all',
    }),
    outcomes: z
      .array(
        z.object({
          event_id: eventCode,
          label: z.string(),
          yes: contracts,
          no: contracts,
          yes_locked: contracts.meta({ description: 'Those that open orders sell' }),
          no_locked: contracts,
          pays: rupees.meta({ description: 'The payout of all contracts in the group if this one wins' }),
        }),
      )
      .meta({ description: 'The outcomes without a result' }),
  })
  .meta({ id: 'GroupPosition' })

const moneyAnswer = z
  .object({
    code: eventCode,
    escrow: rupees.meta({
      description: 'What its escrow holds: the payout and, until it is settled, the fees',
    }),
    payout: rupees.meta({ description: 'The payout of the winning contracts, whichever outcomes win' }),
    fees: rupees.meta({ description: 'Charged so far: kept after a result, refunded by a void' }),
    outcomes: z.array(z.object({ event_id: eventCode, fees: rupees })),
  })
  .meta({ id: 'GroupMoney' })

const conversionAnswer = z
  .object({
    amount: rupees.meta({ description: 'Change of the cash; negative for a build' }),
    reason: z
      .enum([
        'group_resolved',
        'group_not_open',
        'outcome_resolved',
        'contracts_insufficient',
        'funds_insufficient',
        'capacity_used',
      ])
      .nullable()
      .meta({ description: 'With `preview=true`: why it would be refused; else null' }),
    position: positionAnswer.meta({
      description: 'After the conversion, also if it is previewed; as it is where that would be refused',
    }),
  })
  .meta({ id: 'Conversion' })

export const groupAnswers = {
  group: groupAnswer,
  position: positionAnswer,
  conversion: conversionAnswer,
  money: moneyAnswer,
}

export type GroupAnswer = Checked<EventGroup, Same<EventGroup, z.output<typeof groupAnswer>>>
export type PositionAnswer = Checked<GroupPosition, Same<GroupPosition, z.output<typeof positionAnswer>>>
export type MoneyAnswer = Checked<GroupMoney, Same<GroupMoney, z.output<typeof moneyAnswer>>>
export type ConversionAnswer = Checked<Conversion, Same<Conversion, z.output<typeof conversionAnswer>>>
