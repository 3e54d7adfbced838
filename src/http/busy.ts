import type { Busy } from '../exchange/busy.js'
import { REFUSAL_REASONS } from '../exchange/refusal-reason.js'
import { ApiError } from './envelope.js'

const MESSAGES: Readonly<Record<Busy, string>> = {
  queue_full: 'The order queue is full: try again in a moment',
  accounts_full: 'No more money can come in: the money of all accounts together reaches its limit',
  codes_used_up: 'No more events can be created: all event codes are given',
}

/** Returns what a client hears when the exchange has reached one of its bounds; nothing was queued. */
export function busy(reason: Busy): ApiError {
  const [code] = REFUSAL_REASONS[reason]
  return new ApiError(code, MESSAGES[reason], reason)
}
