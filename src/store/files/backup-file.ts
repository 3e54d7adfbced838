import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import type { Sequence } from '../../core/units.js'
import { lastBatch } from '../audit/last-sequence.js'
import type { Database } from '../database.js'
import { openReadOnly } from '../database.js'
import { createPrivateDirectory, createPrivateFile } from './private-files.js'

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

/** Copies the file that a connection has open, even if it no longer has a name. */
export function copyFrom(source: Database, target: string): CopiedFile {
  const partial = target + PARTIAL
  createPrivateDirectory(dirname(target))
  if (existsSync(target)) throw new Error(`${target} is there already`)
  rmSync(partial, { force: true })
  createPrivateFile(partial)
  try {
    source.prepare('VACUUM INTO ?').run(partial)
    const copy = openReadOnly(partial)
    const { sequence } = lastBatch(copy)
    copy.close()
    sync(partial)
    renameSync(partial, target)
    sync(dirname(target))
    return { bytes: statSync(target).size, sequence }
  } catch (error) {
    rmSync(partial, { force: true })
    rmSync(`${partial}-journal`, { force: true })
    throw error
  }
}

/** Removes unfinished copies of processes that died. */
export function clearPartials(directory: string): void {
  if (!existsSync(directory)) return
  for (const name of readdirSync(directory)) {
    if (name.includes(PARTIAL)) rmSync(join(directory, name), { force: true })
  }
}

/** Syncs a file or directory. No connection has the copy open, so no SQLite lock is dropped. */
function sync(path: string): void {
  const descriptor = openSync(path, 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}
