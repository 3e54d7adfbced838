import { existsSync, mkdirSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { TimeMs } from '../../core/units.js'
import { followToEnd } from '../../follower/follower.js'
import { checkpoint, isDiskFull, openDatabase, sealFile } from '../../store/database.js'
import { freeBytesIn } from '../../store/disk-room.js'
import { accessPath } from '../../store/files/access-path.js'
import { copyAccounts } from '../../store/files/backup-file.js'
import { openDataDirectory } from '../../store/files/data-directory.js'
import { giveId } from '../../store/files/exchange-id.js'
import { IdFile } from '../../store/files/id-file.js'
import { cutJournal } from '../../store/files/journal-cut.js'
import { journalPath, TABLES_FILE } from '../../store/files/journal-path.js'
import { commitRestore, exchangeFilesIn, RESTORE_FOLDER } from '../../store/files/pending-restore.js'
import { syncPath } from '../../store/files/sync-path.js'
import { migrate } from '../../store/migrate.js'
import type { Report } from '../../verify/checks.js'
import { verifyFileInTwoThreads } from '../../verify/verify-file.js'
import { assertRoom } from '../restore-room.js'
import type { FoundPoint, HistoryPoint } from './history-point.js'
import { findPoint } from './history-point.js'
import type { HistorySource } from './history-source.js'
import { openSource } from './history-source.js'
import { RestoreError } from './restore-error.js'

/** A point of a history, and the data directory to which it is restored. */
export interface PastRequest {
  /** Returns a backup file, or a data directory; gets a folder that is removed afterwards. */
  readonly source: (folder: string) => Promise<string> | string
  readonly point: HistoryPoint
  /** The time at which the backup was made; undefined for a data directory, whose end is the end of all. */
  readonly coveredUntil?: TimeMs | undefined
  /** The data directory of the restored exchange. */
  readonly directory: string
  /** Replaces an exchange that is there. */
  readonly overwrite: boolean
  readonly now: () => number
  /** Called after each change of the directory at the end, for tests. */
  readonly did?: () => void
  /** Returns how many bytes are free, for tests. */
  readonly free?: (directory: string) => number
}

/** An exchange as it was. */
export interface RestoredPast extends FoundPoint {
  /** The id of the exchange that it was, and its own. */
  readonly of: number
  readonly id: number
  /** True if accounts, sessions and keys were copied; they are as of the source's moment. */
  readonly hasAccounts: boolean
  /** The directory with the files of the replaced exchange; undefined if there was none. */
  readonly aside: string | undefined
  readonly report: Report
}

/** Progress in batches, of three passes over the history. */
export interface PastProgress {
  readonly stage: 'copying' | 'replaying' | 'verifying'
  readonly done: number
  readonly total: number
}

type Told = (progress: PastProgress) => void

/**
 * Makes an exchange that is as another was after one of its batches: cuts the journal there, replays it into
 * empty tables, and verifies both. It has an id of its own, because its history may go on differently: files,
 * logs and backups of the two are then never taken for each other's. The source is only read, and the
 * directory stays as it is until everything has succeeded. Throws with a message for the operator.
 */
export async function restorePast(request: PastRequest, told: Told): Promise<RestoredPast> {
  // Finishes or clears away what an interrupted restore has left.
  const { path, release } = openDataDirectory(request.directory)
  try {
    return await restoreInto(path, request, told)
  } catch (error) {
    rmSync(join(path, RESTORE_FOLDER), { recursive: true, force: true })
    throw isDiskFull(error) ? new RestoreError(`the disk of ${path} is full`) : error
  } finally {
    release()
  }
}

async function restoreInto(path: string, request: PastRequest, told: Told): Promise<RestoredPast> {
  const { point, coveredUntil, overwrite, now, did = () => undefined, free = freeBytesIn } = request
  const isReplacing = exchangeFilesIn(path).length > 0
  if (isReplacing && !overwrite) {
    throw new RestoreError(
      `${path} holds an exchange: add --overwrite to set its files aside, or name another --data`,
    )
  }
  const folder = join(path, RESTORE_FOLDER)
  mkdirSync(folder, { mode: 0o700 })
  const source = openSource(await request.source(join(folder, 'source')))
  let built: BuiltPast
  try {
    assertRoom(path, free(path), source.bytes)
    built = await build(source, join(folder, TABLES_FILE), findPoint(source, point, coveredUntil), told)
  } finally {
    source.database.close()
  }
  const { files, ...past } = built
  const aside = `replaced-${new Date(now()).toISOString().replace(/[-:]/g, '')}`
  commitRestore(path, { files, aside }, did)
  return { ...past, of: source.id, aside: isReplacing ? join(path, aside) : undefined }
}

interface BuiltPast extends Omit<RestoredPast, 'of' | 'aside'> {
  /** The names of the new files. */
  readonly files: readonly string[]
}

/** Builds the exchange as it was, with its tables in this file and the rest beside it. */
async function build(source: HistorySource, file: string, found: FoundPoint, told: Told): Promise<BuiltPast> {
  const { sequence } = found
  const { database, journal, accounts } = source
  const id = createTables(file)
  const cut = { source: database, journal, target: journalPath(file), id, upTo: sequence }
  const fault = cutJournal(cut, done => told({ stage: 'copying', done, total: sequence }))
  if (fault !== undefined) {
    throw new RestoreError(`${source.name} is damaged (${fault}): restore an earlier batch or another backup`)
  }
  if (accounts !== undefined) copyAccounts(accounts, accessPath(file))
  followToEnd(file, sequence, done => told({ stage: 'replaying', done, total: sequence }))
  const report = await verifyFileInTwoThreads(file, progress => {
    if (progress.stage === 'journal') told({ stage: 'verifying', done: progress.done, total: sequence })
  })
  if (!report.ok) throw new RestoreError(`the restored exchange is not in order: ${firstFinding(report)}`)
  sealFile(file)
  const idFile = new IdFile(file)
  idFile.write(id)
  const made = [file, journalPath(file), accessPath(file), idFile.path].filter(path => existsSync(path))
  for (const path of [...made, dirname(file)]) syncPath(path)
  return {
    ...found,
    id,
    hasAccounts: accounts !== undefined,
    report,
    files: made.map(path => basename(path)),
  }
}

/** Creates the tables of a new exchange without a journal inside; returns the exchange's id. */
function createTables(file: string): number {
  const database = openDatabase(file)
  try {
    migrate(database)
    database.exec('DROP TABLE main.journal')
    const id = giveId(database)
    checkpoint(database)
    return id
  } finally {
    database.close()
  }
}

function firstFinding({ checks }: Report): string {
  const found = checks.find(({ result }) => result === 'broken')
  return `${found?.name}: ${found?.findings[0]}`
}
