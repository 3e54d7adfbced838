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
import { lastSequence } from '../audit/last-sequence.js'
import type { Database } from '../database.js'
import { openReadOnly } from '../database.js'
import { createPrivateDirectory, createPrivateFile } from './private-files.js'

/** A copy of the whole exchange at one moment. */
export interface CopiedFile {
  readonly bytes: number
  /** The last batch in it. */
  readonly sequence: Sequence
}

/** What is not whole yet, or never became so. */
const PARTIAL = '.partial'

/**
 * Copies the file as it is at one moment, while others write it, for SQLite reads one snapshot. The copy has
 * its name when it is whole and on the platter; one that fails leaves nothing behind, and throws.
 */
export function copyTo(file: string, target: string): CopiedFile {
  const source = openReadOnly(file)
  try {
    return copyFrom(source, target)
  } finally {
    source.close()
  }
}

/** The same from a connection: copies what it has open, also where no name stands for that file any more. */
export function copyFrom(source: Database, target: string): CopiedFile {
  const partial = target + PARTIAL
  createPrivateDirectory(dirname(target))
  if (existsSync(target)) throw new Error(`${target} is there already`)
  rmSync(partial, { force: true })
  createPrivateFile(partial)
  try {
    source.prepare('VACUUM INTO ?').run(partial)
    const copy = openReadOnly(partial)
    const sequence = lastSequence(copy)
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

/** Takes away what a process that ended while it copied has left. */
export function clearPartials(directory: string): void {
  if (!existsSync(directory)) return
  for (const name of readdirSync(directory)) {
    if (name.includes(PARTIAL)) rmSync(join(directory, name), { force: true })
  }
}

/** Nothing else has the copy open, so that no lock of SQLite's is dropped by this. */
function sync(path: string): void {
  const descriptor = openSync(path, 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}
