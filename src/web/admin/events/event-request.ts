import type { MarketEdit, MarketRequest } from '../../../client/client.js'
import type { FieldFault } from '../../forms/field-faults.js'
import { numberIn } from '../number-input.js'
import type { EventDraft, EventField } from './event-draft.js'
import { EVENT_FIELDS } from './event-draft.js'
import { momentIn } from './moment-input.js'

/** Reads a draft; returns the request, or the first unreadable field. The exchange checks the rest. */
export function requestOf(draft: EventDraft): MarketRequest | FieldFault {
  return readAll(draft, EVENT_FIELDS) as MarketRequest | FieldFault
}

/** Returns the changed fields only, so that untouched times keep their seconds. */
export function editOf(before: EventDraft, draft: EventDraft): MarketEdit | FieldFault {
  const changed = EVENT_FIELDS.filter(field => draft[field] !== before[field])
  return readAll(draft, changed)
}

function readAll(draft: EventDraft, fields: readonly EventField[]): Partial<MarketRequest> | FieldFault {
  const read: Partial<Record<EventField, string | number>> = {}
  for (const field of fields) {
    const value = readField(field, draft[field])
    if (value === undefined) return { field, words: WANTED[field] ?? 'This field is required.' }
    read[field] = value
  }
  return read as Partial<MarketRequest>
}

const WANTED: Readonly<Partial<Record<EventField, string>>> = {
  title: 'Enter a question, for example “Will it rain in Mumbai on Sunday?”',
  description: 'Say when it resolves YES, when NO and when it is void.',
  sot: 'Enter who decides the result, for example IMD or ICC.',
  start_date: 'Choose a date and time.',
  end_date: 'Choose a date and time.',
  min_bet: 'Enter an amount in rupees, for example 1.',
  max_bet: 'Enter an amount in rupees, for example 10,000.',
  quantity: 'Enter a number of contracts, for example 1,00,000.',
  payout: 'Enter whole rupees, for example 10.',
}

function readField(field: EventField, text: string): string | number | undefined {
  switch (field) {
    case 'title':
    case 'description':
    case 'sot':
      return text.trim() === '' ? undefined : text.trim()
    case 'category':
    case 'source_url':
      return text.trim()
    case 'start_date':
    case 'end_date':
      return momentIn(text)
    default:
      return numberIn(text)
  }
}
