import type { z } from 'zod'
import { DONE } from '../answer-texts.js'
import { FULL, REFUSED } from '../refusal-texts.js'
import { route } from '../route.js'
import { samples } from '../samples.js'
import type { QuotesAnswer } from './liquidity-answer.js'
import { liquidityAnswers } from './liquidity-answer.js'
import { groupLiquiditySchema, liquidityQuery, liquiditySchema } from './liquidity-schema.js'

const quotes: QuotesAnswer = {
  ...{ event_id: '1000001', status: 'running', budget: 1000, returned: 0, start_price: 5, step: 0.5 },
  ...{ max_loss: 999.6, worst_case: -999.6, result_if_yes: 0, result_if_no: 0 },
  ...{ cash: 1000, yes: 0, no: 0, asks_only: false },
  rungs: [
    { side: 'yes', price: 4.5, quantity: 35.1 },
    { side: 'no', price: 5.5, quantity: 35.1 },
  ],
  ...{ fundedAt: samples.at, stoppedAt: null },
}

const stopped: QuotesAnswer = { ...quotes, status: 'stopped', rungs: [], stoppedAt: samples.at }

const group = {
  ...{ code: '1000001', budget: 2000, returned: 0, max_loss: 1999.2, worst_case: -1999.2 },
  outcomes: [
    { ...quotes, event_id: '1000002', label: 'India' },
    { ...quotes, event_id: '1000003', label: 'Australia' },
  ],
}

const stoppedGroup = {
  ...group,
  outcomes: group.outcomes.map(outcome => ({ ...outcome, ...stopped, event_id: outcome.event_id })),
}

const NO_EVENT = { 404: [REFUSED.eventNotFound, REFUSED.quotesNotFound] }
const NO_GROUP = { 404: [REFUSED.groupNotFound, REFUSED.quotesNotFound] }

const NOT_FUNDED = {
  409: [
    REFUSED.quotesRunning,
    'Event is closed: it can no longer be quoted',
    REFUSED.groupOver,
    REFUSED.roundsFull,
    FULL.accounts_full,
  ],
  422: [
    'budget: Expected at least ₹60.26',
    'budget: Expected at most ₹500: all house quotes together may be given ₹1500',
    'start_price: Expected a price of the event: ₹0.10 to ₹9.90, in steps of ₹0.01',
    'step: Expected a multiple of ₹0.05',
    'step: Expected at most ₹4.50',
  ],
  503: [FULL.queue_full],
}

/** House quotes: fund, look at, stop. */
export const liquidityRoutes = {
  fundEventQuotes: route({
    id: 'fundEventQuotes',
    method: 'POST',
    path: '/events/:code/liquidity',
    needs: 'operator:operate',
    group: 'Operator',
    summary: 'Let the house quote both sides of an event',
    description:
      '201: the budget is paid in, and the house quotes while the event is open. It never loses more than ' +
      'the budget. Money that it no longer needs goes back when it is stopped or the event ends.',
    query: liquidityQuery,
    querySample: { preview: 'true' },
    body: { schema: liquiditySchema, samples: { 'a budget': { budget: 1000, start_price: 5, step: 0.5 } } },
    answers: funded(liquidityAnswers.quotes, quotes, { ...quotes, status: 'preview', fundedAt: null }),
    refusals: { 404: [REFUSED.eventNotFound], ...NOT_FUNDED },
  }),
  getEventQuotes: route({
    id: 'getEventQuotes',
    method: 'GET',
    path: '/events/:code/liquidity',
    needs: 'operator:read',
    group: 'Operator',
    summary: 'Get the last house quotes of an event: their results, inventory and rungs',
    description: '`additional` is null if the event has never been funded.',
    answers: shown(DONE.quotesFetched, liquidityAnswers.quotes.nullable(), {
      running: { additional: quotes },
      'never funded': { additional: null },
    }),
    refusals: { 404: [REFUSED.eventNotFound] },
  }),
  stopEventQuotes: route({
    id: 'stopEventQuotes',
    method: 'DELETE',
    path: '/events/:code/liquidity',
    needs: 'operator:operate',
    group: 'Operator',
    summary: 'Stop the house quotes of an event',
    description:
      'Cancels its orders and pays free money back; what its contracts are worth follows with the result.',
    answers: shown(DONE.quotesStopped, liquidityAnswers.quotes, { stopped: { additional: stopped } }),
    refusals: { ...NO_EVENT, 503: [FULL.queue_full] },
  }),
  fundGroupQuotes: route({
    id: 'fundGroupQuotes',
    method: 'POST',
    path: '/groups/:code/liquidity',
    needs: 'operator:operate',
    group: 'Operator',
    summary: 'Let the house quote all outcomes of a group that have no result',
    description:
      'The budget is split evenly. Each outcome begins at an even share of the payout unless start_price ' +
      'is given. All are funded, or none.',
    query: liquidityQuery,
    querySample: { preview: 'true' },
    body: { schema: groupLiquiditySchema, samples: { 'an even share each': { budget: 2000 } } },
    answers: funded(liquidityAnswers.group, group, {
      ...group,
      outcomes: group.outcomes.map(outcome => ({ ...outcome, status: 'preview', fundedAt: null })),
    }),
    refusals: { 404: [REFUSED.groupNotFound], ...NOT_FUNDED },
  }),
  getGroupQuotes: route({
    id: 'getGroupQuotes',
    method: 'GET',
    path: '/groups/:code/liquidity',
    needs: 'operator:read',
    group: 'Operator',
    summary: 'Get the house quotes of the outcomes of a group, and their sums',
    description: '`additional` is null if no outcome has ever been funded.',
    answers: shown(DONE.quotesFetched, liquidityAnswers.group.nullable(), {
      running: { additional: group },
      'never funded': { additional: null },
    }),
    refusals: { 404: [REFUSED.groupNotFound] },
  }),
  stopGroupQuotes: route({
    id: 'stopGroupQuotes',
    method: 'DELETE',
    path: '/groups/:code/liquidity',
    needs: 'operator:operate',
    group: 'Operator',
    summary: 'Stop the house quotes of all outcomes of a group',
    answers: shown(DONE.quotesStopped, liquidityAnswers.group, { stopped: { additional: stoppedGroup } }),
    refusals: { ...NO_GROUP, 503: [FULL.queue_full] },
  }),
}

function funded(additional: z.ZodType, made: unknown, previewed: unknown) {
  const [first, second] = [{ funded: { additional: made } }, { 'a preview': { additional: previewed } }]
  return [
    { code: 201 as const, message: DONE.quotesFunded, additional, samples: first },
    { code: 200 as const, message: DONE.quotesPreviewed, additional, samples: second },
  ]
}

/** Returns an answer that shows quotes. */
function shown(
  message: string,
  additional: z.ZodType,
  examples: Readonly<Record<string, { readonly additional: unknown }>>,
) {
  return [{ code: 200 as const, message, additional, samples: examples }]
}
