import { assert } from '../../core/assert.js'
import type { TimeMs } from '../../core/units.js'
import type { Database } from '../database.js'
import { openDatabase } from '../database.js'
import { journalPath } from '../files/journal-path.js'
import { Reached } from '../reached.js'
import type { ArchiveCut } from './archive-cut.js'
import { cutBefore } from './archive-cut.js'
import type { WrittenArchive } from './archive-file.js'
import { writeArchive } from './archive-file.js'
import type { ArchiveMark } from './archive-mark.js'
import { writeMark } from './archive-mark.js'
import { archivePath } from './archive-path.js'
import { finishArchiving } from './archiving-note.js'
import { ARCHIVED_TABLES } from './archived-tables.js'
import type { MovedCounts } from './moving-rows.js'
import { MOVING_TABLES, MovingRows } from './moving-rows.js'

/** The rows that an archiving moved, or would move. */
export interface Moved {
  readonly cut: ArchiveCut
  readonly markets: number
  readonly counts: MovedCounts
}

/** The stages of an archiving, for progress. */
export type ArchiveStage = 'copy' | 'remove'

const NEW = 'fresh'

/** Returns what would move of everything before a time; undefined if nothing is that old. */
export function countMoving(file: string, limit: TimeMs): Moved | undefined {
  const database = openDatabase(file)
  try {
    const cut = cutBefore(database, limit)
    if (cut === undefined) return undefined
    const rows = new MovingRows(database, cut)
    const counts = Object.fromEntries(MOVING_TABLES.map(table => [table, rows.count(table)])) as MovedCounts
    return { cut, markets: rows.markets, counts }
  } finally {
    database.close()
  }
}

/**
 * Moves everything before a time out of the files of a stopped exchange, whose tables include the whole
 * journal, into its archive; returns what was moved, undefined if nothing is that old.
 *
 * A process killed at any point leaves files that the next start accepts, with the same content: the tables
 * name the archive in the transaction that deletes their copies of its rows; batches that the journal still
 * has as well are read from the archive, and deleted by the next start.
 */
export function moveToArchive(
  file: string,
  limit: TimeMs,
  told: (stage: ArchiveStage) => void = () => undefined,
): Moved | undefined {
  const database = openDatabase(file)
  try {
    const cut = cutBefore(database, limit)
    if (cut === undefined) return undefined
    const rows = new MovingRows(database, cut)
    const { markets } = rows
    told('copy')
    const written = writeArchive(database, file, rows)
    told('remove')
    nameArchive(database, file, rows, written)
    dropArchivedBatches(file, written.mark)
    finishArchiving(file, written.mark)
    return { cut, markets, counts: written.counts }
  } finally {
    database.close()
  }
}

/** Deletes the rows from the tables that the archive has, and names the archive there. */
function nameArchive(
  database: Database,
  file: string,
  rows: MovingRows,
  { mark, counts }: WrittenArchive,
): void {
  database.prepare(`ATTACH ? AS ${NEW}`).run(archivePath(file, mark))
  const reached = new Reached(database)
  try {
    database
      .transaction(() => {
        reached.begin()
        for (const table of ARCHIVED_TABLES) {
          const deleted = rows.deleteCopied(table, NEW, 'main')
          assert(deleted === counts[table], () => `the archive has each row of ${table} that moves`)
        }
        writeMark(database, mark)
      })
      .deferred()
  } finally {
    database.exec(`DETACH ${NEW}`)
  }
}

/** Deletes the batches from the journal that the archive has. */
export function dropArchivedBatches(file: string, { sequence }: ArchiveMark): void {
  const journal = openDatabase(journalPath(file))
  try {
    const first = journal.prepare<unknown[], number>('SELECT min(sequence) FROM journal').pluck().get()
    if (first === undefined || first === null || first > sequence) return
    journal
      .transaction(() => {
        journal.prepare('DELETE FROM journal WHERE sequence <= ?').run(sequence)
        journal.pragma(`application_id = ${journal.pragma('application_id', { simple: true })}`)
      })
      .immediate()
  } finally {
    journal.close()
  }
}
