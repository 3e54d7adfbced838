import { createHash } from 'node:crypto'
import type { Logger } from 'pino'
import type { AuditLog } from '../../access/accounts/audit-log.js'
import { ApiError } from '../../api/api-error.js'
import type { Occurrence } from '../../api/calendar/recurrence.js'
import { nextDay, occurrenceOn } from '../../api/calendar/recurrence.js'
import type { Day } from '../../api/calendar/zone-time.js'
import { dayAt, daysAfter } from '../../api/calendar/zone-time.js'
import { FULL, REFUSED } from '../../api/refusal-texts.js'
import type { ScheduleFields } from '../../api/site/schedule-schema.js'
import { scheduledEvent } from '../../api/site/scheduled-event.js'
import type { EventTemplateRequest } from '../../api/site/template-shape.js'
import type { NewMarket } from '../../core/market.js'
import type { Exchange } from '../../exchange/exchange.js'
import type { CreationRefusal } from '../../exchange/markets/market-entry.js'
import type { SavedSchedule, Trouble } from '../../site/event-schedules.js'
import type { SavedTemplate } from '../../site/event-templates.js'
import type { SiteStore } from '../../site/site-store.js'

const LOOK_EVERY_MS = 10_000
/** The pause before an occurrence is tried again. */
const RETRY_MS = 60_000
/** More wait for the next look, so that a start after a long time does not fill the queue. */
const CREATED_AT_ONCE_MAX = 20
const HOUR_MS = 3_600_000
const ID_LENGTH = 16
const SKIPPED_SHOWN_MAX = 10
/** In the audit log: nobody asked for it just now. */
const BY_ITSELF = { name: '', by: 'schedule', address: '' }

export interface EventSchedulerOptions {
  readonly exchange: Pick<Exchange, 'createMarket' | 'now'>
  readonly site: Pick<SiteStore, 'schedules' | 'templates'>
  readonly audit: Pick<AuditLog, 'write'>
  /** The time zone of the exchange, which a reload may change. */
  readonly timeZone: () => string
  readonly log: Pick<Logger, 'info' | 'warn' | 'error'>
}

/** A schedule with its template. */
interface Plan {
  readonly saved: SavedSchedule
  readonly name: string
  readonly fields: ScheduleFields
  readonly template: Omit<EventTemplateRequest, 'name'>
}

/**
 * Creates the events of schedules, each once: its id follows from the key of the schedule and the day, so the
 * exchange knows it after a crash, or if an older copy of the site was restored. Of what was missed while the
 * exchange was stopped, it creates what has not closed yet.
 */
export class EventScheduler {
  readonly #options: EventSchedulerOptions
  readonly #retryAt = new Map<string, number>()
  #lookedAt = Number.NEGATIVE_INFINITY
  #left = 0
  #isStopped = false
  #work: Promise<void> | undefined

  constructor(options: EventSchedulerOptions) {
    this.#options = options
  }

  /** Creates what is due, if the last look was a while ago; never rejects. */
  look(): Promise<void> {
    const now = this.#options.exchange.now()
    // A clock that was set back counts as a while, too.
    const isEarly = Math.abs(now - this.#lookedAt) < LOOK_EVERY_MS
    if (this.#work !== undefined || isEarly || this.#isStopped) return this.#work ?? Promise.resolve()
    this.#lookedAt = now
    this.#work = this.#createAll(now).finally(() => {
      this.#work = undefined
    })
    return this.#work
  }

  /** Resolves when nothing is being created. */
  async stop(): Promise<void> {
    this.#isStopped = true
    await this.#work
  }

  async #createAll(now: number): Promise<void> {
    const { log } = this.#options
    this.#left = CREATED_AT_ONCE_MAX
    const failed = (err: unknown) => log.error({ err }, 'a schedule could not be followed; trying again soon')
    try {
      // One that fails keeps no other from its events.
      for (const plan of this.#plans()) await this.#createOf(plan, now).catch(failed)
    } catch (error) {
      failed(error)
    }
  }

  #plans(): Plan[] {
    const { schedules, templates } = this.#options.site
    const all = schedules.all()
    if (all.length === 0) return []
    const keys = new Set(all.map(({ key }) => key))
    for (const key of this.#retryAt.keys()) if (!keys.has(key)) this.#retryAt.delete(key)
    const byId = new Map(templates.all().map(template => [template.id, template]))
    return all.flatMap(saved => planOf(saved, byId.get(saved.template)))
  }

  /** Creates the due events of one schedule, in the order of their days. */
  async #createOf(plan: Plan, now: number): Promise<void> {
    const { saved, fields, template } = plan
    if (fields.is_paused || this.#isResting(saved.key, now)) return
    const zone = this.#options.timeZone()
    const skipped: Day[] = []
    let { created } = saved
    let day = nextDay(fields, firstDay(saved, zone))
    while (day !== undefined && this.#left > 0 && created < (fields.ends_after ?? Number.POSITIVE_INFINITY)) {
      const occurrence = occurrenceOn(day, template, zone)
      if (occurrence.opensAt - fields.hours_before * HOUR_MS > now) break
      const isBefore = occurrence.opensAt < saved.since
      if (occurrence.closesAt <= now && !isBefore) skipped.push(day)
      else if (!isBefore) {
        const made = await this.#create(plan, occurrence, zone)
        if (made === 'later') break
        if (made === 'made') created++
      }
      day = nextDay(fields, daysAfter(day, 1))
    }
    this.#skip(plan, skipped)
  }

  #isResting(key: string, now: number): boolean {
    const restMs = (this.#retryAt.get(key) ?? now) - now
    // After the clock was set back, the end of the pause may be far away.
    return restMs > 0 && restMs <= RETRY_MS
  }

  /** Creates one event; returns `made` also if it exists from an earlier attempt. */
  async #create(plan: Plan, occurrence: Occurrence, zone: string): Promise<'made' | 'never' | 'later'> {
    const { saved, fields, template, name } = plan
    const { exchange, site, audit, log } = this.#options
    const { day } = occurrence
    // An operator may have changed or removed the schedule since the look began.
    if (!site.schedules.has(saved)) return 'later'
    this.#left--
    const event = eventOrRefusal(() => scheduledEvent(template, occurrence, { zone, ...fields }))
    if (event instanceof ApiError) return this.#refuse(plan, { day, message: event.message, reason: null })
    const made = await exchange.createMarket({ ...event, id: idOf(saved.key, day) })
    if (made === 'slug_used') {
      // Another event has the title, and keeps it.
      return this.#refuse(plan, { day, message: REFUSED.eventExists, reason: 'event_exists' })
    }
    if (typeof made === 'string' && made !== 'id_used') return this.#wait(plan, day, made)
    if (made !== 'id_used') {
      const detail = `${name}: event ${made.terms.code}, ${made.listing.title}`
      audit.write('schedule_created', { ...BY_ITSELF, detail })
      log.info({ template: name, day, event: made.terms.code }, 'a schedule has created an event')
    }
    site.schedules.pass(saved.key, day, 1)
    return 'made'
  }

  /** Gives an occurrence up, which never can be created. */
  #refuse({ saved, name }: Plan, trouble: Trouble): 'never' {
    const { site, audit, log } = this.#options
    const { day, message } = trouble
    audit.write('schedule_skipped', { ...BY_ITSELF, detail: `${name}: ${day}, ${message}` })
    log.warn({ template: name, day, message }, 'a schedule could not create an event')
    site.schedules.pass(saved.key, day, 0, trouble)
    return 'never'
  }

  /** Leaves an occurrence for another attempt a minute later. */
  #wait({ saved, name }: Plan, day: Day, reason: Exclude<CreationRefusal, 'slug_used' | 'id_used'>): 'later' {
    const { exchange, site, log } = this.#options
    this.#retryAt.set(saved.key, exchange.now() + RETRY_MS)
    const isFull = reason === 'categories_full'
    const message = isFull ? REFUSED.categoriesFull : FULL[reason]
    if (saved.trouble?.day === day && saved.trouble.message === message) return 'later'
    site.schedules.fail(saved.key, { day, message, reason: isFull ? null : reason })
    log.warn({ template: name, day, reason }, 'a schedule cannot create an event yet: it tries every minute')
    return 'later'
  }

  /** Notes the days whose events would have closed already. */
  #skip({ saved, name }: Plan, days: readonly Day[]): void {
    const { site, audit, log } = this.#options
    const last = days.at(-1)
    if (last === undefined) return
    const [count, first] = [days.length, days[0]]
    const shown = days.slice(-SKIPPED_SHOWN_MAX)
    const detail = `${name}: ${count === 1 ? last : `${count} from ${first} to ${last}`}, closed already`
    audit.write('schedule_skipped', { ...BY_ITSELF, detail })
    log.warn({ template: name, count, first, days: shown }, 'a schedule skipped events that would be closed')
    site.schedules.skip(saved.key, last)
  }
}

/** Returns the id of the event of a day, the same at each attempt. */
function idOf(key: string, day: Day): string {
  return createHash('sha256').update(`${key} ${day}`).digest('hex').slice(0, ID_LENGTH)
}

function firstDay({ since, through }: SavedSchedule, zone: string): Day {
  const first = dayAt(since, zone)
  const next = through === undefined ? first : daysAfter(through, 1)
  return next > first ? next : first
}

function planOf(saved: SavedSchedule, template: SavedTemplate | undefined): Plan[] {
  if (template === undefined) return []
  const fields = saved.fields as unknown as ScheduleFields
  return [{ saved, name: template.name, fields, template: template.fields as unknown as Plan['template'] }]
}

function eventOrRefusal(event: () => NewMarket): NewMarket | ApiError {
  try {
    return event()
  } catch (error) {
    if (error instanceof ApiError) return error
    throw error
  }
}
