import { listBackups } from '../../backup/backup-list.js'
import type { BackupName } from '../../backup/backup-name.js'
import type { BackupStore } from '../../backup/backup-store.js'
import type { Examination } from '../../backup/examination.js'
import type { BackupVerification } from '../../backup/manifest.js'
import { verifyBackup } from '../../backup/verify-backup.js'

export interface ChecksOptions {
  readonly store: BackupStore
  readonly stage: string
  readonly now: () => number
  readonly examine: (copy: string, signal: AbortSignal) => Promise<Examination>
  /** Called once with each result; not with those that `close` aborts. */
  readonly checked: (name: BackupName, result: Checked) => void
}

/** The result of a verification, or why there is none. */
export type Checked = BackupVerification | { readonly failed: string }

/** Verifies backups in the background, one after the other. */
export class BackupChecks {
  readonly #options: ChecksOptions
  readonly #abort = new AbortController()
  readonly #waiting = new Map<BackupName, Promise<Checked>>()
  #last: Promise<unknown> = Promise.resolve()

  constructor(options: ChecksOptions) {
    this.#options = options
  }

  /** Aborts with `close`. */
  get signal(): AbortSignal {
    return this.#abort.signal
  }

  /** Returns the backup that is being verified. */
  get running(): BackupName | undefined {
    const [name] = this.#waiting.keys()
    return name
  }

  /** Verifies a backup once those before it are done; one that waits already is not verified twice. */
  verify(name: BackupName): Promise<Checked> {
    const known = this.#waiting.get(name)
    if (known !== undefined) return known
    const checked = this.#last.then(async () => {
      const result = await this.#verify(name)
      this.#waiting.delete(name)
      if (!this.signal.aborted) this.#options.checked(name, result)
      return result
    })
    // A failure of this one must not keep the next from being verified.
    this.#last = checked.catch(() => undefined)
    this.#waiting.set(name, checked)
    return checked
  }

  /** Aborts all verifications. */
  stop(): void {
    this.#abort.abort()
  }

  /** Resolves when the last verification has ended. */
  async close(): Promise<void> {
    await this.#last
  }

  async #verify(name: BackupName): Promise<Checked> {
    const { store, stage, now, examine } = this.#options
    const { signal } = this
    try {
      signal.throwIfAborted()
      const backup = (await listBackups(store)).find(backup => backup.name === name)
      if (backup === undefined) return { failed: `there is no backup ${name} any more` }
      const examineUntil = (copy: string) => examine(copy, signal)
      return await verifyBackup(store, backup, { stage, now, examine: examineUntil })
    } catch (error) {
      return { failed: error instanceof Error ? error.message : String(error) }
    }
  }
}
