import type { MarketEdit, MarketRequest } from '../../../client/client.js'
import type { FieldFault } from '../../forms/field-faults.js'
import { t } from '../../texts/admin-events.js'
import { numberIn } from '../number-input.js'
import type { EventDraft, EventField } from './event-draft.js'
import { EVENT_FIELDS } from './event-draft.js'
import { rateIn } from './fee-words.js'
import { momentIn } from './moment-input.js'

/** Reads a draft; returns the request, or the first unreadable field. The exchange checks the rest. */
export function requestOf(draft: EventDraft): MarketRequest | FieldFault {
  const read = readAll(draft, EVENT_FIELDS) as MarketRequest | FieldFault
  return 'words' in read ? read : (crossedIn(draft, EVENT_FIELDS) ?? read)
}

/** Returns the changed fields only, so that untouched times keep their seconds. */
export function editOf(before: EventDraft, draft: EventDraft): MarketEdit | FieldFault {
  const changed = EVENT_FIELDS.filter(field => draft[field] !== before[field])
  const read = readAll(draft, changed)
  return 'words' in read || changed.length === 0 ? read : (crossedIn(draft, changed) ?? read)
}

function readAll(draft: EventDraft, fields: readonly EventField[]): Partial<MarketRequest> | FieldFault {
  const read: Partial<Record<EventField, string | number | null>> = {}
  for (const field of fields) {
    const value = readField(field, draft[field])
    if (value === undefined) return { field, words: WANTED[field] ?? t.wanted.field }
    read[field] = value
  }
  return read as Partial<MarketRequest>
}

/** Finds limits that cross, and blames the one that was changed. */
function crossedIn(draft: EventDraft, changed: readonly EventField[]): FieldFault | undefined {
  const { start_date, end_date, min_bet, max_bet } = draft
  const [start, end] = [momentIn(start_date), momentIn(end_date)]
  const [low, high] = [numberIn(min_bet), numberIn(max_bet)]
  if (start !== undefined && end !== undefined && end <= start) {
    return changed.includes('end_date')
      ? { field: 'end_date', words: t.faults.datesCrossed }
      : { field: 'start_date', words: t.faults.opensLate }
  }
  if (low !== undefined && high !== undefined && high < low) {
    return changed.includes('max_bet')
      ? { field: 'max_bet', words: t.faults.betsCrossed }
      : { field: 'min_bet', words: t.faults.minAboveMax }
  }
  return undefined
}

const WANTED: Readonly<Partial<Record<EventField, string>>> = {
  ...t.wanted,
  start_date: t.wanted.date,
  end_date: t.wanted.date,
  fee_taker_bp: t.wanted.rate,
  fee_maker_bp: t.wanted.rate,
}

function readField(field: EventField, text: string): string | number | null | undefined {
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
    case 'fee_taker_bp':
    case 'fee_maker_bp':
      return text.trim() === '' ? null : rateIn(text)
    default:
      return numberIn(text)
  }
}
