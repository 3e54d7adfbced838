import { existsSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Sequence } from '../../core/units.js'
import { keepArchive } from '../archive/archive-beside.js'
import type { ArchiveMark } from '../archive/archive-mark.js'
import { writeMark } from '../archive/archive-mark.js'
import { beginningOf } from '../audit/journal-batches.js'
import { lastBatch, wholeJournal } from '../audit/last-sequence.js'
import type { Database } from '../database.js'
import { damageOf, openReadOnly, openScratch } from '../database.js'
import { JOURNAL_TABLE } from '../journal.js'
import { companionBackupPath, companionPath, companionsOf } from './companion-files.js'
import { hasJournal } from './journal-split.js'
import { createPrivateDirectory, createPrivateFile } from './private-files.js'
import { syncPath } from './sync-path.js'

/** A copy of the database file at one moment. */
export interface CopiedFile {
  readonly bytes: number
  /** The last batch in it. */
  readonly sequence: Sequence
}

/** The suffix of an unfinished copy. */
const PARTIAL = '.partial'

/**
 * Copies the file while others write it: SQLite reads one snapshot. The copy gets its name once it is
 * complete and synced; a failed copy leaves nothing behind and throws.
 */
export function copyTo(file: string, target: string): CopiedFile {
  const source = openReadOnly(file)
  try {
    return copyFrom(source, target)
  } finally {
    source.close()
  }
}

/**
 * Backs up an exchange: copies its companions, then tables and journal. Each copy can be restored without the
 * others. If one fails, none is left behind.
 */
export function backUp(file: string, target: string): CopiedFile {
  const copies: string[] = []
  try {
    for (const companion of companionsOf(file)) {
      const copy = companionBackupPath(target, companion)
      copyCompanion(companionPath(file, companion), copy)
      copies.push(copy)
    }
    return copyTo(file, target)
  } catch (error) {
    for (const copy of copies) rmSync(copy)
    throw error
  }
}

/** Copies a companion while the server writes it, and checks the copy. */
export function copyCompanion(file: string, target: string): void {
  const source = openReadOnly(file)
  try {
    copyWhole(source, target, partial => {
      const copy = openScratch(partial)
      try {
        const damage = damageOf(copy)
        if (damage !== undefined) throw new Error(`the copy of ${file} is damaged: ${damage}`)
      } finally {
        copy.close()
      }
    })
  } finally {
    source.close()
  }
}

/**
 * Copies tables and journal that a connection has open, even if they no longer have names, into one file, and
 * puts their archive beside it.
 */
export function copyFrom(source: Database, target: string): CopiedFile {
  const archive = keepArchive(source, dirname(target))
  const { bytes, outcome } = copyWhole(source, target, partial => copyJournal(source, partial, archive))
  return { bytes, sequence: outcome }
}

/** Copies a file; `complete` adds to the copy or checks it before it gets its name. */
function copyWhole<Outcome>(
  source: Database,
  target: string,
  complete: (partial: string) => Outcome,
): { readonly bytes: number; readonly outcome: Outcome } {
  const partial = target + PARTIAL
  createPrivateDirectory(dirname(target))
  if (existsSync(target)) throw new Error(`${target} is there already`)
  rmSync(partial, { force: true })
  createPrivateFile(partial)
  try {
    source.prepare('VACUUM INTO ?').run(partial)
    const outcome = complete(partial)
    syncPath(partial)
    renameSync(partial, target)
    syncPath(dirname(target))
    return { bytes: statSync(target).size, outcome }
  } catch (error) {
    rmSync(partial, { force: true })
    throw error
  }
}

/**
 * Adds the live journal to a copy of the tables; returns its last batch. What the journal has beyond the
 * tables is replayed by the start that opens the copy.
 */
function copyJournal(source: Database, partial: string, archive: ArchiveMark | undefined): Sequence {
  const copy = openScratch(partial)
  try {
    const journal = wholeJournal(source)
    if (!hasJournal(copy) && journal !== undefined) {
      copy.exec(`CREATE TABLE ${JOURNAL_TABLE}`)
      const insert = copy.prepare('INSERT INTO journal VALUES (?, ?, ?, ?, ?)')
      const rows = source.prepare(
        `SELECT sequence, shard, at, commands, hash FROM ${journal} WHERE sequence > ? ORDER BY sequence`,
      )
      copy.transaction(() => {
        for (const row of rows.raw().iterate(beginningOf(source).sequence) as Iterable<unknown[]>)
          insert.run(...row)
      })()
    }
    if (archive !== undefined) writeMark(copy, archive)
    return lastBatch(copy).sequence
  } finally {
    copy.close()
  }
}

/** Removes unfinished copies of processes that died. */
export function clearPartials(directory: string): void {
  if (!existsSync(directory)) return
  for (const name of readdirSync(directory)) {
    if (name.includes(PARTIAL)) rmSync(join(directory, name), { force: true })
  }
}
