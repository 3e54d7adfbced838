import { z } from 'zod'
import { DONE } from '../answer-texts.js'
import { eventAnswers } from '../events/event-answer.js'
import { answerField } from '../fields.js'
import { feesAnswer } from './fee-answer.js'
import { ledgerAnswer } from './ledger-answer.js'
import { resolutionSchema } from './resolution-schema.js'
import { transferSchema } from './transfer-schema.js'
import { userAnswer } from '../portfolio/portfolio-answer.js'
import { userListQuery } from '../portfolio/user-list-query.js'
import { transferAnswer } from '../portfolio/statement-answer.js'
import { rangedPage } from '../page-query.js'
import { FULL, REFUSED } from '../refusal-texts.js'
import { PAGE_FAULTS, RANGE, route } from '../route.js'
import { samples } from '../samples.js'

const STATUS_AFTER = { halt: 'halted', resume: 'open', close: 'closed' } as const
const NO_EVENT = { 404: [REFUSED.eventNotFound] }
const TXN_USED = REFUSED.txnIdUsed
const CAME_IN = 'bank-2026-02-01-17'
const WENT_OUT = 'bank-2026-02-01-18'
const TRANSFER_FAULTS = ['amount: Expected whole paise, at most 2 decimals', 'txn_id: Required']

const transfer = {
  userid: 'asha',
  amount: 500.25,
  createdAt: samples.at,
}

const USER = { userid: 'asha', cash: 999_974, held: 39, available: 999_935, suspended: false }

const ledger = {
  sequence: 12,
  ok: true,
  checks: [{ rule: 'the cash of all accounts sums to zero', ok: true }],
  accounts: 6,
  events: 1,
  open_orders: 1,
}

/** Routes reserved for operators (specification 11). */
export const operatorRoutes = {
  haltEvent: move('halt', 'halted', 'Stops new orders; open orders stay in the book.'),
  resumeEvent: move('resume', 'resumed', 'Resumes trading in a halted event.'),
  closeEvent: move('close', 'closed', 'Ends trading: cancels all open orders and releases their holds.'),
  resolveEvent: route({
    id: 'resolveEvent',
    method: 'POST',
    path: '/events/:code/resolve',
    needs: 'operator:operate',
    group: 'Operator',
    summary: 'Resolve or void an event',
    description: '200: the outcome is on disk. Payouts follow in batches.',
    body: {
      schema: resolutionSchema,
      samples: {
        yes: { outcome: 'yes', source_url: 'https://example.org/result', note: 'Final at 18:00' },
        void: { outcome: 'void' },
      },
    },
    answers: [
      {
        code: 200,
        message: DONE.eventResolved,
        additional: eventAnswers.event,
        samples: {
          resolved: {
            additional: {
              ...samples.event,
              status: 'resolved',
              outcome: 'yes',
              source_url: 'https://example.org/result',
              note: 'Final at 18:00',
              resolvedAt: '2036-01-02T00:00:00.000Z',
            },
          },
        },
      },
    ],
    refusals: {
      ...NO_EVENT,
      409: [
        'Event is open: close it first',
        'Event is resolved as yes: its outcome can no longer change',
        'Event is voided: its outcome can no longer change',
      ],
      422: ['outcome: Required', 'source_url: Expected an http or https address'],
    },
  }),
  deposit: route({
    id: 'deposit',
    method: 'POST',
    path: '/portfolio/:userid/deposit',
    needs: 'operator:money',
    group: 'Operator',
    summary: 'Deposit money into an account',
    description:
      'Idempotent by `txn_id`: a repeat returns the first answer. Opens an account for a new user.',
    body: { schema: transferSchema, samples: { deposit: { amount: 500.25, txn_id: CAME_IN } } },
    answers: [
      {
        code: 201,
        message: DONE.depositRecorded,
        additional: transferAnswer,
        samples: {
          deposit: { additional: { ...transfer, txn_id: CAME_IN, type: 'deposit', cash: 1_000_500.25 } },
        },
      },
    ],
    refusals: { 409: [TXN_USED, FULL.accounts_full], 422: TRANSFER_FAULTS, 503: [FULL.queue_full] },
  }),
  withdraw: route({
    id: 'withdraw',
    method: 'POST',
    path: '/portfolio/:userid/withdraw',
    needs: 'operator:money',
    group: 'Operator',
    summary: 'Withdraw money from an account',
    description: 'Idempotent by `txn_id`: a repeat returns the first answer.',
    body: { schema: transferSchema, samples: { withdrawal: { amount: 500.25, txn_id: WENT_OUT } } },
    answers: [
      {
        code: 201,
        message: DONE.withdrawalRecorded,
        additional: transferAnswer,
        samples: {
          withdrawal: { additional: { ...transfer, txn_id: WENT_OUT, type: 'withdrawal', cash: 999_499.75 } },
        },
      },
    ],
    refusals: {
      404: [REFUSED.userNotFound],
      409: [TXN_USED, 'Insufficient funds: ₹120.50 available'],
      422: TRANSFER_FAULTS,
      503: [FULL.queue_full],
    },
  }),
  listUsers: route({
    id: 'listUsers',
    method: 'GET',
    path: '/portfolio',
    needs: 'operator:read',
    group: 'Operator',
    summary: 'List users: searched, sorted and filtered',
    description: 'A cursor belongs to the sort that it was made with.',
    query: userListQuery,
    querySample: {
      q: 'ash',
      sort: 'cash',
      order: 'desc',
      only: 'limited',
      figures: 'yes',
      limit: 100,
      cursor: '4',
    },
    answers: [
      {
        code: 200,
        message: DONE.usersFetched,
        additional: z.object({ users: z.array(userAnswer), next_cursor: answerField.nextCursor }),
        samples: { 'the last page': { additional: { users: [USER], next_cursor: null } } },
      },
    ],
    looksUp: true,
    refusals: {
      422: PAGE_FAULTS,
    },
  }),
  verifyLedger: route({
    id: 'verifyLedger',
    method: 'GET',
    path: '/ledger/verify',
    needs: 'operator:read',
    group: 'Operator',
    summary: 'Verify the ledger',
    description: 'Recomputes all balances from one snapshot of the tables. Always 200; `ok` is the result.',
    answers: [
      {
        code: 200,
        message: /^Ledger verified (?:successfully|with findings)$/,
        additional: ledgerAnswer,
        samples: { 'in order': { message: DONE.ledgerVerified, additional: ledger } },
      },
    ],
    looksUp: true,
    refusals: {},
  }),
  listFees: route({
    id: 'listFees',
    method: 'GET',
    path: '/ledger/fees',
    needs: 'operator:read',
    group: 'Operator',
    summary: 'List what came in as fees, by day and event, newest first',
    description: 'Days are of UTC; `from` and `to` select those that begin in the range.',
    query: rangedPage,
    querySample: { ...RANGE.sample, limit: 100, cursor: '20781-1000001' },
    answers: [
      {
        code: 200,
        message: DONE.feesFetched,
        additional: feesAnswer,
        samples: {
          'the last page': {
            additional: {
              days: [{ date: '2026-11-24', event_id: '1000001', fees: 12.5 }],
              collected: 340.75,
              next_cursor: null,
            },
          },
        },
      },
    ],
    looksUp: true,
    refusals: { 422: [...RANGE.faults, ...PAGE_FAULTS] },
  }),
}

function move<const Verb extends 'halt' | 'resume' | 'close'>(verb: Verb, done: string, description: string) {
  return route({
    id: `${verb}Event`,
    method: 'POST',
    path: `/events/:code/${verb}`,
    needs: 'operator:operate',
    group: 'Operator',
    summary: `${verb[0]?.toUpperCase()}${verb.slice(1)} an event`,
    description: `${description} No body needed. Idempotent.`,
    answers: [
      {
        code: 200,
        message: `Event ${done} successfully`,
        additional: eventAnswers.event,
        samples: { [done]: { additional: { ...samples.event, status: STATUS_AFTER[verb] } } },
      },
    ],
    refusals: {
      ...NO_EVENT,
      409: [
        ...(verb === 'close' ? [] : [`Event is scheduled: it cannot be ${done} before it opens`]),
        `Event is settled: it can no longer be ${done}`,
      ],
    },
  })
}
