import type { Season } from '../../core/season.js'
import type { Amount, TimeMs } from '../../core/units.js'
import type { Database, Statement } from '../database.js'

interface Row {
  readonly season: number
  readonly name: string
  readonly starts_at: TimeMs
  readonly ends_at: TimeMs
  readonly stake: Amount
  readonly begun_at: TimeMs | null
  readonly turned_at: TimeMs | null
  readonly is_dropped: 0 | 1
}

/** The table of seasons, which has a bounded number of rows. */
export class SeasonRows {
  readonly #selectAll: Statement<Row>

  constructor(database: Database) {
    this.#selectAll = database.prepare('SELECT * FROM seasons ORDER BY season')
  }

  /** Returns all seasons by number, those that were deleted among them. */
  all(): Season[] {
    return this.#selectAll.all().map(row => ({
      number: row.season,
      name: row.name,
      startsAt: row.starts_at,
      endsAt: row.ends_at,
      stake: row.stake,
      begunAt: row.begun_at ?? undefined,
      turnedAt: row.turned_at ?? undefined,
      isDropped: row.is_dropped === 1,
    }))
  }
}

/** Returns the columns of a season's row, in the table's order. */
export function seasonCells(season: Season) {
  const { number, name, startsAt, endsAt, stake, begunAt, turnedAt, isDropped } = season
  return [
    number,
    name,
    startsAt,
    endsAt,
    stake,
    begunAt ?? null,
    turnedAt ?? null,
    isDropped ? 1 : 0,
  ] as const
}
