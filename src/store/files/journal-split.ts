import { renameSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { assert } from '../../core/assert.js'
import { journalBeginFault } from '../archive/archive-fault.js'
import { beginningOf, endOfJournal, hasBatch } from '../audit/journal-batches.js'
import { journalEndFault } from '../audit/journal-end.js'
import type { Database } from '../database.js'
import type { JournalEnd, JournalRow } from '../journal.js'
import { JOURNAL_TABLE, linkFault } from '../journal.js'
import { sizeOfFile } from './file-bytes.js'
import { journalPath } from './journal-path.js'
import { createPrivateFile } from './private-files.js'
import { syncPath } from './sync-path.js'

/** The suffix of an unfinished journal, and those of SQLite's files beside it. */
const PARTIAL = '.partial'
const SUFFIXES = ['', '-journal', '-wal', '-shm']

/**
 * Moves the journal of a single file (an older version's, or a backup's) to a file of its own. The journal is
 * copied, synced and checked before it is dropped here, so a process killed at any point leaves a file that
 * this function takes up again. Where a journal is in place already, `splitFault` has found that it
 * continues this one. Returns what is wrong with the copied journal.
 */
export function splitJournal(database: Database, file: string): string | undefined {
  if (!hasJournal(database)) return undefined
  const journal = journalPath(file)
  if (sizeOfFile(journal) === 0) {
    const fault = copyJournal(database, journal)
    if (fault !== undefined) return fault
  }
  database.exec('DROP TABLE main.journal')
  return undefined
}

/** Returns true if the journal is in the same file as the tables. */
export function hasJournal(database: Database): boolean {
  return database.prepare("SELECT 1 FROM main.sqlite_schema WHERE name = 'journal'").get() !== undefined
}

/**
 * Returns why a journal beside a single file does not continue the one in it; undefined if it does, and if
 * there is no other journal.
 */
export function splitFault(database: Database, file: string): string | undefined {
  const journal = journalPath(file)
  if (sizeOfFile(journal) === 0) return undefined
  const end = endOfJournal(database, 'main.journal')
  database.prepare('ATTACH ? AS part').run(journal)
  try {
    const { sequence } = endOfJournal(database, 'part.journal')
    if (hasBatch(database, 'part.journal', end)) {
      const begin = journalBeginFault(database, 'part.journal')
      return begin ?? journalEndFault(database, 'part.journal', sequence - end.sequence)
    }
    return `the journal in ${file} ends at batch ${end.sequence}, and ${journal} does not continue it`
  } finally {
    database.exec('DETACH part')
  }
}

/**
 * Writes the journal under another name, and renames it once it is complete. Returns a fault of the copy,
 * which then is deleted again.
 */
function copyJournal(database: Database, journal: string): string | undefined {
  const partial = journal + PARTIAL
  let isMoved = false
  removeDatabase(partial)
  createPrivateFile(partial)
  try {
    const fault = writeCopy(database, partial)
    if (fault !== undefined) return fault
    syncPath(partial)
    // SQLite would apply a log of the file before; a start has found that it has no commits.
    removeDatabase(journal)
    renameSync(partial, journal)
    isMoved = true
    syncPath(dirname(journal))
    return undefined
  } finally {
    if (!isMoved) removeDatabase(partial)
  }
}

function writeCopy(database: Database, partial: string): string | undefined {
  const id = Number(database.pragma('main.application_id', { simple: true }))
  assert(id !== 0, 'an exchange has its id before its journal has a file of its own')
  database.prepare('ATTACH ? AS part').run(partial)
  try {
    database.exec(`PRAGMA part.application_id = ${id}; CREATE TABLE part.${JOURNAL_TABLE};
      INSERT INTO part.journal SELECT * FROM main.journal ORDER BY sequence`)
    return chainFault(database)
  } finally {
    database.exec('DETACH part')
  }
}

function removeDatabase(file: string): void {
  for (const suffix of SUFFIXES) rmSync(file + suffix, { force: true })
}

/** Returns what breaks the hash chain of the copy. */
function chainFault(database: Database): string | undefined {
  let before: JournalEnd = beginningOf(database)
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
