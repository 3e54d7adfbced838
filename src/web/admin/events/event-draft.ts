import { EVENT_DEFAULTS } from '../../../api/events/event-defaults.js'
import type { Market, MarketRequest } from '../../../client/client.js'
import { writtenNumber } from '../number-input.js'
import { writtenMoment } from './moment-input.js'

/** The fields of an event form, as typed. */
export type EventField = keyof MarketRequest
export type EventDraft = Readonly<Record<EventField, string>>

/** In the order of the form, which is the order in which the API checks them. */
export const EVENT_FIELDS: readonly EventField[] = [
  'title',
  'description',
  'sot',
  'category',
  'source_url',
  'start_date',
  'end_date',
  'min_bet',
  'max_bet',
  'quantity',
  'payout',
  'tick_size',
  'fee_taker_bp',
  'fee_maker_bp',
]
/** Those of the category or the exchange. */
export const NO_RATES = { fee_taker_bp: '', fee_maker_bp: '' } as const
const WEEK_MS = 7 * 86_400_000
const MINUTE_MS = 60_000

/** Starts a new event that opens now and closes in a week, with the defaults of the command line. */
export function newDraft(nowMs: number): EventDraft {
  const start = nowMs - (nowMs % MINUTE_MS)
  return {
    title: '',
    description: '',
    sot: EVENT_DEFAULTS.sot,
    category: '',
    source_url: '',
    start_date: writtenMoment(start),
    end_date: writtenMoment(start + WEEK_MS),
    min_bet: writtenNumber(EVENT_DEFAULTS.min_bet),
    max_bet: writtenNumber(EVENT_DEFAULTS.max_bet),
    quantity: writtenNumber(EVENT_DEFAULTS.quantity),
    payout: writtenNumber(EVENT_DEFAULTS.payout),
    tick_size: String(EVENT_DEFAULTS.tick_size),
    ...NO_RATES,
  }
}

/** Describes an event in the form's words. */
export function draftOf(market: Market): EventDraft {
  return {
    title: market.title,
    description: market.description,
    sot: market.sot,
    category: market.category ?? '',
    source_url: market.source_url ?? '',
    start_date: writtenMoment(Date.parse(market.start_date)),
    end_date: writtenMoment(Date.parse(market.end_date)),
    min_bet: writtenNumber(market.min_bet),
    max_bet: writtenNumber(market.max_bet),
    quantity: writtenNumber(market.quantity),
    payout: writtenNumber(market.payout),
    tick_size: String(market.tick_size),
    fee_taker_bp: String(market.fee_taker_bp ?? 0),
    fee_maker_bp: String(market.fee_maker_bp ?? 0),
  }
}
