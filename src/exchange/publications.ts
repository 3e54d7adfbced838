import { assert } from '../core/assert.js'
import type { EngineEvent } from '../core/engine-event.js'
import type { OrderRecord } from '../core/order-record.js'
import type { MarketMessage } from '../core/records/market-message.js'
import type { MarketCode, TimeMs } from '../core/units.js'
import type { DeskHouse } from './house/desk-house.js'
import type { Activity } from './markets/activity.js'
import { toMessage } from './markets/batch-messages.js'
import type { DeskMarket } from './markets/desk-market.js'

/** The messages of one batch on one market's channel. */
export interface Publication {
  readonly market: DeskMarket
  readonly at: TimeMs
  readonly messages: readonly MarketMessage[]
}

/** The orders that a batch has changed, by market and number. */
export type ChangedRecords = Map<MarketCode, Map<number, OrderRecord>>

/** The part of the desk that messages tell about. */
interface PublishingDesk {
  readonly activity: Activity
  readonly house: DeskHouse
  market(code: MarketCode): DeskMarket
}

/** Brings books and trades of the last day to the end of a batch; returns its messages. */
export function publish(
  desk: PublishingDesk,
  events: readonly EngineEvent[],
  records: ChangedRecords,
  at: TimeMs,
): Publication[] {
  const perMarket = new Map<MarketCode, MarketMessage[]>()
  for (const event of events) {
    if (event.type === 'book_changed') desk.market(event.market).ladder.apply(event.bids, event.asks)
    if (event.type === 'traded') {
      const { day, terms } = desk.market(event.market)
      for (const { price, quantity } of event.fills) day.add(price, quantity, at)
      const taker = records.get(event.market)?.get(event.taker)
      assert(taker !== undefined, 'an order that traded has changed in the batch')
      if (!desk.house.owns(taker.account)) desk.activity.add(taker, event, terms.payout, at)
    }
    const message = toMessage(event, records.get(event.market))
    const messages = perMarket.get(event.market)
    if (messages === undefined) perMarket.set(event.market, [message])
    else messages.push(message)
  }
  return Array.from(perMarket, ([code, messages]) => ({ market: desk.market(code), at, messages }))
}

export function noteRecord(records: ChangedRecords, record: OrderRecord): void {
  const perMarket = records.get(record.market)
  if (perMarket === undefined) records.set(record.market, new Map([[record.number, record]]))
  else perMarket.set(record.number, record)
}
