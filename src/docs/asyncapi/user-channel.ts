import { z } from 'zod'
import { LIMITS } from '../../api/limits.js'
import { orderAnswer } from '../../api/orders/order-answer.js'
import { balanceAnswer, fillAnswer, positionAnswer } from '../../api/portfolio/portfolio-answer.js'
import { samples } from '../../api/samples.js'
import type { SocketMessage } from './socket-message.js'
import { SAMPLE_TS } from './socket-message.js'

const chain = {
  user_seq: z.int().min(0).meta({
    description: 'Sequence number for this user: 1, 2, 3, … without gaps, permanently',
  }),
  ts: z.int().meta({ description: 'Epoch milliseconds' }),
}

const money = balanceAnswer.pick({ cash: true, held: true, available: true })
const contracts = positionAnswer.pick({
  event_id: true,
  yes: true,
  no: true,
  yes_locked: true,
  no_locked: true,
})

const BALANCE = { cash: 999_974, held: 39, available: 999_935 }
const POSITION = { event_id: '1000001', yes: 4, no: 0, yes_locked: 0, no_locked: 0 }

/** Messages of a user's private channel, by `data.type`. Quantities and amounts are absolute. */
export const userMessages: Readonly<Record<string, SocketMessage>> = {
  userSnapshot: message(
    'The full account: sent first unless from_seq was given',
    'snapshot',
    {
      balance: money.nullable().meta({ description: 'null while the user has no account' }),
      positions: z
        .array(contracts)
        .meta({ description: `By event, the lowest codes, at most ${LIMITS.snapshotPositionsMax}` }),
      more_positions: z
        .boolean()
        .meta({ description: 'True if there are more: see GET /portfolio/:userid/positions' }),
      orders: z
        .array(orderAnswer)
        .meta({ description: `Open orders, newest first, at most ${LIMITS.snapshotOrdersMax}` }),
      more_orders: z.boolean().meta({ description: 'True if there are more: see GET /order?userid=' }),
    },
    {
      ...{ user_seq: 17, balance: BALANCE, positions: [POSITION], more_positions: false },
      ...{ orders: [samples.order], more_orders: false },
    },
  ),
  userOrder: message('Order state', 'order', { order: orderAnswer }, { user_seq: 18, order: samples.order }),
  userFill: message('A fill of an order', 'fill', { fill: fillAnswer }, { user_seq: 19, fill: samples.fill }),
  userPosition: message(
    'The position in an event; all 0 once closed',
    'position',
    { position: contracts },
    { user_seq: 20, position: POSITION },
  ),
  userBalance: message('Balance', 'balance', { balance: money }, { user_seq: 21, balance: BALANCE }),
}

function message(summary: string, type: string, fields: z.ZodRawShape, sample: object): SocketMessage {
  const data = z.object({ type: z.literal(type), ...chain, ...fields })
  const schema = z.object({ event: z.string().regex(/^user_.+$/s), data })
  return {
    summary,
    schema,
    samples: { [type]: { event: 'user_asha', data: { type, ts: SAMPLE_TS, ...sample } } },
  }
}
