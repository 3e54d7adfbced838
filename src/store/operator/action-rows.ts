import type { AdminVerb } from '../../core/admin-action.js'
import type { By } from '../../core/command.js'
import type { EntryPlace } from '../../core/records/statement-record.js'
import type { MarketCode, TimeMs } from '../../core/units.js'
import type { Database, Statement } from '../database.js'
import { folded } from '../folded.js'
import { userOwner } from '../rows/account-rows.js'
import type { TimeRange } from '../rows/time-range.js'
import { boundsOf, SEARCH_LENGTH_MAX } from '../rows/time-range.js'

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

/** Selects lines of the audit log; a field left out selects all. */
export interface ActionFilter extends TimeRange {
  /** A part of anything in a line, in any case. */
  readonly q?: string | undefined
  /** A part of who it was, in any case. */
  readonly who?: string | undefined
  readonly action?: AdminVerb | undefined
  readonly market?: MarketCode | undefined
  readonly userId?: string | undefined
}

/** A page of the audit log, and where its search stopped if it reached its bound before the end. */
export interface ActionPage {
  readonly rows: readonly ActionRow[]
  readonly searchedTo: EntryPlace | undefined
}

/** The lines that one page searches, newest first. */
const SEARCHED = `SELECT * FROM admin_actions WHERE (sequence, line) < (@sequence, @line)
  ORDER BY sequence DESC, line DESC LIMIT @searchLengthMax`

/** The audit log: one row for each operator action that changed something. */
export class ActionRows {
  readonly #selectPage: Statement<ActionRow>
  readonly #selectSearched: Statement<EntryPlace>

  constructor(database: Database) {
    this.#selectPage = database.prepare(
      `SELECT sequence, line, at, who, address, action, market, substr(owner, 6) AS userId, fields
       FROM (${SEARCHED}) LEFT JOIN accounts ON number = account
       WHERE at >= @from AND at < @to
         AND (@action IS NULL OR action = @action)
         AND (@market IS NULL OR market = @market)
         AND (@owner IS NULL OR owner = @owner)
         AND (@who IS NULL OR instr(folded(who), @who) > 0)
         AND (@q IS NULL OR instr(folded(who || ' ' || address || ' ' || action || ' ' || ifnull(market, '')
           || ' ' || ifnull(substr(owner, 6), '') || ' ' || fields), @q) > 0)
       ORDER BY sequence DESC, line DESC LIMIT @lengthMax`,
    )
    this.#selectSearched = database.prepare(
      `SELECT sequence, line FROM (${SEARCHED}) ORDER BY sequence, line LIMIT 1`,
    )
  }

  /** Returns a page after the given line, newest first. It searches a bounded number of lines. */
  page(filter: ActionFilter, before: EntryPlace | undefined, lengthMax: number): ActionPage {
    const { q, who, action = null, market = null, userId } = filter
    const { sequence, line } = before ?? { sequence: Number.MAX_SAFE_INTEGER, line: 0 }
    const place = { sequence, line, searchLengthMax: SEARCH_LENGTH_MAX }
    const rows = this.#selectPage.all({
      ...place,
      ...boundsOf(filter),
      q: q === undefined ? null : folded(q),
      who: who === undefined ? null : folded(who),
      action,
      market,
      owner: userId === undefined ? null : userOwner(userId),
      lengthMax,
    })
    if (rows.length >= lengthMax) return { rows, searchedTo: undefined }
    const last = this.#selectSearched.get(place)
    const isMore = last !== undefined && this.#selectSearched.get({ ...place, ...last }) !== undefined
    return { rows, searchedTo: isMore ? last : undefined }
  }
}
