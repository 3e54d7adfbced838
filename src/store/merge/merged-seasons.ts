import type { Season, SeasonCommand } from '../../core/season.js'
import { seasonAfter } from '../../core/season.js'
import type { TimeMs } from '../../core/units.js'
import type { Database } from '../database.js'
import { SeasonRows, seasonCells } from '../rows/season-rows.js'
import { RowBuffer } from './row-buffer.js'

/** The seasons, of which there are few: all are read once. */
export class MergedSeasons {
  readonly #seasons: Map<number, Season>
  readonly #changed = new Set<Season>()
  readonly #rows: RowBuffer

  constructor(database: Database) {
    this.#seasons = new Map(new SeasonRows(database).all().map(season => [season.number, season]))
    this.#rows = new RowBuffer(database, 'seasons', { width: 8, conflict: 'REPLACE' })
  }

  take(command: SeasonCommand, at: TimeMs): void {
    const before = this.#seasons.get(command.season)
    const after = seasonAfter(before, command, at)
    if (before !== undefined) this.#changed.delete(before)
    this.#changed.add(after)
    this.#seasons.set(after.number, after)
  }

  flush(): void {
    for (const season of this.#changed) this.#rows.add(...seasonCells(season))
    this.#changed.clear()
    this.#rows.flush()
  }
}
