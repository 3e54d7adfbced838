import type { WebhookEvent } from '../api/operator/webhook-shape.js'
import type { NewNotice, WebhookNotices } from '../site/webhook-notices.js'
import type { Digest } from './weekly-digest.js'
import { lastDigestDue } from './weekly-digest.js'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** The code of marks of the exchange as a whole. */
const NO_EVENT = 0
/** Events looked at in one look, so that no look takes long. */
const MARKETS_AT_ONCE = 500
/** The least change of a chance that is news, and the pause of an event between two of these. */
const CHANGE_MIN = 0.1
const MOVED_PAUSE_MS = HOUR_MS
/** How long before its end trading is closing soon. */
const CLOSING_MS = HOUR_MS

/** An event that is not over, as the watch sees it. */
export interface WatchedMarket {
  readonly code: number
  readonly isOpen: boolean
  readonly chance: number | undefined
  readonly endsAt: number
  readonly group: number | undefined
}

/** Something wrong with the exchange itself. */
export interface Trouble {
  readonly kind: 'backup_failed' | 'verify_failed' | 'disk_low'
  readonly at: number
  readonly detail: string
}

interface WatchParts {
  readonly notices: WebhookNotices
  readonly now: () => number
  readonly lastSequence: () => number
  /** Returns the events that are not over behind a code, in the order of their codes. */
  readonly live: (code: number) => Iterable<WatchedMarket>
  /** The time zone of the site. */
  readonly timeZone: () => string
  readonly digest: () => Digest
  /** Returns the troubles that there are, each with the time when it began. */
  readonly troubles: () => readonly Trouble[]
}

/** Notices what no single batch of the journal says: moved chances, ends of trading, troubles. */
export class MarketWatch {
  readonly #parts: WatchParts
  /** The last event of the last look. */
  #at = 0
  /** When each trouble began that is no longer news. */
  readonly #told = new Map<Trouble['kind'], number>()

  constructor(parts: WatchParts) {
    this.#parts = parts
  }

  /** Looks at the next events, and at troubles, as far as an endpoint asks for them. */
  look(wanted: ReadonlySet<string>): void {
    this.#lookAtTroubles(wanted)
    if (wanted.has('weekly_digest')) this.#lookAtWeek()
    if (wanted.has('moved') || wanted.has('closing_soon')) this.#lookAtMarkets(wanted)
  }

  /** Adds the digest of a week that is over, unless the exchange was stopped for a day then. */
  #lookAtWeek(): void {
    const { notices, now, timeZone, digest } = this.#parts
    const at = now()
    const due = lastDigestDue(at, timeZone())
    const before = notices.mark(NO_EVENT, 'weekly_digest')
    if (before !== undefined && before.value >= due) return
    const mark = { code: NO_EVENT, value: due, at }
    if (before === undefined || at - due > DAY_MS) {
      notices.putMark(NO_EVENT, 'weekly_digest', mark)
      return
    }
    notices.add(this.#notice('weekly_digest', { detail: JSON.stringify(digest()) }), mark)
  }

  #lookAtMarkets(wanted: ReadonlySet<string>): void {
    const { live, notices } = this.#parts
    const seen = new Set<number>()
    const from = this.#at
    let count = 0
    for (const market of live(from)) {
      seen.add(market.code)
      if (market.group !== undefined) seen.add(market.group)
      this.#at = market.code
      if (market.isOpen && wanted.has('moved')) this.#lookAtChance(market)
      if (market.isOpen && wanted.has('closing_soon')) this.#lookAtEnd(market)
      if (++count === MARKETS_AT_ONCE) break
    }
    const isEnd = count < MARKETS_AT_ONCE
    notices.keepMarks(from, isEnd ? Number.MAX_SAFE_INTEGER : this.#at, seen)
    if (isEnd) this.#at = 0
  }

  #lookAtChance({ code, chance }: WatchedMarket): void {
    if (chance === undefined) return
    const { notices, now } = this.#parts
    const at = now()
    const before = notices.mark(code, 'moved')
    // The first chance is where it opened.
    if (before === undefined) {
      notices.putMark(code, 'moved', { value: chance, at: 0 })
      return
    }
    const change = chance - before.value
    if (Math.abs(change) < CHANGE_MIN - 1e-9 || Math.abs(at - before.at) < MOVED_PAUSE_MS) return
    notices.add(this.#notice('moved', { code, chance, change }), { code, value: chance, at })
  }

  #lookAtEnd({ code: own, endsAt, group }: WatchedMarket): void {
    const { notices, now } = this.#parts
    const code = group ?? own
    const leftMs = endsAt - now()
    if (leftMs <= 0 || leftMs > CLOSING_MS) return
    if (notices.mark(code, 'closing_soon')?.value === endsAt) return
    notices.add(this.#notice('closing_soon', { code }), { code, value: endsAt, at: now() })
  }

  #lookAtTroubles(wanted: ReadonlySet<string>): void {
    const troubles = this.#parts.troubles()
    for (const { kind, at, detail } of troubles) {
      if (this.#told.get(kind) === at) continue
      this.#told.set(kind, at)
      if (wanted.has(kind)) this.#parts.notices.add(this.#notice(kind, { detail }))
    }
    for (const kind of this.#told.keys()) {
      if (!troubles.some(trouble => trouble.kind === kind)) this.#told.delete(kind)
    }
  }

  #notice(kind: WebhookEvent, about: Partial<NewNotice>): NewNotice {
    const { now, lastSequence } = this.#parts
    const nothing = { code: null, chance: null, change: null, detail: null }
    return { sequence: lastSequence(), kind, at: now(), ...nothing, ...about }
  }
}
