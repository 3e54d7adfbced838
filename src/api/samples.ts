import type { z } from 'zod'
import type { EventAnswer, OrderBookAnswer, TradeSummaryAnswer } from './events/event-answer.js'
import type { eventSchema } from './events/event-schema.js'
import type { OrderAnswer } from './orders/order-answer.js'
import type { orderSchema } from './orders/order-schema.js'
import { orderView } from './orders/order-view.js'
import type { FillAnswer, PositionAnswer } from './portfolio/portfolio-answer.js'
import { newOrderRecord } from '../core/order-record.js'
import type { AccountNumber, MarketCode, OrderNumber, TimeMs } from '../core/units.js'
import { amount, lots, NO_LOTS, ticks } from '../core/units.js'

const AT = '2026-02-01T09:30:00.000Z'
const LATER = '2026-02-01T09:31:00.000Z'
const ASHAS_ORDER = '1000001-1-x1Ya2Zb3Xc'

const newEvent: z.input<typeof eventSchema> = {
  title: 'Will X reach $100k by 2026?',
  description: 'Closes YES if X trades at or above $100,000.',
  start_date: '2026-01-01T00:00:00.000Z',
  end_date: '2036-01-01T00:00:00.000Z',
  min_bet: 1,
  max_bet: 100_000,
  sot: 'crypto',
  quantity: 100_000,
}

const event: EventAnswer = {
  id: 'f3Kq9ZtW2mXb7LcP',
  title: 'Will X reach $100k by 2026?',
  slug: 'will-x-reach-100k-by-2026',
  description: 'Closes YES if X trades at or above $100,000.',
  start_date: '2026-01-01T00:00:00.000Z',
  end_date: '2036-01-01T00:00:00.000Z',
  createdAt: '2025-12-31T18:00:00.000Z',
  min_bet: 1,
  max_bet: 100_000,
  sot: 'crypto',
  traders: 2,
  quantity: 100_000,
  event_id: '1000001',
  status: 'open',
  payout: 10,
  tick_size: 0.01,
  outcome: null,
  category: 'Crypto',
  image: '🪙',
  source_url: 'https://example.org/prices',
  note: null,
  resolvedAt: null,
  last_price: 6.5,
  best_bid: 6.5,
  best_ask: null,
  volume: 4,
  volume_24h: 4,
  change_24h: 0.25,
  open_interest: 4,
}

const book: OrderBookAnswer = {
  event_id: '1000001',
  seq: 5,
  status: 'open',
  bids: [
    [6.5, 6],
    [6.25, 12.5],
  ],
  asks: [[7, 20]],
  last_price: 6.5,
}

const tradeSummary: TradeSummaryAnswer = {
  order_book_details: {
    orderbook_config: {
      socket_events: {
        subscribe_msg_name: 'subscribe_orderbook',
        unsubscribe_msg_name: 'unsubscribe_orderbook',
        listener_msg_name: 'event_orderbook_1000001',
        subscription_data: '1000001',
      },
    },
  },
}

const newOrder: z.input<typeof orderSchema> = {
  event_id: '1000001',
  l1_expected_price: 6.5,
  l1_order_quantity: 10,
  offer_type: 'buy',
  order_type: 'LO',
  userid: 'asha',
}

const PAYOUT = ticks(1000)

const arrived = newOrderRecord(
  {
    type: 'CREATE_ORDER',
    id: 'sample',
    data: { market: '1000001', price: 6.5, quantity: 10, side: 'yes', userId: 'asha' },
    market: 1_000_001 as MarketCode,
    number: 1 as OrderNumber,
    suffix: 'x1Ya2Zb3Xc',
    account: 1 as AccountNumber,
    orderType: 'LO',
    selfTrade: 'taker',
    outcome: 'yes',
    asked: undefined,
    admission: { price: ticks(650), quantity: lots(1000), covered: NO_LOTS, hold: amount(650_000) },
  },
  Date.parse(AT) as TimeMs,
)

const order: OrderAnswer = orderView(
  {
    ...arrived,
    state: 'partially_filled',
    filled: lots(400),
    filledValue: amount(260_000),
    updatedAt: Date.parse(LATER) as TimeMs,
  },
  PAYOUT,
)

const cancelledOrder: OrderAnswer = { ...order, state: 'cancelled', reason: 'user_cancelled' }

const position: PositionAnswer = {
  event_id: '1000001',
  yes: 4,
  no: 0,
  yes_locked: 0,
  no_locked: 0,
  average_price: 6.5,
  realised: 0,
  unrealised: 0,
}

const fill: FillAnswer = {
  tradeId: '1000001-1',
  event_id: '1000001',
  order_id: ASHAS_ORDER,
  side: 'yes',
  outcome: 'yes',
  price: 6.5,
  qty: 4,
  role: 'maker',
  ts: LATER,
  ts_ms: 1_769_938_260_000,
  amount: -26,
}

/** The examples of the documents: Asha bids for ten, Ravi sells four of them to her. */
export const samples = {
  at: AT,
  orderId: ASHAS_ORDER,
  newEvent,
  event,
  book,
  tradeSummary,
  newOrder,
  order,
  cancelledOrder,
  position,
  fill,
}
