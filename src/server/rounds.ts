import { ClockLog } from './clock-log.js'
import { CompanionGuard } from './companions.js'
import type { FileGuardOptions } from './file-guard.js'
import { FileGuard } from './file-guard.js'
import { OpenFilesLog } from './open-files-log.js'
import type { Schedules } from './schedules.js'
import type { ServerFiles } from './server-files.js'

const ROUND_MS = 1000
const MEGABYTE = 1024 * 1024

export interface RoundsOptions extends Omit<FileGuardOptions, 'directory' | 'exchange'> {
  readonly files: Pick<ServerFiles, 'directory' | 'exchange' | 'standby' | 'room' | 'companions' | 'refresh'>
  readonly schedules: Schedules
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
  readonly #openFilesLog: OpenFilesLog
  readonly #timer: NodeJS.Timeout
  #hasBegun = false
  #isEnding = false
  #said: keyof typeof WORDS = 'ok'
  /** Why what is tried each second failed the last time. */
  readonly #failures = new Map<string, string>()

  /** Starts immediately. */
  constructor(options: RoundsOptions) {
    const { files, schedules, log, silence, fail } = options
    const { directory, exchange, companions } = files
    this.#options = options
    schedules.verifying.begin()
    this.#beginLeading()
    this.#fileGuard = new FileGuard({ directory, exchange, log, silence, fail })
    this.#companionGuard = new CompanionGuard(companions, log)
    this.#clockLog = new ClockLog(log, exchange.clock.read())
    this.#openFilesLog = new OpenFilesLog(log)
    this.#sayRoom()
    files.standby?.start()
    this.#timer = setInterval(() => this.#make(), ROUND_MS)
  }

  /**
   * Ends the process after a failure of the exchange: that of its files, if these are gone. What fails later,
   * such as the end of a thread that has said why, is no reason.
   */
  end(error: Error): void {
    if (this.#isEnding) return
    this.#isEnding = true
    const { fail } = this.#options
    this.#fileGuard.stop().then(
      hasMoved => {
        if (!hasMoved) fail(error)
      },
      () => fail(error),
    )
  }

  /** Stops, after a last look at the files. To be called while they are still open. */
  async stop(): Promise<void> {
    const { files, schedules } = this.#options
    clearInterval(this.#timer)
    schedules.verifying.stop()
    schedules.backingUp.stop()
    await schedules.scheduling.stop()
    await schedules.webhooks.deliverer.stop()
    await this.#fileGuard.stop()
    for (let look = 0; look < 2; look++) await this.#companionGuard.look()
    await files.room.stop()
  }

  /** Begins what a standby leaves to the exchange that it follows. */
  #beginLeading(): void {
    const { files, schedules } = this.#options
    if (this.#hasBegun || !files.exchange.leads) return
    this.#hasBegun = true
    void schedules.backingUp.begin()
  }

  #make(): void {
    const { room, exchange, refresh } = this.#options.files
    const { scheduling, webhooks } = this.#options.schedules
    this.#apart('the reserve of the disk', () => room.look())
    this.#apart('the credentials', refresh)
    this.#sayRoom()
    exchange.advanceClock()
    this.#beginLeading()
    if (exchange.leads) {
      this.#apart('scheduled events', () => scheduling.look())
      this.#apart('webhooks', () => webhooks.deliverer.look())
    }
    this.#clockLog.look(exchange.clock.read())
    this.#openFilesLog.look()
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
    const { log, files } = this.#options
    const { room } = files
    if (room.state === this.#said) return
    this.#said = room.state
    const freeMegabytes = Math.floor(room.freeBytes / MEGABYTE)
    if (room.state === 'ok') log.info({ freeMegabytes }, WORDS.ok)
    else log.warn({ freeMegabytes }, WORDS[room.state])
  }
}
