import { z } from 'zod'
import { MARKET_STATUSES } from '../../core/market.js'
import { answerField } from '../fields.js'
import type { Checked, Same } from '../same-shape.js'
import type { Category, Market, OrderBook } from './event-shape.js'

const { eventCode, price, contracts, rupees, moment } = answerField

export const eventStatus = z
  .enum(MARKET_STATUSES)
  .meta({ id: 'EventStatus', description: 'Status of the event' })

/** An order of the house. */
export const houseRung = z.object({
  side: answerField.side,
  price: price.meta({ description: 'The YES price' }),
  quantity: contracts,
})

/** An event: the fields of specification 2.2, and Raay's own (specification 11). */
const eventAnswer = z
  .object({
    id: z.string().meta({ description: 'Id of the event record' }),
    title: z.string(),
    slug: z.string().meta({ description: 'Derived from the title; unique' }),
    description: z.string(),
    start_date: moment,
    end_date: moment,
    createdAt: moment,
    min_bet: rupees,
    max_bet: rupees,
    sot: z.string().meta({ description: 'Source of truth: who decides the result' }),
    traders: z.int().min(0).meta({ description: 'Users who have traded in it' }),
    quantity: contracts.meta({ description: 'Open-interest cap: the most YES/NO pairs that may exist' }),
    event_id: eventCode,
    status: eventStatus,
    payout: price.meta({ description: 'Payout of a winning contract, in INR' }),
    tick_size: price.meta({ description: 'Price step in INR' }),
    outcome: answerField.outcome.nullable(),
    category: z.string().nullable(),
    image: z.string().nullable().meta({ description: 'An emoji, or the address of a picture' }),
    source_url: z.string().nullable().meta({
      description:
        'Link to where the result is published; once resolved, that of the resolution if it has one',
    }),
    note: z.string().nullable(),
    resolvedAt: moment.nullable(),
    last_price: price.nullable().meta({ description: 'The YES price of the last trade' }),
    best_bid: price.nullable().meta({ description: 'The highest YES bid' }),
    best_ask: price.nullable().meta({ description: 'The lowest YES ask' }),
    volume: contracts.meta({ description: 'Contracts traded' }),
    volume_24h: contracts.meta({
      description:
        'Contracts traded in the last 24 hours, to the half hour; after a start 0 until counted again',
    }),
    change_24h: price.nullable().meta({
      description: 'Change of the YES price in the last 24 hours, or since the first trade; null before it',
    }),
    open_interest: contracts.meta({ description: 'YES/NO pairs that exist' }),
    fee_taker_bp: z
      .int()
      .optional()
      .meta({ description: 'Fee rate on arrival, in basis points; absent without fees' }),
    fee_maker_bp: z
      .int()
      .optional()
      .meta({ description: 'Fee rate while resting, in basis points; absent without fees' }),
    group: eventCode.optional().meta({
      description: 'The code of the group that the event is an outcome of; absent without one',
    }),
    label: z.string().optional().meta({ description: 'The outcome’s own title in its group' }),
    house_quotes: z
      .object({
        max_loss: rupees.meta({ description: 'The most that the house can lose' }),
        rungs: z
          .array(houseRung)
          .meta({ description: 'Its orders in the book, of each side the best first' }),
      })
      .optional()
      .meta({ description: 'Absent where the house does not quote, and in lists' }),
  })
  .meta({ id: 'Event' })

/** An event in a list, possibly without the fields that the request left out. */
const listedEventAnswer = eventAnswer
  .extend({
    description: z.string().optional().meta({ description: 'Left out with `description=no`' }),
    trend: z.array(price).max(49).optional().meta({
      description: 'With `trend=yes`: the YES price 24 hours ago, then the price of each half hour since',
    }),
  })
  .meta({ id: 'ListedEvent' })

const categoryAnswer = z
  .object({
    category: z.string(),
    trading: z.int().min(0).meta({ description: 'Its events that are scheduled, open or halted' }),
    events: z.int().min(0).meta({ description: 'All of its events' }),
  })
  .meta({ id: 'Category' })

const level = z
  .tuple([price, contracts])
  .meta({ id: 'Level', description: 'YES price, and the contracts resting at it' })

/** A book: YES prices, best first. */
const orderBookAnswer = z
  .object({
    event_id: eventCode,
    seq: z
      .int()
      .min(0)
      .meta({ description: "The last message of the event's channel that this book includes" }),
    status: eventStatus,
    bids: z.array(level).meta({ description: 'Highest price first' }),
    asks: z.array(level).meta({ description: 'Lowest price first' }),
    last_price: price.nullable(),
  })
  .meta({ id: 'OrderBook' })

/** Exactly the fields of specification 4.2. */
const tradeSummaryAnswer = z
  .object({
    order_book_details: z.object({
      orderbook_config: z.object({
        socket_events: z.object({
          subscribe_msg_name: z.literal('subscribe_orderbook'),
          unsubscribe_msg_name: z.literal('unsubscribe_orderbook'),
          listener_msg_name: z.string().regex(/^event_orderbook_\d{7}$/),
          subscription_data: eventCode,
        }),
      }),
    }),
  })
  .meta({ id: 'TradeSummary' })

export const eventAnswers = {
  event: eventAnswer,
  listedEvent: listedEventAnswer,
  category: categoryAnswer,
  level,
  orderBook: orderBookAnswer,
  tradeSummary: tradeSummaryAnswer,
}

export type EventAnswer = Checked<Market, Same<Market, z.output<typeof eventAnswer>>>
export type CategoryAnswer = Checked<Category, Same<Category, z.output<typeof categoryAnswer>>>
export type OrderBookAnswer = Checked<OrderBook, Same<OrderBook, z.output<typeof orderBookAnswer>>>
export type TradeSummaryAnswer = z.output<typeof tradeSummaryAnswer>
