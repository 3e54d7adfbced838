import type { Sequence } from '../core/units.js'
import type { JournalEnd, JournalRow } from '../store/journal.js'

/** The last line that a log holds, as the chain names it. */
export type LogEnd = Pick<JournalEnd, 'sequence' | 'hash'>

/**
 * How an append ended: the log took the lines; it had lines of this journal there already, from an attempt
 * whose answer was lost; it has lines of another, which goes on in our place; or it did not say.
 */
export type Appended =
  | { readonly kind: 'appended' | 'mine'; readonly end: LogEnd }
  | { readonly kind: 'fenced'; readonly reason: string }
  | { readonly kind: 'unknown'; readonly reason: string }

/** A log of the journal's lines elsewhere. The hash chain says whose a line is, never a name or a time. */
export interface JournalLog {
  /** Appends lines that follow the line expected last, all or none of them. Rejects only for a bug. */
  append(lines: readonly JournalRow[], expected: LogEnd): Promise<Appended>
  /** Reads the lines behind one, some at a time, in order, up to the log's end. */
  read(after: Sequence): AsyncIterable<readonly JournalRow[]>
}
