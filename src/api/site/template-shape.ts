import type { EventSchedule } from './schedule-shape.js'

/**
 * The fields of an event without its dates. `{date}` and `{weekday}` in title and rules stand for the day of
 * closing.
 */
export interface EventTemplateRequest {
  /** Saving another template of this name replaces it. */
  readonly name: string
  readonly title: string
  readonly description: string
  readonly sot: string
  readonly min_bet: number
  readonly max_bet: number
  readonly quantity: number
  readonly payout: number
  readonly tick_size: number
  readonly category: string
  readonly source_url: string
  /** Time of day in the time zone of the exchange, such as `09:00`. */
  readonly opens_at: string
  readonly closes_at: string
  /** Days from the day of opening to that of closing. */
  readonly days: number
}

/** A saved template. */
export interface EventTemplate extends EventTemplateRequest {
  readonly id: number
  /** When the exchange creates events from it; null if it does not. */
  readonly schedule: EventSchedule | null
}

/** All templates by name. */
export interface EventTemplates {
  readonly templates: readonly EventTemplate[]
}
