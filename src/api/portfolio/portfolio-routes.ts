import { z } from 'zod'
import { DONE } from '../answer-texts.js'
import { answerField } from '../fields.js'
import { LIMITS } from '../limits.js'
import { longPageQuery } from '../long-page-query.js'
import { rangedPage } from '../page-query.js'
import { performanceAnswer, performanceQuery } from './performance-answer.js'
import { balanceAnswer, fillAnswer, positionAnswer } from './portfolio-answer.js'
import { entryAnswer, settlementAnswer, settlementQuery } from './statement-answer.js'
import { REFUSED } from '../refusal-texts.js'
import { PAGE_FAULTS, RANGE, route } from '../route.js'
import { samples } from '../samples.js'

const { nextCursor } = answerField
const NO_USER = { 404: [REFUSED.userNotFound] }

const entry = {
  id: '12-3',
  createdAt: '2026-02-01T09:31:00.000Z',
  type: 'trade',
  amount: -26,
  cash: 999_974,
  event_id: '1000001',
  order_id: samples.orderId,
  trade_id: '1000001-1',
  txn_id: null,
}

const performance = {
  from: '2026-02-01T00:00:00.000Z',
  to: '2026-02-02T00:00:00.000Z',
  complete: true,
  lines: 2,
  totals: {
    opening: 1_000_000,
    deposit: 0,
    withdrawal: 0,
    trade: -26,
    merge: 0,
    conversion: 0,
    settlement: 0,
    void: 0,
    shortfall: 0,
    brought_forward: 0,
  },
  points: [
    { ts: '2026-02-01T00:00:00.000Z', cash: 0, positions_value: 0, paid_in: 0 },
    { ts: '2026-02-02T00:00:00.000Z', cash: 999_974, positions_value: 26, paid_in: 1_000_000 },
  ],
}

const settlement = {
  event_id: '1000001',
  outcome: 'yes',
  yes: 4,
  no: 0,
  paid: 26,
  payment: 40,
  result: 14,
  settledAt: '2036-01-02T00:00:00.000Z',
}

/** A user's money and contracts, and their history (specification 11). */
export const portfolioRoutes = {
  getBalance: route({
    id: 'getBalance',
    method: 'GET',
    path: '/portfolio/:userid/balance',
    needs: 'read',
    group: 'Portfolio',
    summary: 'Get the balance of a user',
    answers: [
      {
        code: 200,
        message: DONE.balanceFetched,
        additional: balanceAnswer,
        samples: {
          balance: {
            additional: { userid: 'asha', cash: 999_974, held: 39, available: 999_935, user_seq: 17 },
          },
        },
      },
    ],
    refusals: NO_USER,
  }),
  listPositions: route({
    id: 'listPositions',
    method: 'GET',
    path: '/portfolio/:userid/positions',
    needs: 'read',
    cost: { kind: 'reads', points: 5, history: true },
    group: 'Portfolio',
    summary: 'List the positions of a user by event',
    query: longPageQuery,
    querySample: { limit: 1000, cursor: '1000001' },
    description:
      'average_price, realised and unrealised are null if the fills predate statements or lie more than ' +
      '100,000 statement entries back.',
    answers: [
      {
        code: 200,
        message: DONE.positionsFetched,
        additional: z.object({ positions: z.array(positionAnswer), next_cursor: nextCursor }),
        samples: { 'one event': { additional: { positions: [samples.position], next_cursor: null } } },
      },
    ],
    refusals: { ...NO_USER, 422: PAGE_FAULTS },
  }),
  getPerformance: route({
    id: 'getPerformance',
    method: 'GET',
    path: '/portfolio/:userid/performance',
    needs: 'read',
    cost: { kind: 'reads', points: 20, history: true },
    group: 'Portfolio',
    summary: 'Get the worth of a portfolio over time, and the changes of its cash in sum',
    query: performanceQuery,
    querySample: { ...RANGE.sample, points: 2 },
    description:
      'Profit or loss between two points is the change of cash + positions_value − paid_in. The range ' +
      'begins at most 100,000 statement entries back, then complete is false. There are fewer points than ' +
      'requested if the user has traded in more than 25 events: points × events is at most 10,000.',
    answers: [
      {
        code: 200,
        message: DONE.performanceFetched,
        additional: performanceAnswer,
        samples: { 'a day': { additional: performance } },
      },
    ],
    refusals: {
      ...NO_USER,
      422: [`points: Expected 2 to ${LIMITS.performancePointsMax}`, ...RANGE.faults],
    },
  }),
  listFills: route({
    id: 'listFills',
    method: 'GET',
    path: '/portfolio/:userid/fills',
    needs: 'read',
    cost: { kind: 'reads', points: 5, history: true },
    group: 'Portfolio',
    summary: 'List the fills of a user, newest first',
    query: rangedPage,
    querySample: { ...RANGE.sample, limit: 100, cursor: '14-1' },
    answers: [
      {
        code: 200,
        message: DONE.fillsFetched,
        additional: z.object({ fills: z.array(fillAnswer), next_cursor: nextCursor }),
        samples: { 'the last page': { additional: { fills: [samples.fill], next_cursor: null } } },
      },
    ],
    refusals: { ...NO_USER, 422: [...PAGE_FAULTS, ...RANGE.faults] },
  }),
  listStatement: route({
    id: 'listStatement',
    method: 'GET',
    path: '/portfolio/:userid/statement',
    needs: 'read',
    cost: { kind: 'reads', points: 5, history: true },
    group: 'Portfolio',
    summary: 'List every change in the cash of a user, newest first',
    query: rangedPage,
    querySample: { ...RANGE.sample, limit: 100, cursor: '14-1' },
    answers: [
      {
        code: 200,
        message: DONE.statementFetched,
        additional: z.object({ entries: z.array(entryAnswer), next_cursor: nextCursor }),
        samples: { 'the last page': { additional: { entries: [entry], next_cursor: null } } },
      },
    ],
    refusals: { ...NO_USER, 422: [...PAGE_FAULTS, ...RANGE.faults] },
  }),
  listSettlements: route({
    id: 'listSettlements',
    method: 'GET',
    path: '/portfolio/:userid/settlements',
    needs: 'read',
    cost: { kind: 'reads', points: 5, history: true },
    group: 'Portfolio',
    summary: 'List the settlements of a user, newest first',
    query: settlementQuery,
    querySample: { event_id: '1000001', ...RANGE.sample, limit: 100, cursor: '1769938260000-1000002' },
    answers: [
      {
        code: 200,
        message: DONE.settlementsFetched,
        additional: z.object({ settlements: z.array(settlementAnswer), next_cursor: nextCursor }),
        samples: { 'the last page': { additional: { settlements: [settlement], next_cursor: null } } },
      },
    ],
    refusals: {
      404: [REFUSED.userNotFound, REFUSED.eventNotFound],
      422: [...PAGE_FAULTS, ...RANGE.faults],
    },
  }),
}
