import { z } from 'zod'
import { DONE } from '../answer-texts.js'
import { candleQuery } from './candle-query.js'
import { eventAnswers } from './event-answer.js'
import { eventListQuery, orderBookQuery, tradeSummaryQuery } from './event-query.js'
import { eventSchema } from './event-schema.js'
import { candleAnswer, tradeAnswer } from './trade-answer.js'
import { answerField } from '../fields.js'
import { LIMITS } from '../limits.js'
import { pageQuery, rangedPage } from '../page-query.js'
import { FULL, REFUSED } from '../refusal-texts.js'
import { IGNORED, IGNORED_HEADER } from '../unknown-fields.js'
import { PAGE_FAULTS, RANGE, route } from '../route.js'
import { samples } from '../samples.js'

const { nextCursor } = answerField
const NO_EVENT = { 404: [REFUSED.eventNotFound] }

const trade = {
  tradeId: '1000001-1',
  event_id: '1000001',
  price: 6.5,
  no_price: 3.5,
  qty: 4,
  taker_side: 'no',
  ts: '2026-02-01T09:31:00.000Z',
}

const candle = {
  ts: '2026-02-01T09:31:00.000Z',
  open: 6.5,
  high: 6.5,
  low: 6.5,
  close: 6.5,
  volume: 4,
  trades: 1,
}

/** Events: create, list, look at (specification 4.1, 4.2, 11). */
export const eventRoutes = {
  createEvent: route({
    id: 'createEvent',
    method: 'POST',
    path: '/events/create',
    needs: 'create',
    group: 'Events',
    summary: 'Create an event',
    description: '201: the event is on disk. `additional` is its code.',
    body: {
      schema: eventSchema,
      samples: {
        'required fields': samples.newEvent,
        'custom payout and tick': {
          ...samples.newEvent,
          title: 'Will it rain on Sunday?',
          payout: 100,
          tick_size: 0.5,
          category: 'Weather',
          source_url: 'https://example.org/gauge',
        },
      },
    },
    answers: [
      {
        code: 201,
        message: DONE.eventCreated,
        additional: answerField.eventCode,
        headers: { [IGNORED_HEADER]: IGNORED },
        samples: { created: { additional: '1000001' } },
      },
    ],
    refusals: {
      409: [REFUSED.eventExists],
      422: [
        'title: Required',
        'min_bet: Expected number, received string',
        'end_date: Expected a time after start_date',
        'body: Expected object, received array',
        'source_url: Expected an http or https address',
        REFUSED.categoriesFull,
      ],
      503: [FULL.queue_full, FULL.events_full],
    },
  }),
  getTradeSummary: route({
    id: 'getTradeSummary',
    method: 'GET',
    path: '/events/tradeSummary',
    needs: 'markets',
    group: 'Events',
    summary: 'Get the WebSocket channel names of an event',
    query: tradeSummaryQuery,
    querySample: { eventId: '1000001' },
    answers: [
      {
        code: 200,
        message: DONE.tradeSummaryFetched,
        additional: eventAnswers.tradeSummary,
        samples: { summary: { additional: samples.tradeSummary } },
      },
    ],
    refusals: { ...NO_EVENT, 422: ['eventId: Required'] },
  }),
  listEvents: route({
    id: 'listEvents',
    method: 'GET',
    path: '/events',
    needs: 'markets',
    searches: 'q',
    group: 'Events',
    summary: 'List events, by code or sorted',
    query: z.object({ ...eventListQuery.shape, ...pageQuery.shape }),
    querySample: {
      status: 'open',
      sot: 'crypto',
      category: 'Crypto',
      q: 'reach 100k',
      description: 'no',
      sort: 'trending',
      event_ids: '1000001,1000002',
      trend: 'yes',
      limit: 100,
      cursor: '1000001',
    },
    answers: [
      {
        code: 200,
        message: DONE.eventsFetched,
        additional: z.object({ events: z.array(eventAnswers.listedEvent), next_cursor: nextCursor }),
        samples: { 'the last page': { additional: { events: [samples.event], next_cursor: null } } },
      },
    ],
    refusals: {
      422: [
        ...PAGE_FAULTS,
        `q: Expected at most ${LIMITS.searchLengthMax} characters`,
        `event_ids: Expected at most ${LIMITS.eventIdsMax} event codes, separated by commas`,
      ],
    },
  }),
  listCategories: route({
    id: 'listCategories',
    method: 'GET',
    path: '/events/categories',
    needs: 'markets',
    group: 'Events',
    summary: 'List the categories of events, those with the most to trade first',
    answers: [
      {
        code: 200,
        message: DONE.categoriesFetched,
        additional: z.object({ categories: z.array(eventAnswers.category) }),
        samples: {
          categories: { additional: { categories: [{ category: 'Crypto', trading: 3, events: 12 }] } },
        },
      },
    ],
    refusals: {},
  }),
  getEvent: route({
    id: 'getEvent',
    method: 'GET',
    path: '/events/:code',
    needs: 'markets',
    group: 'Events',
    summary: 'Get an event',
    answers: [
      {
        code: 200,
        message: DONE.eventFetched,
        additional: eventAnswers.event,
        samples: { 'an open event': { additional: samples.event } },
      },
    ],
    refusals: NO_EVENT,
  }),
  getOrderBook: route({
    id: 'getOrderBook',
    method: 'GET',
    path: '/events/:code/orderbook',
    needs: 'markets',
    group: 'Events',
    summary: 'Get the order book of an event: YES prices, best first',
    query: orderBookQuery,
    querySample: { depth: 20 },
    answers: [
      {
        code: 200,
        message: DONE.orderBookFetched,
        additional: eventAnswers.orderBook,
        samples: { 'a book': { additional: samples.book } },
      },
    ],
    refusals: { ...NO_EVENT, 422: ['depth: Expected 1 to 10000'] },
  }),
  listTrades: route({
    id: 'listTrades',
    method: 'GET',
    path: '/events/:code/trades',
    needs: 'markets',
    cost: { kind: 'reads', points: 5, history: true },
    group: 'Events',
    summary: 'List the trades of an event, newest first',
    query: rangedPage,
    querySample: { ...RANGE.sample, limit: 100, cursor: '1000001-2' },
    answers: [
      {
        code: 200,
        message: DONE.tradesFetched,
        additional: z.object({ trades: z.array(tradeAnswer), next_cursor: nextCursor }),
        samples: { 'the last page': { additional: { trades: [trade], next_cursor: null } } },
      },
    ],
    refusals: { ...NO_EVENT, 422: [...PAGE_FAULTS, ...RANGE.faults] },
  }),
  listCandles: route({
    id: 'listCandles',
    method: 'GET',
    path: '/events/:code/candles',
    needs: 'markets',
    cost: { kind: 'reads', points: 5, history: true },
    group: 'Events',
    summary: 'List the candles of an event, oldest first',
    description:
      'A candle without trades repeats the previous close. Candles begin with the first trade. At most 1000.',
    query: candleQuery,
    querySample: { interval: '1m', from: '2026-02-01T09:31:00.000Z', to: '2026-02-01T09:32:00.000Z' },
    answers: [
      {
        code: 200,
        message: DONE.candlesFetched,
        additional: z.object({ candles: z.array(candleAnswer) }),
        samples: { 'one minute': { additional: { candles: [candle] } } },
      },
    ],
    refusals: {
      ...NO_EVENT,
      422: [
        "interval: Invalid enum value. Expected '1m' | '5m' | '15m' | '1h' | '1d', received '2m'",
        ...RANGE.faults,
        'from: Expected a time since 1970',
        `from: Expected at most ${LIMITS.candlesMax} candles: name a later time or a longer interval`,
      ],
    },
  }),
}
