import { archiveMark } from '../archive/archive-mark.js'
import type { Database } from '../database.js'
import type { JournalEnd } from '../journal.js'
import { BEGINNING } from '../journal.js'
import type { ReachedBatch } from '../reached.js'

/** Returns the last row of a journal; that of the beginning if it is empty. */
export function endOfJournal(database: Database, journal: string): JournalEnd {
  const select = `SELECT sequence, at, hash FROM ${journal} ORDER BY sequence DESC LIMIT 1`
  return database.prepare<unknown[], JournalEnd>(select).get() ?? BEGINNING
}

/** Returns true if a journal has this batch with this hash, and so the same history up to it. */
export function hasBatch(database: Database, journal: string, { sequence, hash }: ReachedBatch): boolean {
  if (sequence === 0) return true
  const same = database.prepare(`SELECT 1 FROM ${journal} WHERE sequence = ? AND hash = ?`)
  return same.get(sequence, hash) !== undefined
}

/** Returns the batch that the live journal follows: the archive's last one. */
export function beginningOf(database: Database): JournalEnd {
  return archiveMark(database) ?? BEGINNING
}
