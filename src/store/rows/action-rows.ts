import type { AdminVerb } from '../../core/admin-action.js'
import type { By } from '../../core/command.js'
import type { EntryPlace } from '../../core/records/statement-record.js'
import type { MarketCode, TimeMs } from '../../core/units.js'
import type { Database, Statement } from '../database.js'

/** A line of the audit log, as read in pages, newest first. */
export interface ActionRow extends EntryPlace {
  readonly at: TimeMs
  readonly who: By['who']
  readonly address: string
  readonly action: AdminVerb
  readonly market: MarketCode | null
  readonly userId: string | null
  /** The request's fields, as JSON. */
  readonly fields: string
}

/** The audit log: one row for each operator action that changed something. */
export class ActionRows {
  readonly #selectPage: Statement<ActionRow>

  constructor(database: Database) {
    this.#selectPage = database.prepare(
      `SELECT sequence, line, at, who, address, action, market, substr(owner, 6) AS userId, fields
       FROM admin_actions LEFT JOIN accounts ON number = account
       WHERE (sequence, line) < (?, ?) ORDER BY sequence DESC, line DESC LIMIT ?`,
    )
  }

  /** Returns a page after the given line, newest first. */
  page(before: EntryPlace | undefined, lengthMax: number): ActionRow[] {
    const { sequence, line } = before ?? { sequence: Number.MAX_SAFE_INTEGER, line: 0 }
    return this.#selectPage.all(sequence, line, lengthMax)
  }
}
