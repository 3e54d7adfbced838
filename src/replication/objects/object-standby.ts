import { setTimeout as sleep } from 'node:timers/promises'
import type { Sequence } from '../../core/units.js'
import { readCommands } from '../../store/command-text.js'
import type { JournalEnd, JournalRow } from '../../store/journal.js'
import { linkFault } from '../../store/journal.js'
import type { LogFollower } from '../log-follower.js'
import type { Withdrawal } from '../jetstream/lease-wish.js'
import { FencedError, LogForkedError, TrimmedError } from '../replication-error.js'
import type { ObjectLog } from './object-log.js'

/** How often the place is asked for the next object. */
const LOOK_MS = 1000
/** Looks until the standby says again how far it is. */
const LOOKS_BETWEEN_MARKS = 60
/** Looks until it asks again whether its last object is still there. */
const LOOKS_BETWEEN_CHECKS = 5
const PAUSE_MS = 500
/** Attempts to put a line whose answers are lost, and objects that the leader puts meanwhile. */
const ATTEMPTS_MAX = 20

/** Said of a log that lacks the last lines of a backup from which this exchange began. */
const AHEAD = {
  end: undefined,
  failure: 'the replica has not had the last batches of this exchange yet from the one that leads',
} as const

/** Another exchange leads from the line that this one wanted to begin with: it goes on following. */
export class LostRaceError extends Error {
  override readonly name = 'LostRaceError'
}

interface StandbyOptions {
  readonly log: Pick<ObjectLog, 'read' | 'next' | 'append' | 'behind' | 'checkKept' | 'isAt'>
  readonly follower: LogFollower
  /** The last line that the exchange has. */
  readonly from: JournalEnd
  /** Says how far this standby is, so that what it lacks is not deleted. */
  readonly mark?: (sequence: Sequence) => Promise<void>
  /** Called if the log cannot be followed: the exchange must stop. */
  readonly fail: (error: Error) => void
  /** The pauses between two looks, and two attempts to put a line; for tests. */
  readonly lookMs?: number
  readonly pauseMs?: number
}

/** Follows a log of objects, and leads when an operator says so: such a log does not say who is alive. */
export class ObjectStandby {
  readonly #options: StandbyOptions
  readonly #stopping = new AbortController()
  #end: JournalEnd
  /** Looks and promotions, one after the other. */
  #last: Promise<unknown> = Promise.resolve()
  #following: Promise<void> | undefined
  #leads = false
  #isWithdrawn = false
  /** True once the last line ends an object, so that the next one has its name. */
  #isAligned = false
  /** The last line taken with which another exchange began to lead; 0 if there was none. */
  #lastEpoch = 0
  /** The line with which it wants to begin. */
  #epoch: JournalRow | undefined
  /** Lines that it has tried to put, none of which is known to be there or not: a store may be late. */
  readonly #tried = new Set<string>()
  /** The newest line with which any exchange has begun is one of them: nobody else leads. */
  #isOwed = false

  constructor(options: StandbyOptions) {
    this.#options = options
    this.#end = options.from
  }

  /** Looks for lines again and again, until it is stopped or leads. */
  start(): void {
    this.#following = this.#run().catch(this.#options.fail)
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    await this.#following
    await this.#last.catch(() => undefined)
  }

  /** Returns the hash of a line that this exchange has put itself. */
  own(sequence: Sequence): Buffer | undefined {
    return this.#epoch?.sequence === sequence ? this.#epoch.hash : undefined
  }

  /** The last line that the exchange has. */
  get end(): JournalEnd {
    return this.#end
  }

  /** Takes all lines that there are. Leads if a line is among them which it had given up. */
  look(): Promise<void> {
    return this.#inTurn(async () => {
      await this.#catchUp()
      if (!this.#isOwed || this.#leads) return
      this.#isWithdrawn = false
      await this.#promote().catch(error => {
        if (!(error instanceof LostRaceError)) throw error
      })
    })
  }

  /**
   * Goes on from the log's end: the line that begins its time is the next object, which can be put once.
   * Rejects with `LostRaceError` if another exchange has begun there.
   */
  promote(): Promise<void> {
    this.#isWithdrawn = false
    return this.#inTurn(() => this.#promote())
  }

  /**
   * Puts no line from now on that makes it lead; resolves to whether one is there already, or may still come:
   * then it leads once it has seen that.
   */
  async withdraw(): Promise<Withdrawal> {
    this.#isWithdrawn = true
    await this.#last
    if (this.#leads) return 'granted'
    return this.#tried.size > 0 ? 'unknown' : 'withdrawn'
  }

  #inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const done = this.#last.then(work)
    this.#last = done.catch(() => undefined)
    return done
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping
    const { follower, lookMs = LOOK_MS } = this.#options
    let isFailing = false
    for (let looks = 0; !signal.aborted && !this.#leads; looks++) {
      // Without a mark it still has as long as batches are kept in any case.
      if (looks % LOOKS_BETWEEN_MARKS === 0)
        void this.#options.mark?.(this.#end.sequence).catch(() => undefined)
      try {
        await this.look()
        const isChecked = isFailing || looks % LOOKS_BETWEEN_CHECKS === 0
        if (isChecked) await this.#inTurn(() => this.#options.log.checkKept(this.#end))
        if (!this.#leads)
          follower.heard(this.#isAligned ? { end: this.#end.sequence, failure: undefined } : AHEAD)
        isFailing = false
      } catch (error) {
        const isFinal = [FencedError, LogForkedError, TrimmedError].some(kind => error instanceof kind)
        if (isFinal) throw error
        isFailing = true
        follower.heard({ end: undefined, failure: messageOf(error) })
      }
      await sleep(lookMs, undefined, { signal }).catch(() => undefined)
    }
  }

  async #catchUp(): Promise<void> {
    if (!this.#isAligned) {
      // A crash may have left the first lines of an object, and a backup may have lines that come later.
      for await (const rows of this.#options.log.read(this.#end.sequence)) await this.#take(rows)
      this.#isAligned = this.#options.log.isAt(this.#end)
      if (!this.#isAligned) return
    }
    while (!this.#leads && !this.#stopping.signal.aborted) {
      const rows = await this.#options.log.next(this.#end)
      if (rows.length === 0) return
      await this.#take(rows)
    }
  }

  async #take(rows: readonly JournalRow[]): Promise<void> {
    let end = this.#end
    for (const row of rows) {
      const fault = linkFault(end, row)
      if (fault !== undefined) throw new LogForkedError(`the replica cannot be followed: ${fault}`)
      end = row
    }
    await this.#options.follower.follow(rows)
    this.#end = end
    const epochs = rows.filter(beginsEpoch)
    const isOwn = ({ hash }: JournalRow) => this.#tried.has(hash.toString('hex'))
    this.#lastEpoch = epochs.findLast(row => !isOwn(row))?.sequence ?? this.#lastEpoch
    const newest = epochs.at(-1)
    if (newest !== undefined) this.#isOwed = isOwn(newest)
    // All of them were to follow the line before these.
    this.#tried.clear()
  }

  async #promote(): Promise<void> {
    if (this.#leads) return
    // A line of its own from before a crash is no other's.
    if (!this.#isAligned) await this.#catchUp()
    const asked = this.#end.sequence
    for (let attempts = ATTEMPTS_MAX; attempts > 0; attempts--) {
      await this.#catchUp()
      this.#assertWanted()
      if (!this.#isAligned) {
        throw new Error(`${AHEAD.failure}: if none leads, stop this one, and start it with raay start`)
      }
      if (this.#lastEpoch > asked) {
        throw new LostRaceError(
          `another standby leads from batch ${this.#lastEpoch}: this one goes on following`,
        )
      }
      await this.#options.log.checkKept(this.#end)
      try {
        await this.#options.follower.lead(row => this.#put(row))
        this.#leads = true
        return
      } catch (error) {
        // Lines of the leader are taken, and the next name is tried.
        if (!(error instanceof NameTaken)) throw error
      }
    }
    throw new Error('the exchange that leads puts one object after the other: stop it, and promote again')
  }

  #assertWanted(): void {
    if (this.#isWithdrawn) throw new Error('it is no longer asked to lead')
  }

  /** Puts the line behind the last one; the same line again while the store does not answer. */
  async #put(row: JournalRow): Promise<void> {
    const { log, pauseMs = PAUSE_MS } = this.#options
    this.#epoch = row
    let reason = ''
    for (let attempts = ATTEMPTS_MAX; attempts > 0; attempts--) {
      // An attempt whose answer was lost may have succeeded.
      const found = this.#isWithdrawn && reason !== '' ? await log.behind(this.#end) : undefined
      if (found?.kind === 'mine') return
      this.#assertWanted()
      this.#tried.add(row.hash.toString('hex'))
      const appended = await log.append([row], this.#end)
      if (appended.kind === 'fenced') throw new NameTaken(appended.reason)
      if (appended.kind !== 'unknown') return
      ;({ reason } = appended)
      await sleep(pauseMs)
    }
    throw new Error(`${reason}: this exchange does not lead yet; promote it again once the store answers`)
  }
}

/** The name of the next object is taken by lines of another exchange. */
class NameTaken extends Error {}

/** Returns true for a line with which an exchange begins to lead. */
function beginsEpoch({ sequence, commands }: JournalRow): boolean {
  return readCommands(commands, sequence)[0]?.type === 'BEGIN_EPOCH'
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error))
