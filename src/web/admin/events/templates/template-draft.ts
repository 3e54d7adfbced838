import { daysAfter } from '../../../../api/calendar/zone-time.js'
import type { EventTemplate, EventTemplateRequest } from '../../../../client/shapes.js'
import type { FieldFault } from '../../../forms/field-faults.js'
import { t } from '../../../texts/admin-templates.js'
import { writtenNumber } from '../../number-input.js'
import type { EventDraft } from '../event-draft.js'
import { NO_RATES } from '../event-draft.js'
import { requestOf } from '../event-request.js'
import { writtenMoment } from '../moment-input.js'

const DAY_MS = 86_400_000
const DATE_LENGTH = 10

/** Starts an event that closes today, or on the first later day on which it does not close in the past. */
export function draftFrom(template: EventTemplate, nowMs: number): EventDraft {
  const now = writtenMoment(nowMs)
  const today = now.slice(0, DATE_LENGTH)
  const endOn = (day: string) => `${daysAfter(day, template.days)}T${template.closes_at}`
  const day = endOn(today) > now ? today : daysAfter(today, 1)
  return {
    title: template.title,
    description: template.description,
    sot: template.sot,
    category: template.category,
    source_url: template.source_url,
    start_date: `${day}T${template.opens_at}`,
    end_date: endOn(day),
    min_bet: writtenNumber(template.min_bet),
    max_bet: writtenNumber(template.max_bet),
    quantity: writtenNumber(template.quantity),
    payout: writtenNumber(template.payout),
    tick_size: String(template.tick_size),
    ...NO_RATES,
  }
}

/** Reads a draft as a template; returns the first field that cannot be read instead. */
export function templateOf(name: string, draft: EventDraft): EventTemplateRequest | FieldFault {
  if (name.trim() === '') return { field: 'name', words: t.nameWanted }
  const request = requestOf(draft)
  if ('words' in request) return request
  const { start_date, end_date, fee_taker_bp, fee_maker_bp, ...kept } = request
  const { payout = 0, tick_size = 0, category = '', source_url = '', ...rest } = kept
  return {
    ...{ name: name.trim(), ...rest, payout, tick_size, category, source_url },
    opens_at: timeIn(draft.start_date),
    closes_at: timeIn(draft.end_date),
    days: Math.round((dayMs(draft.end_date) - dayMs(draft.start_date)) / DAY_MS),
  }
}

function timeIn(moment: string): string {
  return moment.slice(DATE_LENGTH + 1, DATE_LENGTH + 6)
}

function dayMs(moment: string): number {
  return Date.parse(`${moment.slice(0, DATE_LENGTH)}T00:00Z`)
}
