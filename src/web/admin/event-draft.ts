import type { Market, MarketEdit, MarketRequest } from '../../client/client.js'
import type { FieldFault } from './trouble-words.js'
import { momentIn, numberIn, writtenMoment, writtenNumber } from './written.js'

/** What of an event is typed, as it is typed. */
export type EventField = keyof MarketRequest
export type EventDraft = Readonly<Record<EventField, string>>

/** In the order of the form, which is that of the API's refusals. */
export const EVENT_FIELDS: readonly EventField[] = [
  'title',
  'description',
  'sot',
  'start_date',
  'end_date',
  'min_bet',
  'max_bet',
  'quantity',
  'payout',
  'tick_size',
]
const DAY_MS = 86_400_000
const MINUTE_MS = 60_000

/** A new event opens now and ends in a week, unless somebody says otherwise. */
export function newDraft(nowMs: number): EventDraft {
  const start = nowMs - (nowMs % MINUTE_MS)
  return {
    title: '',
    description: '',
    sot: '',
    start_date: writtenMoment(start),
    end_date: writtenMoment(start + 7 * DAY_MS),
    min_bet: '1',
    max_bet: '10,000',
    quantity: '1,00,000',
    payout: '10',
    tick_size: '0.01',
  }
}

export function draftOf(market: Market): EventDraft {
  return {
    title: market.title,
    description: market.description,
    sot: market.sot,
    start_date: writtenMoment(Date.parse(market.start_date)),
    end_date: writtenMoment(Date.parse(market.end_date)),
    min_bet: writtenNumber(market.min_bet),
    max_bet: writtenNumber(market.max_bet),
    quantity: writtenNumber(market.quantity),
    payout: writtenNumber(market.payout),
    tick_size: String(market.tick_size),
  }
}

/** The event that is written here, or the first field that nobody could read. The rest the exchange judges. */
export function requestOf(draft: EventDraft): MarketRequest | FieldFault {
  return readAll(draft, EVENT_FIELDS) as MarketRequest | FieldFault
}

/** What was changed, and only that: the seconds that a field leaves out stay as they were. */
export function editOf(before: EventDraft, draft: EventDraft): MarketEdit | FieldFault {
  const changed = EVENT_FIELDS.filter(field => draft[field] !== before[field])
  return readAll(draft, changed)
}

function readAll(draft: EventDraft, fields: readonly EventField[]): Partial<MarketRequest> | FieldFault {
  const read: Partial<Record<EventField, string | number>> = {}
  for (const field of fields) {
    const value = readField(field, draft[field])
    if (value === undefined) return { field, words: WANTED[field] ?? 'Fill this in.' }
    read[field] = value
  }
  return read as Partial<MarketRequest>
}

const WANTED: Readonly<Partial<Record<EventField, string>>> = {
  title: 'Ask a question, such as “Will it rain in Mumbai on Sunday?”',
  sot: 'Say who decides, such as IMD or cricket.',
  start_date: 'Choose a day and a time.',
  end_date: 'Choose a day and a time.',
  min_bet: 'Give an amount in rupees, such as 1.',
  max_bet: 'Give an amount in rupees, such as 10,000.',
  quantity: 'Give a number of contracts, such as 1,00,000.',
  payout: 'Give whole rupees, such as 10.',
}

function readField(field: EventField, text: string): string | number | undefined {
  switch (field) {
    case 'title':
    case 'sot':
      return text.trim() === '' ? undefined : text.trim()
    case 'description':
      return text.trim()
    case 'start_date':
    case 'end_date':
      return momentIn(text)
    default:
      return numberIn(text)
  }
}
