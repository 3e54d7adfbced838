import type { KeepRules } from '../backup/keep-rules.js'
import type { Backups } from '../exchange/operations/backups.js'

const HOUR_MS = 3_600_000
const MINUTE_MS = 60_000
/** The delay before the first backup, so that a start has the machine to itself. */
const FIRST_AFTER_MS = 5 * MINUTE_MS
/** The pause after a failed backup; it doubles with each further one. */
const RETRY_MS = 10 * MINUTE_MS
const RETRY_MS_MAX = HOUR_MS
/** The pause while an operator's backup is being made. */
const BUSY_MS = MINUTE_MS
/** Copies that are not in order take room: after this many in a row, the next is made at its regular time. */
const BAD_COPIES_MAX = 3

const GIVEN_UP = `${BAD_COPIES_MAX} backups in a row were made and did not pass their verification; the next \
is made at its regular time. Check the disk with raay doctor and the exchange with raay verify`

/** The settings of a schedule. */
export interface BackupPlan {
  /** Hours between backups; 0 for none. */
  readonly everyHours: number
  readonly keep: KeepRules
}

export interface BackupScheduleOptions {
  readonly plan: BackupPlan
  readonly backups: Pick<Backups, 'make' | 'verify' | 'prune' | 'newest'>
  readonly now: () => number
  /** Logs a failure of the schedule itself; failed backups are news of their own. */
  readonly failed: (error: unknown) => void
  readonly firstAfterMs?: number
  /** Calls back after a time, for tests; returns a function that cancels it. */
  readonly later?: (run: () => void, ms: number) => () => void
}

/**
 * Makes backups regularly while the exchange trades, verifies each, and deletes those that the rules do not
 * keep. One that fell due while the exchange was stopped is made soon after the start. A failed one is tried
 * again, one that is not in order a few times; nothing here stops the exchange.
 */
export class BackupSchedule {
  readonly #options: BackupScheduleOptions
  readonly #later: (run: () => void, ms: number) => () => void
  #plan: BackupPlan
  #cancel: () => void = () => undefined
  #nextAt: number | undefined
  #failures = 0
  /** The copies in a row that were made and did not pass their verification. */
  #badCopies = 0
  #isRunning = false
  #isStopped = false

  constructor(options: BackupScheduleOptions) {
    this.#options = options
    this.#plan = options.plan
    this.#later = options.later ?? timer
  }

  /** When the next backup is due; undefined if none is scheduled. */
  get nextAt(): number | undefined {
    return this.#nextAt
  }

  /** Schedules the first backup; never rejects. */
  async begin(): Promise<void> {
    if (this.#plan.everyHours === 0) return
    try {
      await this.#beginAfterLast()
    } catch (error) {
      this.#options.failed(error)
      this.#wait(this.#options.now() + RETRY_MS)
    }
  }

  async #beginAfterLast(): Promise<void> {
    const { backups, now, failed, firstAfterMs = FIRST_AFTER_MS } = this.#options
    const soon = now() + firstAfterMs
    const { last } = await backups.newest.look()
    if (last === undefined) return this.#wait(soon)
    // The last one may not have been verified before the exchange stopped.
    if (last.manifest?.verification === null) void backups.verify(last.name).catch(failed)
    // A clock that was ahead when the last one was made must not put the next one off for ever.
    const due = Math.min(last.at, now()) + this.#everyMs
    this.#wait(Math.max(due, soon))
  }

  /** Follows another plan from now on; a backup that is being made is finished. */
  async change(plan: BackupPlan): Promise<void> {
    const isSame = plan.everyHours === this.#plan.everyHours
    this.#plan = plan
    if (isSame || this.#isRunning || this.#isStopped) return
    this.#cancel()
    this.#nextAt = undefined
    await this.begin()
  }

  /** Stops scheduling; a backup that is being made is finished. */
  stop(): void {
    this.#isStopped = true
    this.#nextAt = undefined
    this.#cancel()
  }

  get #everyMs(): number {
    return this.#plan.everyHours * HOUR_MS
  }

  #wait(at: number): void {
    if (this.#isStopped || this.#plan.everyHours === 0) {
      this.#nextAt = undefined
      return
    }
    this.#nextAt = at
    // Two changes of the plan may both have waited for the list of backups.
    this.#cancel()
    // A clock that was set back during a backup must not put the next one off for ever.
    const ms = Math.min(Math.max(0, at - this.#options.now()), this.#everyMs)
    this.#cancel = this.#later(() => void this.#run(), ms)
  }

  async #run(): Promise<void> {
    const { now, failed } = this.#options
    const at = now()
    this.#isRunning = true
    try {
      const result = await this.#make()
      if (result === 'busy') return this.#wait(at + BUSY_MS)
      this.#failures = result === 'made' ? 0 : this.#failures + 1
      if (result === 'made') this.#badCopies = 0
      if (result === 'not_in_order' && ++this.#badCopies === BAD_COPIES_MAX) failed(new Error(GIVEN_UP))
    } catch (error) {
      this.#failures++
      failed(error)
    } finally {
      this.#isRunning = false
    }
    const retryMs = Math.min(RETRY_MS * 2 ** (this.#failures - 1), RETRY_MS_MAX, this.#everyMs)
    const isRetried = this.#failures > 0 && this.#badCopies < BAD_COPIES_MAX
    this.#wait(isRetried ? now() + retryMs : Math.max(at + this.#everyMs, now()))
  }

  async #make(): Promise<'made' | 'failed' | 'not_in_order' | 'busy'> {
    const { backups } = this.#options
    let made = await backups.make('scheduled')
    if (made === 'disk_low') {
      // The rules may have room to give; what they keep stays.
      const pruned = await backups.prune(this.#plan.keep)
      if (pruned.length > 0) made = await backups.make('scheduled')
    }
    if (made === 'backup_under_way') return 'busy'
    if (made === 'disk_low' || 'failed' in made) return 'failed'
    const checked = made.manifest.verification ?? (await backups.verify(made.name))
    if ('failed' in checked || !checked.ok) return 'not_in_order'
    await backups.prune(this.#plan.keep)
    return 'made'
  }
}

function timer(run: () => void, ms: number): () => void {
  const timeout = setTimeout(run, ms).unref()
  return () => clearTimeout(timeout)
}
