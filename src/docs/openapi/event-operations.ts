import { z } from 'zod'
import { DONE } from '../../api/answer-texts.js'
import { candleQuery } from '../../api/events/candle-query.js'
import { eventAnswers } from '../../api/events/event-answer.js'
import { eventListQuery, orderBookQuery, tradeSummaryQuery } from '../../api/events/event-query.js'
import { eventSchema } from '../../api/events/event-schema.js'
import { candleAnswer, tradeAnswer } from '../../api/events/trade-answer.js'
import { answerField } from '../../api/fields.js'
import { LIMITS } from '../../api/limits.js'
import { pageQuery, rangedPage } from '../../api/page-query.js'
import { FULL, REFUSED } from '../../api/refusal-texts.js'
import type { Operation } from './operation.js'
import { PAGE_FAULTS, RANGE } from './operation.js'
import { samples } from './samples.js'

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
export const eventOperations: readonly Operation[] = [
  {
    id: 'createEvent',
    method: 'post',
    path: '/events/create',
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
  },
  {
    id: 'getTradeSummary',
    method: 'get',
    path: '/events/tradeSummary',
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
  },
  {
    id: 'listEvents',
    method: 'get',
    path: '/events',
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
    readsHistory: true,
    refusals: {
      422: [
        ...PAGE_FAULTS,
        `q: Expected at most ${LIMITS.searchLengthMax} characters`,
        `event_ids: Expected at most ${LIMITS.eventIdsMax} event codes, separated by commas`,
      ],
    },
  },
  {
    id: 'listCategories',
    method: 'get',
    path: '/events/categories',
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
  },
  {
    id: 'getEvent',
    method: 'get',
    path: '/events/:code',
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
  },
  {
    id: 'getOrderBook',
    method: 'get',
    path: '/events/:code/orderbook',
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
  },
  {
    id: 'listTrades',
    method: 'get',
    path: '/events/:code/trades',
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
    readsHistory: true,
    refusals: { ...NO_EVENT, 422: [...PAGE_FAULTS, ...RANGE.faults] },
  },
  {
    id: 'listCandles',
    method: 'get',
    path: '/events/:code/candles',
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
    readsHistory: true,
    refusals: {
      ...NO_EVENT,
      422: [
        "interval: Invalid enum value. Expected '1m' | '5m' | '15m' | '1h' | '1d', received '2m'",
        ...RANGE.faults,
        'from: Expected a time since 1970',
        `from: Expected at most ${LIMITS.candlesMax} candles: name a later time or a longer interval`,
      ],
    },
  },
]
