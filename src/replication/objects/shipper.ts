import type { JournalRow } from '../../store/journal.js'
import type { Appended, LogEnd } from '../journal-log.js'
import type { ObjectLog } from './object-log.js'

/** How often the journal is looked at: what a lost machine can lose, with the time of one put. */
const LOOK_MS = 2000
/** The pause after a put that failed doubles up to this. */
const RETRY_MS_MAX = 30_000
/** Lines in one object, as text; the last one may be longer. */
export const BATCH_LENGTH_MAX = 1_000_000

/** The journal as the shipper reads it. */
export interface ShippedJournal {
  /** Returns the first lines behind one, up to a length of text, and at least one if there is any. */
  linesAfter(end: LogEnd, lengthMax: number): readonly JournalRow[]
}

interface ShipperOptions {
  readonly log: Pick<ObjectLog, 'append' | 'behind'>
  readonly journal: ShippedJournal
  /** The last line that the log holds. */
  readonly from: LogEnd
}

/** Appends the journal's lines to a log, some at a time. Keeps none: all are on the disk. */
export class Shipper {
  readonly #options: ShipperOptions
  #end: LogEnd
  #failures = 0
  /** The last object had all that one may have, so there may be more. */
  #wasFull = false

  constructor(options: ShipperOptions) {
    this.#options = options
    this.#end = options.from
  }

  /** The last line that the log is known to hold. */
  get end(): LogEnd {
    return this.#end
  }

  /** Appends the next lines, as many as an object may have; undefined if there are none. */
  async ship(): Promise<Appended | undefined> {
    const { log, journal } = this.#options
    // What was put may be there though its answer was lost, and a disk may not be mounted.
    const found = this.#failures > 0 ? await log.behind(this.#end) : undefined
    if (found !== undefined) return this.#note(found)
    const lines = journal.linesAfter(this.#end, BATCH_LENGTH_MAX)
    if (lines.length === 0) return undefined
    const length = lines.reduce((sum, { commands }) => sum + commands.length, 0)
    this.#wasFull = length >= BATCH_LENGTH_MAX
    return this.#note(await log.append(lines, this.#end))
  }

  /**
   * Looks whether another exchange goes on behind the last line, or the last object is gone, while this one
   * has nothing to append: else it would answer its next order before it heard. Returns undefined if not.
   */
  async look(): Promise<Appended | undefined> {
    const found = await this.#options.log.behind(this.#end)
    if (found === undefined) this.#failures = 0
    return found && this.#note(found)
  }

  /** Returns how long to wait after an attempt; full objects follow each other at once. */
  pauseAfter(appended: Appended | undefined): number {
    if (appended?.kind === 'unknown') return Math.min(LOOK_MS * 2 ** (this.#failures - 1), RETRY_MS_MAX)
    return appended !== undefined && this.#wasFull ? 0 : LOOK_MS
  }

  #note(appended: Appended): Appended {
    if (appended.kind === 'appended' || appended.kind === 'mine') {
      this.#end = appended.end
      this.#failures = 0
    } else this.#failures++
    return appended
  }
}
