import type { AdminAction, AdminVerb } from '../../core/admin-action.js'
import type { By } from '../../core/command.js'
import type { EntryPlace } from '../../core/records/statement-record.js'
import type { MarketCode, Sequence, TimeMs } from '../../core/units.js'
import type { Database, Statement } from '../database.js'

/** A line of the audit log as the operator pages through it: newest first. */
export interface ActionRow extends EntryPlace {
  readonly at: TimeMs
  readonly who: By['who']
  readonly address: string
  readonly action: AdminVerb
  readonly market: MarketCode | null
  readonly userId: string | null
  /** JSON: what the request said. */
  readonly fields: string
}

/** The audit log: one row for each action of an operator that changed something. */
export class ActionRows {
  readonly #insert: Statement
  readonly #selectPage: Statement<ActionRow>

  constructor(database: Database) {
    this.#insert = database.prepare('INSERT INTO admin_actions VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)')
    this.#selectPage = database.prepare(
      `SELECT sequence, line, at, who, address, action, market, substr(owner, 6) AS userId, fields
       FROM admin_actions LEFT JOIN accounts ON number = account
       WHERE (sequence, line) < (?, ?) ORDER BY sequence DESC, line DESC LIMIT ?`,
    )
  }

  /** Writes the action of a batch's command, whose place in the batch is the number of its line. */
  insert({ verb, by, market, account }: AdminAction, sequence: Sequence, line: number, at: TimeMs): void {
    const about = [market ?? null, account ?? null, JSON.stringify(by.fields)]
    this.#insert.run(sequence, line, at, by.who, by.address, verb, ...about)
  }

  /** A page, newest first, from behind the given line. */
  page(before: EntryPlace | undefined, lengthMax: number): ActionRow[] {
    const { sequence, line } = before ?? { sequence: Number.MAX_SAFE_INTEGER, line: 0 }
    return this.#selectPage.all(sequence, line, lengthMax)
  }
}
