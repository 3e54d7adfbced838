import type { Sequence } from '../core/units.js'
import { hasBatch } from '../store/audit/journal-batches.js'
import { wholeJournal } from '../store/audit/last-sequence.js'
import type { Database } from '../store/database.js'
import { openReadOnly } from '../store/database.js'
import { IdFile, idText } from '../store/files/id-file.js'
import type { Manifest } from './manifest.js'

/** Says of backups whether they end with a batch that an exchange has: a takeover may have lost others. */
export class OwnBatches {
  readonly #database: Database
  readonly #journal: string
  readonly #exchange: string

  /** @param file of the exchange's tables, whether it runs or not */
  constructor(file: string) {
    this.#exchange = idText(new IdFile(file).read() ?? 0)
    this.#database = openReadOnly(file)
    try {
      this.#journal = wholeJournal(this.#database) ?? 'main.journal'
    } catch (error) {
      this.#database.close()
      throw error
    }
  }

  /** Returns false for a backup of this exchange whose last batch it lacks, or has another one instead of. */
  isOwn({ exchange, sequence, journal_hash: hash }: Manifest): boolean {
    if (exchange !== this.#exchange) return true
    const batch = { sequence: sequence as Sequence, hash: Buffer.from(hash ?? '', 'hex') }
    return hasBatch(this.#database, this.#journal, batch)
  }

  close(): void {
    this.#database.close()
  }
}
