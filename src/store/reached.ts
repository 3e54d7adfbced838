import { assert } from '../core/assert.js'
import type { Sequence } from '../core/units.js'
import type { Database, Statement } from './database.js'
import type { JournalEnd } from './journal.js'

/** The last batch that the tables include. */
export type ReachedBatch = Pick<JournalEnd, 'sequence' | 'hash'>

/** The mark that moves with the tables: written in the transaction of the rows that it stands for. */
export class Reached {
  readonly #select: Statement<ReachedBatch>
  readonly #update: Statement
  readonly #writeId: Statement

  constructor(database: Database) {
    const id = database.pragma('main.application_id', { simple: true })
    this.#writeId = database.prepare(`PRAGMA main.application_id = ${id}`)
    this.#select = database.prepare('SELECT sequence, hash FROM main.reached')
    this.#update = database.prepare('UPDATE main.reached SET sequence = ?, hash = ?')
  }

  read(): ReachedBatch {
    const row = this.#select.get()
    assert(row !== undefined, 'tables say which batch they have reached')
    return row
  }

  /**
   * Takes the lock to write, as the first statement of the caller's transaction: SQLite waits for it only if
   * nothing was read before, and a reader that meets a half-written head of the log has it for a moment.
   * Rewrites the exchange's id: it is in page 1, so every transaction in the log of the tables carries it.
   */
  begin(): void {
    this.#writeId.run()
  }

  /** Moves the mark on, within the caller's transaction. */
  move(sequence: Sequence, hash: Buffer): void {
    this.#update.run(sequence, hash)
  }
}
