import { EVENT_DEFAULTS } from '../../api/events/event-defaults.js'
import type { MarketEdit, MarketRequest } from '../../client/node-client.js'
import { UsageError } from '../exit-errors.js'
import { now } from './moment-option.js'

/** The options that describe an event; undefined if not given. */
export interface EventFields {
  readonly title?: string
  readonly description?: string
  readonly start?: string
  readonly end?: string
  readonly minBet?: number
  readonly maxBet?: number
  readonly sot?: string
  readonly quantity?: number
  readonly payout?: number
  readonly tickSize?: number
  readonly category?: string
  readonly sourceUrl?: string
  readonly image?: string
  readonly feeTaker?: number
  readonly feeMaker?: number
}

/** Returns the body of a new event. Throws UsageError where the end is missing. */
export function newEvent(title: string, { end, start, ...fields }: EventFields): MarketRequest {
  if (end === undefined) {
    throw new UsageError('missing --end: give when trading ends, such as +7d or 2026-12-31T18:30:00Z')
  }
  return {
    ...{ title, description: title, ...EVENT_DEFAULTS },
    ...bodyOf(fields),
    start_date: start ?? now(),
    end_date: end,
  }
}

/** Returns the body of a change, with the given fields only. Throws UsageError where nothing is to change. */
export function eventEdit(fields: EventFields): MarketEdit {
  const edit = bodyOf(fields)
  if (Object.keys(edit).length > 0 || fields.image !== undefined) return edit
  throw new UsageError('nothing to change: give --title, --end or another option; see raay help event edit')
}

/** Returns the given fields by their names in the API. */
function bodyOf(given: EventFields): Partial<MarketRequest> {
  const { title, description, start, end, minBet, maxBet, sot, quantity, payout, tickSize } = given
  const { category, sourceUrl, feeTaker, feeMaker } = given
  const fields = {
    ...{ title, description, start_date: start, end_date: end, min_bet: minBet, max_bet: maxBet, sot },
    ...{ quantity, payout, tick_size: tickSize, category, source_url: sourceUrl },
    ...{ fee_taker_bp: feeTaker, fee_maker_bp: feeMaker },
  }
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
}
