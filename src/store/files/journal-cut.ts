import type { Sequence } from '../../core/units.js'
import type { Database } from '../database.js'
import { openScratch } from '../database.js'
import type { JournalEnd, JournalRow } from '../journal.js'
import { BEGINNING, JOURNAL_TABLE, linkFault } from '../journal.js'
import { createPrivateFile } from './private-files.js'
import { syncPath } from './sync-path.js'

/** The journal to be cut, the new file, and the exchange whose it will be. */
export interface JournalCut {
  /** A connection, and the name of the whole journal on it. */
  readonly source: Database
  readonly journal: string
  readonly target: string
  readonly id: number
  readonly upTo: Sequence
}

/**
 * Copies a journal up to a batch into a new file, which is worthless if the work fails. Checks the hash chain
 * of all that it copies; returns what breaks it.
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
  { source, journal, upTo }: JournalCut,
  target: Database,
  copied: (sequence: Sequence) => void,
): string | undefined {
  const insert = target.prepare('INSERT INTO journal VALUES (?, ?, ?, ?, ?)')
  const rows = source.prepare<unknown[], JournalRow>(
    `SELECT sequence, shard, at, commands, hash FROM ${journal} WHERE sequence <= ? ORDER BY sequence`,
  )
  let before: JournalEnd = BEGINNING
  for (const row of rows.iterate(upTo)) {
    const fault = linkFault(before, row)
    if (fault !== undefined) return fault
    insert.run(row.sequence, row.shard, row.at, row.commands, row.hash)
    copied(row.sequence)
    before = row
  }
  return before.sequence === upTo ? undefined : `batch ${before.sequence + 1} of the journal is missing`
}
