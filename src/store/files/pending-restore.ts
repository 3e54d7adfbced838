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
interface PendingRestore {
  /** The new files in the folder, under their final names; the tables among them. */
  readonly files: readonly string[]
  /** The folder for the files that they replace. */
  readonly aside: string
  /**
   * `aside` until the old files are set aside: all new ones are in the folder. `placing` from then on.
   * Missing in the marks of older versions.
   */
  readonly stage?: 'aside' | 'placing' | undefined
}

/** New files are complete, and will take their place with the next start; the message says so. */
export class UnfinishedRestoreError extends Error {
  override readonly name = 'UnfinishedRestoreError'
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
 * Replaces an exchange by files that are made in the folder of restores. Once the mark is there, the new one
 * counts, and the next process to lock the directory puts its files in place. If anything fails before, the
 * folder is deleted and the old one stays. To be called with the directory locked.
 *
 * @param make makes the files in the folder, durably
 * @param did called after each change on disk, for tests
 */
export async function replaceExchange<Made extends Pick<PendingRestore, 'files'>>(
  directory: string,
  aside: string,
  make: (folder: string) => Promise<Made>,
  did: () => void = () => undefined,
): Promise<Made> {
  const folder = join(directory, RESTORE_FOLDER)
  let made: Made
  try {
    createPrivateDirectory(folder)
    made = await make(folder)
    writeMark(directory, { files: made.files, aside, stage: 'aside' }, did)
  } catch (error) {
    if (existsSync(join(directory, MARK))) throw unfinished(directory, error)
    discard(directory)
    throw error
  }
  try {
    finishRestore(directory, did)
  } catch (error) {
    throw unfinished(directory, error)
  }
  return made
}

/**
 * Finishes a restore that was interrupted after its mark, and removes the files of one interrupted before.
 * The old files are aside, durably, before the mark says so and the first new one takes its place; so a
 * repetition tells old from new. Throws, and changes nothing, if a new file is neither in the folder nor in
 * its place.
 */
export function finishRestore(directory: string, did: () => void = () => undefined): void {
  const mark = join(directory, MARK)
  if (existsSync(mark)) {
    const pending = readMark(mark)
    const isInFolder = (name: string) => existsSync(join(directory, RESTORE_FOLDER, name))
    const isPlaced = (name: string) =>
      pending.stage !== 'aside' && pending.files.includes(name) && !isInFolder(name)
    const lost = pending.files.find(
      name => !(isInFolder(name) || (isPlaced(name) && existsSync(join(directory, name)))),
    )
    if (lost !== undefined) throw new Error(lostText(directory, lost, pending.aside))
    const old = exchangeFilesIn(directory).filter(name => !isPlaced(name))
    setAside(directory, pending.aside, old, did)
    if (pending.stage === 'aside') writeMark(directory, { ...pending, stage: 'placing' }, did)
    for (const name of pending.files.filter(isInFolder)) {
      renameSync(join(directory, RESTORE_FOLDER, name), join(directory, name))
      did()
    }
    syncPath(directory)
    rmSync(mark)
    syncPath(directory)
    did()
  }
  rmSync(join(directory, RESTORE_FOLDER), { recursive: true, force: true })
  rmSync(mark + PARTIAL, { force: true })
}

function writeMark(directory: string, pending: PendingRestore, did: () => void): void {
  const mark = join(directory, MARK)
  rmSync(mark + PARTIAL, { force: true })
  writePrivateFile(mark + PARTIAL, JSON.stringify(pending))
  did()
  renameSync(mark + PARTIAL, mark)
  syncPath(directory)
  did()
}

/** Removes what a failed restore has left; what cannot be removed, the next start removes. */
function discard(directory: string): void {
  try {
    rmSync(join(directory, RESTORE_FOLDER), { recursive: true, force: true })
    rmSync(join(directory, MARK + PARTIAL), { force: true })
  } catch {
    // The failure before is the one to report.
  }
}

function setAside(directory: string, aside: string, names: readonly string[], did: () => void): void {
  if (names.length === 0) return
  createPrivateDirectory(join(directory, aside))
  for (const name of names) {
    const target = join(directory, aside, name)
    // Never over the file of the old exchange.
    if (existsSync(target)) throw new Error(`${join(directory, name)} appeared meanwhile: move it away`)
    renameSync(join(directory, name), target)
    did()
  }
  syncPath(join(directory, aside))
  syncPath(directory)
}

function readMark(mark: string): PendingRestore {
  try {
    const { files, aside, stage } = JSON.parse(readFileSync(mark, 'utf8')) as PendingRestore
    const isPlain = [...files, aside].every(name => name === basename(name) && !/^\.*$/.test(name))
    const isStage = stage === undefined || stage === 'aside' || stage === 'placing'
    if (isPlain && isStage && files.includes(TABLES_FILE)) return { files, aside, stage }
  } catch {
    // Reported below, as a mark that names paths is.
  }
  throw new Error(
    `the mark of an interrupted restore, ${mark}, is damaged: delete it, and restore the backup once more. ` +
      'The files of the exchange before are in place, or in a folder replaced-…',
  )
}

function unfinished(directory: string, error: unknown): UnfinishedRestoreError {
  const reason = error instanceof Error ? error.message : String(error)
  return new UnfinishedRestoreError(
    `the files in ${directory} could not be exchanged (${reason}): mend that, and start the exchange. ` +
      'The new files are complete, and the start puts them in place',
  )
}

function lostText(directory: string, lost: string, aside: string): string {
  return (
    `the interrupted restore of ${directory} has lost ${lost}: it is neither in ${RESTORE_FOLDER}/ nor in ` +
    `its place. Nothing was changed. Put it back; or, to go back to the exchange before, move the files in ` +
    `${aside}/ back, if it is there, and delete ${join(directory, MARK)}`
  )
}
