import type { BegunEpoch, Epoch } from '../../core/epoch.js'
import { FIRST_EPOCH } from '../../core/epoch.js'
import type { Sequence } from '../../core/units.js'
import type { Database, Statement } from '../database.js'

/** The epochs, each as its line of the audit log says. */
export class EpochRows {
  readonly #selectLast: Statement<{ readonly sequence: Sequence; readonly fields: string }>

  constructor(database: Database) {
    this.#selectLast = database.prepare(
      `SELECT sequence, fields FROM admin_actions INDEXED BY epochs WHERE action = 'begin_epoch'
       ORDER BY sequence DESC LIMIT 1`,
    )
  }

  /** Returns the last epoch that has begun. */
  last(): BegunEpoch {
    const row = this.#selectLast.get()
    return row === undefined ? FIRST_EPOCH : { ...(JSON.parse(row.fields) as Epoch), from: row.sequence }
  }
}
