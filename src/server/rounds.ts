import type { DiskRoom } from '../store/disk-room.js'
import type { BackupSchedule } from './backup-schedule.js'
import { ClockLog } from './clock-log.js'
import type { Companions } from './companions.js'
import { CompanionGuard } from './companions.js'
import type { FileGuardOptions } from './file-guard.js'
import { FileGuard } from './file-guard.js'
import type { EventScheduler } from './site/event-scheduler.js'
import type { VerifySchedule } from './verify-schedule.js'

const ROUND_MS = 1000
const MEGABYTE = 1024 * 1024

export interface RoundsOptions extends FileGuardOptions {
  readonly room: DiskRoom
  readonly companions: Companions
  readonly verifying: VerifySchedule
  readonly backingUp: BackupSchedule
  readonly scheduling: EventScheduler
  /** Reads credentials again when it is time. */
  readonly refresh: () => void
}

const WORDS = {
  ok: 'there is room on the disk again: orders are taken',
  low: 'the disk is almost full: only cancels and reads are possible; free some space',
  full: 'the disk is full: only reads are possible; free some space',
} as const

/**
 * The periodic work of a server: each second it advances markets and checks the clock, its files and disk;
 * now and then it verifies the file.
 */
export class Rounds {
  readonly #options: RoundsOptions
  readonly #fileGuard: FileGuard
  readonly #companionGuard: CompanionGuard
  readonly #clockLog: ClockLog
  readonly #verifying: VerifySchedule
  readonly #timer: NodeJS.Timeout
  #said: keyof typeof WORDS = 'ok'
  /** Why what is tried each second failed the last time. */
  readonly #failures = new Map<string, string>()

  /** Starts immediately. */
  constructor(options: RoundsOptions) {
    this.#options = options
    this.#verifying = options.verifying
    this.#verifying.begin()
    void options.backingUp.begin()
    this.#fileGuard = new FileGuard(options)
    this.#companionGuard = new CompanionGuard(options.companions, options.log)
    this.#clockLog = new ClockLog(options.log, options.exchange.clock.read())
    this.#sayRoom()
    this.#timer = setInterval(() => this.#make(), ROUND_MS)
  }

  /** Stops, after a last look at the files. To be called while they are still open. */
  async stop(): Promise<void> {
    clearInterval(this.#timer)
    this.#verifying.stop()
    this.#options.backingUp.stop()
    await this.#options.scheduling.stop()
    await this.#fileGuard.stop()
    for (let look = 0; look < 2; look++) await this.#companionGuard.look()
    await this.#options.room.stop()
  }

  #make(): void {
    const { room, exchange, refresh, scheduling } = this.#options
    this.#apart('the reserve of the disk', () => room.look())
    this.#apart('the credentials', refresh)
    this.#sayRoom()
    exchange.advanceClock()
    this.#apart('scheduled events', () => scheduling.look())
    this.#clockLog.look(exchange.clock.read())
    void this.#fileGuard.look()
    void this.#companionGuard.look()
  }

  /** Does what serves no order: if it fails, the exchange goes on, and the next round tries again. */
  #apart(what: string, work: () => unknown): void {
    const failed = (err: unknown) => {
      const reason = String(err)
      if (this.#failures.get(what) === reason) return
      this.#failures.set(what, reason)
      this.#options.log.error({ err }, `${what}: failed; tried again each second`)
    }
    const done = () => this.#failures.delete(what)
    try {
      Promise.resolve(work()).then(done, failed)
    } catch (error) {
      failed(error)
    }
  }

  #sayRoom(): void {
    const { room, log } = this.#options
    if (room.state === this.#said) return
    this.#said = room.state
    const freeMegabytes = Math.floor(room.freeBytes / MEGABYTE)
    if (room.state === 'ok') log.info({ freeMegabytes }, WORDS.ok)
    else log.warn({ freeMegabytes }, WORDS[room.state])
  }
}
