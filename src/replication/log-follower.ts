import type { Sequence } from '../core/units.js'
import type { JournalRow } from '../store/journal.js'

/** The last word of a log: where it ends, or why it says nothing. */
export type LogNews =
  | { readonly end: Sequence; readonly failure: undefined }
  | { readonly end: undefined; readonly failure: string }

/** An exchange that follows a log, and may go on from its end. */
export interface LogFollower {
  /** Takes the next lines; resolves once they are on its disk and in its memory. */
  follow(rows: readonly JournalRow[]): Promise<void>
  /** Called about every second with what the log says. */
  heard(news: LogNews): void
  /**
   * Begins to lead behind the last line that it took.
   *
   * @param put puts the line that begins its time into the log, on the condition that nothing came between;
   *   only then does the exchange take it, and commands. Rejects if something did
   */
  lead(put: (row: JournalRow) => Promise<void>): Promise<void>
}
