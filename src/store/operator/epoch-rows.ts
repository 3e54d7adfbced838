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
       ORDER BY sequence DESC LIMIT ?`,
    )
  }

  /** Returns the last epochs that have begun, at most a number of them, the last one last. */
  last(countMax: number): BegunEpoch[] {
    const epochs = this.#selectLast
      .all(countMax)
      .map(({ sequence, fields }) => ({ ...(JSON.parse(fields) as Epoch), from: sequence }))
      .reverse()
    return epochs.length < countMax ? [FIRST_EPOCH, ...epochs] : epochs
  }
}
