import type { Sequence } from '../../core/units.js'
import type { LogEnd } from '../journal-log.js'
import { LogForkedError } from '../replication-error.js'
import type { ObjectLog } from './object-log.js'

/** A journal beside the log. */
export interface ComparedJournal {
  readonly end: LogEnd
  hashOf(sequence: Sequence): Buffer | undefined
}

/**
 * Returns the last line that a journal shares with a log, if the log goes on behind it with another one;
 * undefined if it does not. Throws if they share none.
 */
export async function forkOf(
  log: Pick<ObjectLog, 'place' | 'names' | 'head' | 'read'>,
  { end, hashOf }: ComparedJournal,
): Promise<Sequence | undefined> {
  const names = await log.names()
  // The backup that began the log is all that is there yet.
  if (names.length === 0) return undefined
  for (const name of names.reverse()) {
    const head = await log.head(name)
    if (head === undefined || head.from > end.sequence + 1) continue
    const before = (head.from - 1) as Sequence
    if (hashOf(before)?.equals(head.before) !== true) continue
    for await (const lines of log.read(before)) {
      const other = lines.find(({ sequence, hash }) => {
        return sequence <= end.sequence && hashOf(sequence)?.equals(hash) !== true
      })
      if (other !== undefined) return (other.sequence - 1) as Sequence
      return undefined
    }
  }
  if (end.sequence === 0) return undefined
  throw new LogForkedError(`${log.place} has no batch in common with this journal`)
}
