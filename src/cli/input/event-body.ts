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
}

/** The fields of a new event for which no option is given. */
export const EVENT_DEFAULTS = { minBet: 0, maxBet: 100_000, sot: 'other', quantity: 100_000 }

/** Returns the body of a new event. Throws UsageError where the end is missing. */
export function newEvent(title: string, { end, start, ...fields }: EventFields): MarketRequest {
  if (end === undefined) {
    throw new UsageError('missing --end: give when trading ends, such as +7d or 2026-12-31T18:30:00Z')
  }
  const {
    description = title,
    minBet,
    maxBet,
    sot,
    quantity,
    payout,
    tickSize,
  } = { ...EVENT_DEFAULTS, ...fields }
  return {
    ...{ title, description, sot, quantity, min_bet: minBet, max_bet: maxBet },
    start_date: start ?? now(),
    end_date: end,
    ...(payout !== undefined && { payout }),
    ...(tickSize !== undefined && { tick_size: tickSize }),
  }
}

/** Returns the body of a change, with the given fields only. Throws UsageError where none is given. */
export function eventEdit({
  title,
  description,
  start,
  end,
  minBet,
  maxBet,
  sot,
  quantity,
}: EventFields): MarketEdit {
  const edit = {
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    ...(start !== undefined && { start_date: start }),
    ...(end !== undefined && { end_date: end }),
    ...(minBet !== undefined && { min_bet: minBet }),
    ...(maxBet !== undefined && { max_bet: maxBet }),
    ...(sot !== undefined && { sot }),
    ...(quantity !== undefined && { quantity }),
  }
  if (Object.keys(edit).length > 0) return edit
  throw new UsageError('nothing to change: give --title, --end or another option; see raay help event edit')
}
