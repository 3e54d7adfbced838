import type { Epoch } from '../../core/epoch.js'
import { FIRST_EPOCH } from '../../core/epoch.js'
import type { Database, Statement } from '../database.js'

/** The epochs, each as its line of the audit log says. */
export class EpochRows {
  readonly #selectLast: Statement<string>

  constructor(database: Database) {
    this.#selectLast = database
      .prepare<unknown[], string>(
        `SELECT fields FROM admin_actions INDEXED BY epochs WHERE action = 'begin_epoch'
         ORDER BY sequence DESC LIMIT 1`,
      )
      .pluck()
  }

  /** Returns the last epoch that has begun. */
  last(): Epoch {
    const fields = this.#selectLast.get()
    return fields === undefined ? FIRST_EPOCH : (JSON.parse(fields) as Epoch)
  }
}
