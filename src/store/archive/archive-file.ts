import { chmodSync, constants, copyFileSync, renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { assert } from '../../core/assert.js'
import { beginningOf } from '../audit/journal-batches.js'
import type { Database } from '../database.js'
import { damageOfPart } from '../database.js'
import { sizeOfFile } from '../files/file-bytes.js'
import { fileDigest } from '../files/file-digest.js'
import { createPrivateFile } from '../files/private-files.js'
import { syncPath } from '../files/sync-path.js'
import type { JournalEnd, JournalRow } from '../journal.js'
import { JOURNAL_TABLE, linkFault } from '../journal.js'
import type { ArchiveMark } from './archive-mark.js'
import { archiveMark } from './archive-mark.js'
import { archivePath } from './archive-path.js'
import { noteArchiving } from './archiving-note.js'
import { ARCHIVED_TABLES } from './archived-tables.js'
import type { MovedCounts, MovingRows } from './moving-rows.js'
import { MOVING_TABLES } from './moving-rows.js'

/** The name of an unfinished archive. */
const PARTIAL = 'archive.db.partial'
const NEXT = 'next'
const OWNER_ONLY = 0o600

/** A new archive, in place but not named by the tables yet. */
export interface WrittenArchive {
  readonly mark: ArchiveMark
  readonly counts: MovedCounts
}

/**
 * Writes a new archive beside the tables: the old one's rows and those that move. It gets its name, which is
 * made of its own hash, once it is complete, checked and synced, and never changes again; the tables go on
 * with the old one until they name the new.
 */
export function writeArchive(database: Database, file: string, rows: MovingRows): WrittenArchive {
  const partial = join(dirname(file), PARTIAL)
  let isMoved = false
  removePartial(partial)
  try {
    const old = archiveMark(database)
    if (old === undefined) createPrivateFile(partial)
    else {
      copyFileSync(archivePath(file, old), partial, constants.COPYFILE_FICLONE)
      chmodSync(partial, OWNER_ONLY)
    }
    const { counts, end } = fill(database, partial, rows)
    syncPath(partial)
    const digest = fileDigest(partial)
    const mark = { ...end, bytes: sizeOfFile(partial), digest }
    noteArchiving(file, old, mark)
    renameSync(partial, archivePath(file, mark))
    isMoved = true
    syncPath(dirname(file))
    return { mark, counts }
  } finally {
    if (!isMoved) removePartial(partial)
  }
}

/** Copies the moving rows in one transaction, and checks the chain of the copied batches. */
function fill(
  database: Database,
  partial: string,
  rows: MovingRows,
): { counts: MovedCounts; end: JournalEnd } {
  database.prepare(`ATTACH ? AS ${NEXT}`).run(partial)
  try {
    // Nobody reads the file before it is complete.
    database.exec(`PRAGMA ${NEXT}.journal_mode = OFF; PRAGMA ${NEXT}.synchronous = OFF`)
    const counts = database
      .transaction(() => {
        createTables(database)
        return Object.fromEntries(MOVING_TABLES.map(table => [table, rows.copy(table, NEXT)])) as MovedCounts
      })
      .deferred()
    const damage = damageOfPart(database, NEXT)
    assert(damage === undefined, () => `the copy in the archive is intact, not: ${damage}`)
    return { counts, end: endOfChain(database) }
  } finally {
    database.exec(`DETACH ${NEXT}`)
  }
}

/** Creates what the archive lacks: all tables of a new one, the columns that were added since an old one. */
function createTables(database: Database): void {
  const id = Number(database.pragma('main.application_id', { simple: true }))
  assert(id !== 0, 'an exchange has its id before it has an archive')
  database.exec(`PRAGMA ${NEXT}.application_id = ${id};
    CREATE TABLE IF NOT EXISTS ${NEXT}.${JOURNAL_TABLE}`)
  const definition = database
    .prepare<unknown[], string>('SELECT sql FROM main.sqlite_schema WHERE name = ?')
    .pluck()
  const columns = database.prepare<unknown[], string>(
    `SELECT concat_ws(' ', name, type, iif("notnull", 'NOT NULL', NULL), 'DEFAULT ' || dflt_value)
     FROM pragma_table_info(@table, 'main')
     WHERE name NOT IN (SELECT name FROM pragma_table_info(@table, '${NEXT}'))`,
  )
  for (const table of ARCHIVED_TABLES) {
    const made = (definition.get(table) ?? '').replace(
      /^CREATE TABLE "?\w+"?/,
      `CREATE TABLE ${NEXT}.${table}`,
    )
    const isThere =
      database.prepare(`SELECT 1 FROM ${NEXT}.sqlite_schema WHERE name = ?`).get(table) !== undefined
    if (!isThere) database.exec(made)
    for (const column of columns.pluck().all({ table }))
      database.exec(`ALTER TABLE ${NEXT}.${table} ADD COLUMN ${column}`)
  }
}

/** Returns the archive's last batch, after following the chain from where the old archive ended. */
function endOfChain(database: Database): JournalEnd {
  let before = beginningOf(database)
  const rows = database.prepare<unknown[], JournalRow>(
    `SELECT sequence, shard, at, commands, hash FROM ${NEXT}.journal WHERE sequence > ? ORDER BY sequence`,
  )
  for (const row of rows.iterate(before.sequence)) {
    const fault = linkFault(before, row)
    assert(fault === undefined, () => `the journal in the archive is one chain, but ${fault}`)
    before = { sequence: row.sequence, at: row.at, hash: row.hash }
  }
  return before
}

/** Deletes what an archiving that was killed has left of an unfinished archive. */
export function clearUnfinishedArchive(file: string): void {
  removePartial(join(dirname(file), PARTIAL))
}

function removePartial(partial: string): void {
  for (const suffix of ['', '-journal', '-wal', '-shm']) rmSync(partial + suffix, { force: true })
}
