import { samples } from '../samples.js'
import type { ConversionAnswer, GroupAnswer, MoneyAnswer, PositionAnswer } from './group-answer.js'

const quiet = {
  image: null,
  status: 'open',
  outcome: null,
  last_price: null,
  best_bid: null,
  best_ask: null,
  volume: 0,
  volume_24h: 0,
  change_24h: null,
} as const

const outcomes: GroupAnswer['outcomes'] = [
  { ...quiet, event_id: '1000002', label: 'India', last_price: 4.5, best_bid: 4.4, volume: 12 },
  { ...quiet, event_id: '1000003', label: 'Australia', last_price: 3.2, best_ask: 3.3, volume: 4 },
  { ...quiet, event_id: '1000004', label: 'None of these' },
]

const group: GroupAnswer = {
  ...{ code: '1000001', title: 'Who wins the cup?', description: 'The winner of the final.' },
  ...{ kind: 'exclusive', payout: 10, createdAt: samples.at, end_date: '2036-01-01T00:00:00.000Z' },
  ...{ category: null, none_of_these: true, status: 'open', winner: null, outcomes },
}

const resolved: GroupAnswer = {
  ...{ ...group, status: 'resolved', winner: '1000002' },
  outcomes: outcomes.map(outcome => {
    const result = outcome.event_id === '1000002' ? 'yes' : 'no'
    return { ...outcome, status: 'resolved', outcome: result, best_bid: null, best_ask: null }
  }),
}

const unlocked = { yes_locked: 0, no_locked: 0 }

const position: PositionAnswer = {
  ...{ code: '1000001', userid: 'asha', paid: 13, releasable: 10 },
  outcomes: [
    { ...unlocked, event_id: '1000002', label: 'India', yes: 0, no: 1, pays: 10 },
    { ...unlocked, event_id: '1000003', label: 'Australia', yes: 0, no: 1, pays: 10 },
    { ...unlocked, event_id: '1000004', label: 'None of these', yes: 0, no: 0, pays: 20 },
  ],
}

const conversion: ConversionAnswer = {
  amount: 10,
  reason: null,
  position: {
    ...{ code: '1000001', userid: 'asha', paid: 3, releasable: 0 },
    outcomes: [
      { ...unlocked, event_id: '1000002', label: 'India', yes: 0, no: 0, pays: 0 },
      { ...unlocked, event_id: '1000003', label: 'Australia', yes: 0, no: 0, pays: 0 },
      { ...unlocked, event_id: '1000004', label: 'None of these', yes: 1, no: 0, pays: 10 },
    ],
  },
}

const money: MoneyAnswer = {
  ...{ code: '1000001', escrow: 161.2, payout: 160, fees: 1.2 },
  outcomes: outcomes.map(({ event_id }, index) => ({ event_id, fees: index === 0 ? 1.2 : 0 })),
}

const preview = {
  ...{ code: '1000001', winner: '1000002' },
  totals: { users: 2, escrow: 161.2, payout: 160, collected: 0, shortfall: 0, fees: 1.2, sum: 0 },
  settlements: [
    { userid: 'asha', paid: 90, payment: 160, result: 70 },
    { userid: 'ben', paid: 71.2, payment: 0, result: -71.2 },
  ],
  next_cursor: null,
}

/** Examples of the documents. */
export const groupSamples = { group, resolved, position, conversion, money, preview }
