import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Standing } from '../../api/operator/health-reading.js'
import type { By } from '../../core/command.js'
import type { Sequence } from '../../core/units.js'
import type { Exchange } from '../../exchange/exchange.js'
import type { Withdrawal } from '../../replication/jetstream/lease-wish.js'
import type { LogFollower, LogNews } from '../../replication/log-follower.js'
import type { JournalEnd, JournalRow } from '../../store/journal.js'

/** The time of an exchange that is asked to make way: it finishes its requests. */
const PROMOTE_WITHIN_MS = 30_000
/** Signs the line of one that nobody asked to lead: the lease of the log had lapsed. */
const UNASKED = { who: 'standby', address: '' } as const

/** Why a promotion is not over in time, by how its wish ended. */
const LATE: Readonly<Record<Withdrawal, string>> = {
  withdrawn: 'the exchange that leads has not made way, and goes on: stop it, and this one takes over',
  granted: 'the exchange that leads makes way: this one leads once it has all of the log',
  unknown: 'the log does not answer: this one may still lead once it does; look at its health',
}

/** The log that a standby follows. */
export interface StandbyLog {
  follow(follower: LogFollower): void
  /** Makes this exchange lead, or asks the one that does to make way. Rejects if it cannot. */
  promote(): Promise<void>
  /** No longer asks; resolves to whether it leads nevertheless, as soon as it can. */
  withdraw(): Promise<Withdrawal>
  close(): Promise<void>
}

interface StandbyParts {
  readonly exchange: Pick<Exchange, 'follow' | 'lead' | 'leads' | 'sequence' | 'applied'>
  readonly standbyLog: StandbyLog
  /** The last line of its journal. */
  readonly end: JournalEnd
  /** A monotonic clock in milliseconds. */
  readonly watch: () => number
  readonly log: Pick<Logger, 'info' | 'warn'>
  /** Takes what accounts and site lack, once the log says that it leads in an epoch. */
  readonly leadCompanions: (epoch: number) => Promise<void>
  /** Called once it leads, before it says so. */
  readonly begun: () => Promise<void>
  readonly fail: (error: Error) => void
  /** Resolves once an exchange that was asked to make way is late, for tests. */
  readonly late?: () => Promise<unknown>
}

/** Follows the journal of another exchange, and leads when that is gone, or when an operator says so. */
export class WarmStandby implements LogFollower {
  readonly #parts: StandbyParts
  readonly #leading: Promise<void>
  #whenLeading: () => void = () => undefined
  #end: JournalEnd
  #logEnd: Sequence | undefined
  #failure: string | undefined
  #saidFailure: string | undefined
  /** When memory last included all that the log had. */
  #upToDateAt: number
  #by: Omit<By, 'fields'> = UNASKED

  constructor(parts: StandbyParts) {
    this.#parts = parts
    this.#end = parts.end
    this.#upToDateAt = parts.watch()
    this.#leading = new Promise(resolve => {
      this.#whenLeading = resolve
    })
  }

  start(): void {
    this.#parts.standbyLog.follow(this)
  }

  get standing(): Standing {
    const { exchange, watch } = this.#parts
    const { leads, sequence } = exchange
    if (leads) return { leads, sequence, logEnd: undefined, lagMs: 0, failure: undefined }
    const isUpToDate = this.#failure === undefined && this.#logEnd !== undefined && sequence >= this.#logEnd
    const lagMs = isUpToDate ? 0 : watch() - this.#upToDateAt
    return { leads, sequence, logEnd: this.#logEnd, lagMs, failure: this.#failure }
  }

  async follow(rows: readonly JournalRow[]): Promise<void> {
    const last = rows.at(-1)
    if (last === undefined) return
    // Until it has heard where the log ends, rows do not say how many follow.
    if (this.#logEnd !== undefined) this.#logEnd = Math.max(this.#logEnd, last.sequence) as Sequence
    await this.#parts.exchange.follow(rows)
    this.#end = last
    this.#noteUpToDate()
  }

  heard({ end, failure }: LogNews): void {
    this.#failure = failure
    if (end !== undefined) {
      this.#logEnd = Math.max(this.#logEnd ?? 0, end) as Sequence
      this.#noteUpToDate()
    }
    if (failure === this.#saidFailure) return
    this.#saidFailure = failure
    if (failure === undefined) this.#parts.log.info('the log answers again')
    else this.#parts.log.warn({ reason: failure }, 'the log does not answer: this standby falls behind')
  }

  async lead(put: (row: JournalRow) => Promise<void>): Promise<void> {
    const { exchange, log, leadCompanions, begun, fail } = this.#parts
    let isInLog = false
    const putOnce = async (row: JournalRow) => {
      await put(row)
      isInLog = true
      await leadCompanions(exchange.applied.epoch.epoch + 1)
    }
    let sequence: Sequence
    try {
      sequence = await exchange.lead(this.#by, { end: this.#end, put: putOnce })
      await begun()
    } catch (error) {
      // The log says that it leads, and it cannot do all that this takes: a start can.
      if (isInLog) fail(error as Error)
      throw error
    }
    log.warn({ from: sequence }, 'this exchange leads now')
    this.#whenLeading()
  }

  /** Makes it lead; resolves once it takes commands, and rejects with the reason why it cannot. */
  async promote(by: Omit<By, 'fields'>): Promise<void> {
    const { standbyLog } = this.#parts
    this.#by = by
    let how: Withdrawal | undefined
    try {
      const leads = standbyLog.promote().then(() => this.#leading)
      if (await this.#inTime(leads)) return
      how = await standbyLog.withdraw()
      if (how === 'granted' && (await this.#inTime(leads))) return
      throw new Error(LATE[how])
    } catch (error) {
      if (how !== 'granted') this.#by = UNASKED
      throw error
    }
  }

  /** Returns true once it leads, and false if that takes too long. */
  async #inTime(leads: Promise<void>): Promise<boolean> {
    const { late = () => sleep(PROMOTE_WITHIN_MS, undefined, { ref: false }) } = this.#parts
    return Promise.race([leads.then(() => true), late().then(() => false)])
  }

  close(): Promise<void> {
    return this.#parts.standbyLog.close()
  }

  #noteUpToDate(): void {
    if (this.#parts.exchange.sequence >= (this.#logEnd ?? 0)) this.#upToDateAt = this.#parts.watch()
  }
}
