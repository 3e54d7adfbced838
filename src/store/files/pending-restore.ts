import { existsSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import { archivesIn } from '../archive/archive-path.js'
import { DECISION_MARK_FILE } from '../companions/decision-mark.js'
import { COMPANIONS, companionName } from './companion-files.js'
import { IdFile } from './id-file.js'
import { JOURNAL_FILE, TABLES_FILE } from './journal-path.js'
import { createPrivateDirectory, writePrivateFile } from './private-files.js'
import { syncPath } from './sync-path.js'

/** The folder of a data directory in which a restore gathers the new files. */
export const RESTORE_FOLDER = 'restoring'

/** A restore whose new files are complete and verified. */
export interface PendingRestore {
  /** The new files in the folder, under their final names. */
  readonly files: readonly string[]
  /** The folder for the files that they replace. */
  readonly aside: string
}

const MARK = 'raay.restore'
const PARTIAL = '.partial'
const SUFFIXES = ['', '-wal', '-shm', '-journal']

/** Returns the names of an exchange's files in a data directory: those that a restore replaces. */
export function exchangeFilesIn(directory: string): string[] {
  const id = basename(new IdFile(join(directory, TABLES_FILE)).path)
  const databases = [TABLES_FILE, JOURNAL_FILE, ...COMPANIONS.map(companionName)]
  const names = [id, DECISION_MARK_FILE, ...databases.flatMap(name => SUFFIXES.map(suffix => name + suffix))]
  return [...names.filter(name => existsSync(join(directory, name))), ...archivesIn(directory)]
}

/**
 * Replaces an exchange by the files in the folder: from the moment at which the mark is there, the new one
 * counts, and whoever locks the directory next finishes the exchange of files. To be called with the
 * directory locked.
 *
 * @param did called after each change on disk, for tests
 */
export function commitRestore(directory: string, pending: PendingRestore, did: () => void): void {
  const mark = join(directory, MARK)
  const partial = mark + PARTIAL
  rmSync(partial, { force: true })
  writePrivateFile(partial, JSON.stringify(pending))
  did()
  renameSync(partial, mark)
  syncPath(directory)
  did()
  finishRestore(directory, did)
}

/**
 * Finishes a restore that was interrupted after its mark, and removes the files of one interrupted before.
 * The old files are aside, durably, before the first new one takes its place; so a repetition tells old from
 * new: a new file that is still in the folder has not taken its place.
 */
export function finishRestore(directory: string, did: () => void = () => undefined): void {
  const mark = join(directory, MARK)
  const folder = join(directory, RESTORE_FOLDER)
  if (existsSync(mark)) {
    const { files, aside } = readMark(mark)
    const isPlaced = (name: string) => files.includes(name) && !existsSync(join(folder, name))
    setAside(
      directory,
      aside,
      exchangeFilesIn(directory).filter(name => !isPlaced(name)),
      did,
    )
    for (const name of files) {
      if (isPlaced(name)) continue
      renameSync(join(folder, name), join(directory, name))
      did()
    }
    syncPath(directory)
    rmSync(mark)
    syncPath(directory)
    did()
  }
  rmSync(folder, { recursive: true, force: true })
  rmSync(mark + PARTIAL, { force: true })
}

function setAside(directory: string, aside: string, names: readonly string[], did: () => void): void {
  if (names.length === 0) return
  createPrivateDirectory(join(directory, aside))
  for (const name of names) {
    renameSync(join(directory, name), join(directory, aside, name))
    did()
  }
  syncPath(join(directory, aside))
  syncPath(directory)
}

function readMark(mark: string): PendingRestore {
  try {
    const { files, aside } = JSON.parse(readFileSync(mark, 'utf8')) as PendingRestore
    if ([...files, aside].every(name => name === basename(name) && !/^\.*$/.test(name))) {
      return { files, aside }
    }
  } catch {
    // Reported below, as a mark that names paths is.
  }
  throw new Error(`the mark of an interrupted restore, ${mark}, is damaged: restore the backup once more`)
}
