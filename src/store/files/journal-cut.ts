import type { Sequence } from '../../core/units.js'
import type { Database } from '../database.js'
import { openScratch } from '../database.js'
import type { JournalEnd, JournalRow } from '../journal.js'
import { BEGINNING, JOURNAL_TABLE, linkFault } from '../journal.js'
import { createPrivateFile } from './private-files.js'
import { syncPath } from './sync-path.js'

/** The batches of a history up to one of them, the new file, and the exchange whose it will be. */
export interface JournalCut {
  readonly rows: Iterable<JournalRow>
  readonly target: string
  readonly id: number
  readonly upTo: Sequence
}

/**
 * Writes a journal up to a batch into a new file, which is worthless if the work fails. Checks the hash chain
 * of all that it writes; returns what breaks it.
 *
 * @param copied called with each batch
 */
export function cutJournal(cut: JournalCut, copied: (sequence: Sequence) => void): string | undefined {
  createPrivateFile(cut.target)
  const target = openScratch(cut.target)
  try {
    target.pragma(`application_id = ${cut.id}`)
    target.exec(`CREATE TABLE ${JOURNAL_TABLE}`)
    const fault = target.transaction(() => copyRows(cut, target, copied))()
    if (fault !== undefined) return fault
  } finally {
    target.close()
  }
  syncPath(cut.target)
  return undefined
}

function copyRows(
  { rows, upTo }: JournalCut,
  target: Database,
  copied: (sequence: Sequence) => void,
): string | undefined {
  const insert = target.prepare('INSERT INTO journal VALUES (?, ?, ?, ?, ?)')
  let before: JournalEnd = BEGINNING
  for (const row of rows) {
    const fault = linkFault(before, row)
    if (fault !== undefined) return fault
    insert.run(row.sequence, row.shard, row.at, row.commands, row.hash)
    copied(row.sequence)
    before = row
  }
  return before.sequence === upTo ? undefined : `batch ${before.sequence + 1} of the journal is missing`
}
