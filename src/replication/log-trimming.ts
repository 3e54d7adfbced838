import type { StoredBackup } from '../backup/backup-list.js'
import type { ReplicaReading } from './objects/object-replica.js'
import type { Replica } from './replica.js'
import { verifiedEndOf } from './verified-end.js'

/** How often a log is trimmed, and again after an attempt that failed. */
const [TRIM_MS, TRIM_AGAIN_MS] = [6 * 3_600_000, 600_000]

interface TrimmingParts {
  readonly replica: Pick<Replica, 'trim'>
  /** Lists the backups that count; rejects if their place does not answer. */
  readonly backups: () => Promise<readonly StoredBackup[]>
  /** The id of the exchange whose backups count. */
  readonly exchange: string
  /** How long lines are kept that a backup has. */
  readonly keepMs: number
  readonly now: () => number
  readonly warn: (message: string) => void
}

/** Has a log on NATS trimmed, at once and then a few times a day, as long as this exchange leads. */
export class LogTrimming {
  readonly #parts: TrimmingParts
  #timer: NodeJS.Timeout | undefined
  #isStopped = false
  #reading: Pick<ReplicaReading, 'kept' | 'trimFailure'> = { kept: undefined, trimFailure: undefined }

  constructor(parts: TrimmingParts) {
    this.#parts = parts
  }

  /** Returns which lines the log keeps, as of the last trimming; and why old ones are not deleted. */
  read(): Pick<ReplicaReading, 'kept' | 'trimFailure'> {
    return this.#reading
  }

  start(): void {
    void this.#run()
  }

  stop(): void {
    this.#isStopped = true
    clearTimeout(this.#timer)
  }

  async #run(): Promise<void> {
    const failure = await this.#trim().catch((error: Error) => error.message)
    if (this.#isStopped) return
    this.#note(failure)
    this.#timer = setTimeout(() => void this.#run(), failure === undefined ? TRIM_MS : TRIM_AGAIN_MS).unref()
  }

  /** Returns why nothing could be deleted. */
  async #trim(): Promise<string | undefined> {
    const { replica, backups, exchange, keepMs, now } = this.#parts
    const own = (await backups()).filter(({ manifest }) => manifest?.exchange === exchange)
    const ends = own.flatMap(verifiedEndOf)
    const { kept, failure } = await replica.trim({ backups: ends, before: now() - keepMs })
    if (kept !== undefined) this.#reading = { ...this.#reading, kept }
    return failure
  }

  #note(message: string | undefined): void {
    const { trimFailure: before } = this.#reading
    if (message !== undefined && message !== before?.message) {
      this.#parts.warn(`old batches of the log are not deleted: ${message}`)
    }
    const trimFailure = message === undefined ? undefined : { at: this.#parts.now(), message }
    this.#reading = { ...this.#reading, trimFailure }
  }
}
