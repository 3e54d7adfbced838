import { z } from 'zod'
import { answerField } from '../fields.js'
import type { Checked, Same } from '../same-shape.js'
import type { Candle, RecordedTrade } from './trade-shape.js'

const { eventCode, tradeId, price, contracts, moment } = answerField

/** A trade; `price` is the YES price. */
export const tradeAnswer = z
  .object({
    tradeId,
    event_id: eventCode,
    price: price.meta({ description: 'The YES price' }),
    no_price: price.meta({ description: 'The NO price: payout − YES price' }),
    qty: contracts,
    taker_side: answerField.side,
    ts: moment,
  })
  .meta({ id: 'Trade' })

/** YES prices over one interval, and the contracts traded. */
export const candleAnswer = z
  .object({
    ts: moment.meta({ description: 'Start of the interval' }),
    open: price,
    high: price,
    low: price,
    close: price,
    volume: contracts,
    trades: z.int().min(0),
  })
  .meta({ id: 'Candle' })

export type TradeAnswer = Checked<RecordedTrade, Same<RecordedTrade, z.output<typeof tradeAnswer>>>
export type CandleAnswer = Checked<Candle, Same<Candle, z.output<typeof candleAnswer>>>
