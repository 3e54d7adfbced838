import type { StoredBackup } from '../../backup/backup-list.js'
import { listBackups } from '../../backup/backup-list.js'
import type { BackupStore } from '../../backup/backup-store.js'
import { lastMadeFirst } from '../../backup/making-order.js'
import type { TimeMs } from '../../core/units.js'
import type { BackupNews } from './backup-news.js'
import { failureIn } from './backup-news.js'

/** The failure of a backup or a verification. */
export interface BackupFailure {
  readonly at: TimeMs
  readonly message: string
}

/** The newest backups of an exchange. */
export interface NewestBackups {
  readonly last: StoredBackup | undefined
  readonly lastVerified: StoredBackup | undefined
  /** The last failure since the start. */
  readonly failure: BackupFailure | undefined
}

/** How long the list may be out of date: someone else may delete backups. */
const KNOWN_MS = 60_000

/** Knows the newest backups without asking the store each second. */
export class BackupNewest {
  readonly #store: BackupStore
  readonly #exchange: string
  readonly #watch: () => number
  #known: readonly StoredBackup[] = []
  #knownUntil = Number.NEGATIVE_INFINITY
  #failure: BackupFailure | undefined

  /** @param exchange the id of the exchange whose backups count */
  constructor(store: BackupStore, exchange: string, watch: () => number) {
    this.#store = store
    this.#exchange = exchange
    this.#watch = watch
  }

  /** The last failure since the start. */
  get failure(): BackupFailure | undefined {
    return this.#failure
  }

  /** Takes note of news; the next look asks the store again. */
  note(news: BackupNews, at: TimeMs): void {
    const message = failureIn(news)
    if (message !== undefined) this.#failure = { at, message }
    this.#knownUntil = Number.NEGATIVE_INFINITY
  }

  /** Returns the newest backups as of the last minute; of earlier if the store does not answer. */
  async look(): Promise<NewestBackups> {
    if (this.#watch() >= this.#knownUntil) {
      this.#knownUntil = this.#watch() + KNOWN_MS
      try {
        const found = await listBackups(this.#store)
        const own = found.filter(({ manifest }) => manifest?.exchange === this.#exchange)
        this.#known = lastMadeFirst(own)
      } catch {
        // As known so far.
      }
    }
    const lastVerified = this.#known.find(({ manifest }) => manifest?.verification?.ok === true)
    return { last: this.#known[0], lastVerified, failure: this.#failure }
  }
}
