import { isCalendarDay } from '../../../../api/calendar/zone-time.js'
import { LIMITS } from '../../../../api/limits.js'
import type { ListedMarket, MarketRequest } from '../../../../client/client.js'
import { slugOf } from '../../../../core/slug.js'
import { t } from '../../../texts/admin-events.js'
import type { EventDraft, EventField } from '../event-draft.js'
import { EVENT_FIELDS, newDraft } from '../event-draft.js'
import { requestOf } from '../event-request.js'
import { writtenMoment } from '../moment-input.js'
import { csvFields } from './csv-fields.js'

/** A row of the file: an event to make, one that exists already, or a fault. */
export interface BulkRow {
  /** The number of the row in the file, the head being the first. */
  readonly line: number
  readonly title: string
  readonly request?: MarketRequest
  /** The code of the event with this title. */
  readonly exists?: string
  readonly fault?: string
}

/** The rows of a file, or why it cannot be read at all. */
export type BulkFile = { readonly rows: readonly BulkRow[] } | { readonly fault: string }

export const ROWS_MAX = 200

type Known = Pick<ListedMarket, 'event_id' | 'slug'>

/** Reads and checks every row of a file; columns that it leaves out have the defaults of the form. */
export function readBulk(text: string, known: readonly Known[], nowMs: number): BulkFile {
  const [head = [], ...lines] = csvFields(text)
  const names = head.map(name => name.trim().toLowerCase())
  const unknown = names.find(name => !EVENT_FIELDS.includes(name as EventField))
  if (unknown !== undefined) return { fault: t.bulk.unknownColumn(unknown) }
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  if (twice !== undefined) return { fault: t.bulk.columnTwice(twice) }
  const missing = (['title', 'description', 'end_date'] as const).find(name => !names.includes(name))
  if (missing !== undefined) return { fault: t.bulk.noColumn(missing) }
  if (lines.length === 0) return { fault: t.bulk.noRows }
  if (lines.length > ROWS_MAX) return { fault: t.bulk.tooMany(String(ROWS_MAX)) }
  const codes = new Map(known.map(({ slug, event_id }) => [slug, event_id]))
  const before = new Map<string, number>()
  return {
    rows: lines.map((line, index) => {
      const row = readRow(draftFrom(names, line, nowMs), index + 2, codes, before)
      // An unquoted 1,00,000 is three fields, and would shift all after it.
      const isWhole =
        line.length >= names.length && line.slice(names.length).every(value => value.trim() === '')
      if (isWhole) return row
      return { line: row.line, title: row.title, fault: t.bulk.fieldCount(line.length, names.length) }
    }),
  }
}

function readRow(
  draft: EventDraft,
  line: number,
  codes: ReadonlyMap<string, string>,
  before: Map<string, number>,
): BulkRow {
  const title = draft.title.trim()
  const slug = slugOf(title)
  const same = before.get(slug)
  before.set(slug, same ?? line)
  if (same !== undefined && slug !== '') return { line, title, fault: t.bulk.twice(String(same)) }
  const request = requestOf(draft)
  if ('words' in request) {
    const words = request.words === t.wanted.date ? t.bulk.time : request.words
    return { line, title, fault: `${labelOf(request.field)}: ${words}` }
  }
  const fault = slug === '' ? t.faults.noLetters : lengthFault(request)
  if (fault !== undefined) return { line, title, fault }
  const exists = codes.get(slug)
  return exists === undefined ? { line, title, request } : { line, title, exists }
}

/** Fills a draft; times may be ISO 8601 with a zone, or `2026-11-29 19:00` in the zone of the instance. */
function draftFrom(names: readonly string[], line: readonly string[], nowMs: number): EventDraft {
  const given = names.flatMap((name, index) => {
    const value = line[index]?.trim() ?? ''
    if (value === '') return name === 'end_date' ? [[name, ''] as const] : []
    return [[name, name.endsWith('_date') ? wallOf(value) : value] as const]
  })
  return { ...newDraft(nowMs), ...Object.fromEntries(given) }
}

function wallOf(text: string): string {
  const zoned = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?) ?(Z|[+-]\d\d:?\d\d)$/i.exec(text)
  if (zoned === null) return text.replace(' ', 'T')
  const [, day = '', time = '', zone = ''] = zoned
  const ms = Date.parse(`${day}T${time}${zone.toUpperCase()}`)
  return Number.isNaN(ms) || !isCalendarDay(day) ? text : writtenMoment(ms)
}

function lengthFault(request: MarketRequest): string | undefined {
  const bounds = {
    title: LIMITS.titleLengthMax,
    description: LIMITS.descriptionLengthMax,
    sot: LIMITS.sotLengthMax,
    category: LIMITS.categoryLengthMax,
    source_url: LIMITS.eventSourceLengthMax,
  } as const
  const long = (Object.keys(bounds) as (keyof typeof bounds)[]).find(
    name => (request[name]?.length ?? 0) > bounds[name],
  )
  if (long !== undefined) return t.faults.tooLong(t.fields[long], String(bounds[long]))
  if (request.source_url && !/^https?:\/\/\S+$/i.test(request.source_url)) return t.faults.link
  if (request.quantity <= 0) return t.faults.notPositive(t.fields.quantity)
  const { payout = 0 } = request
  if (!Number.isInteger(payout)) return t.faults.payoutWhole
  return payout < 1 || payout > LIMITS.payoutMax ? t.faults.payoutRange : undefined
}

function labelOf(field: string | undefined): string {
  return EVENT_FIELDS.includes(field as EventField) ? t.fields[field as EventField] : ''
}
