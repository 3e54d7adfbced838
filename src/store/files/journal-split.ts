import { renameSync, rmSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { assert } from '../../core/assert.js'
import type { Database } from '../database.js'
import type { JournalEnd, JournalRow } from '../journal.js'
import { BEGINNING, JOURNAL_TABLE, linkFault } from '../journal.js'
import { journalPath } from './journal-path.js'
import { createPrivateFile } from './private-files.js'
import { syncPath } from './sync-path.js'

/** The suffix of an unfinished journal. */
const PARTIAL = '.partial'

/**
 * Moves the journal of a single file (an older version's, or a backup's) to a file of its own. The journal is
 * copied, synced and checked before it is dropped here, so a process killed at any point leaves a file that
 * this function takes up again. Returns why it must not: the journal beside the file is another one.
 */
export function splitJournal(database: Database, file: string): string | undefined {
  if (!hasJournal(database)) return undefined
  const journal = journalPath(file)
  const isThere = (statSync(journal, { throwIfNoEntry: false })?.size ?? 0) > 0
  const refusal = isThere ? differenceOf(database, file, journal) : copyJournal(database, journal)
  if (refusal !== undefined) return refusal
  database.exec('DROP TABLE main.journal')
  return undefined
}

/** Returns true if the journal is in the same file as the tables. */
export function hasJournal(database: Database): boolean {
  return database.prepare("SELECT 1 FROM main.sqlite_schema WHERE name = 'journal'").get() !== undefined
}

/** Writes the journal under another name, and renames it once it is complete. Returns a fault of the copy. */
function copyJournal(database: Database, journal: string): string | undefined {
  const partial = journal + PARTIAL
  for (const suffix of ['', '-journal', '-wal', '-shm']) rmSync(partial + suffix, { force: true })
  createPrivateFile(partial)
  const id = Number(database.pragma('application_id', { simple: true }))
  assert(id !== 0, 'an exchange has its id before its journal has a file of its own')
  database.prepare('ATTACH ? AS part').run(partial)
  try {
    database.exec(`PRAGMA part.application_id = ${id}; CREATE TABLE part.${JOURNAL_TABLE};
      INSERT INTO part.journal SELECT * FROM main.journal ORDER BY sequence`)
    const fault = chainFault(database)
    if (fault !== undefined) return fault
  } finally {
    database.exec('DETACH part')
  }
  syncPath(partial)
  renameSync(partial, journal)
  syncPath(dirname(journal))
  return undefined
}

/** Returns what breaks the hash chain of the copy. */
function chainFault(database: Database): string | undefined {
  let before: JournalEnd = BEGINNING
  const rows = database.prepare<unknown[], JournalRow>(
    'SELECT sequence, shard, at, commands, hash FROM part.journal ORDER BY sequence',
  )
  for (const row of rows.iterate()) {
    const fault = linkFault(before, row)
    if (fault !== undefined) return fault
    before = row
  }
  return undefined
}

/** Returns why a journal that is there already does not continue the one in the file. */
function differenceOf(database: Database, file: string, journal: string): string | undefined {
  const select = 'SELECT sequence, hash FROM main.journal ORDER BY sequence DESC LIMIT 1'
  const end = database.prepare<unknown[], JournalEnd>(select).get()
  database.prepare('ATTACH ? AS part').run(journal)
  try {
    if (end === undefined) return `${journal} is there already, but ${file} is new: move it away`
    const same = database.prepare('SELECT 1 FROM part.journal WHERE sequence = ? AND hash = ?')
    if (same.get(end.sequence, end.hash) !== undefined) return undefined
    return (
      `${file} has a journal of its own, up to batch ${end.sequence}, and ${journal} does not continue it. ` +
      'Nothing was changed. To start from that file, move the other away'
    )
  } finally {
    database.exec('DETACH part')
  }
}
