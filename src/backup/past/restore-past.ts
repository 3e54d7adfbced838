import { join } from 'node:path'
import type { TimeMs } from '../../core/units.js'
import { isDiskFull } from '../../store/database.js'
import { freeBytesIn } from '../../store/disk-room.js'
import type { Companion } from '../../store/files/companion-files.js'
import { openDataDirectory } from '../../store/files/data-directory.js'
import { TABLES_FILE } from '../../store/files/journal-path.js'
import { exchangeFilesIn, replaceExchange } from '../../store/files/pending-restore.js'
import type { JournalRow } from '../../store/journal.js'
import type { Report } from '../../verify/checks.js'
import { assertRoom } from '../restore-room.js'
import type { History, PastProgress } from './build-exchange.js'
import { buildExchange } from './build-exchange.js'
import type { FoundPoint, PointOrEnd } from './history-point.js'
import { findPoint } from './history-point.js'
import type { HistorySource } from './history-source.js'
import { openSource } from './history-source.js'
import { RestoreError } from './restore-error.js'

/** A point of a history, and the data directory to which it is restored. */
export interface PastRequest {
  /** Returns a backup file, or a data directory; gets a folder that is removed afterwards. */
  readonly source: (folder: string) => Promise<string> | string
  readonly point: PointOrEnd
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
  /** The companions that were copied; they are as of the source's moment. */
  readonly companions: readonly Companion[]
  /** The directory with the files of the replaced exchange; undefined if there was none. */
  readonly aside: string | undefined
  readonly report: Report
}

type PastListener = (progress: PastProgress) => void

/**
 * Makes an exchange that is as another was after one of its batches: cuts the journal there, replays it into
 * empty tables, and verifies both. It has an id of its own, because its history may go on differently: files,
 * logs and backups of the two are then never taken for each other's. The source is only read, and the
 * directory stays as it is until everything has succeeded. Throws with a message for the operator.
 */
export async function restorePast(request: PastRequest, told: PastListener): Promise<RestoredPast> {
  // Finishes or clears away what an interrupted restore has left.
  const { path, release } = openDataDirectory(request.directory)
  try {
    return await restoreInto(path, request, told)
  } catch (error) {
    throw isDiskFull(error) ? new RestoreError(`the disk of ${path} is full`) : error
  } finally {
    release()
  }
}

async function restoreInto(path: string, request: PastRequest, told: PastListener): Promise<RestoredPast> {
  const { point, coveredUntil, overwrite, now, did = () => undefined, free = freeBytesIn } = request
  const isReplacing = exchangeFilesIn(path).length > 0
  if (isReplacing && !overwrite) {
    throw new RestoreError(
      `${path} holds an exchange: add --overwrite to set its files aside, or name another --data`,
    )
  }
  const aside = `replaced-${new Date(now()).toISOString().replace(/[-:]/g, '')}`
  const build = async (folder: string) => {
    const source = openSource(await request.source(join(folder, 'source')))
    try {
      assertRoom(path, free(path), source.bytes)
      const found = findPoint(source, point, coveredUntil)
      const built = await buildExchange(historyOf(source, found), join(folder, TABLES_FILE), told)
      return { ...built, found, source }
    } finally {
      source.database.close()
    }
  }
  const { id, report, found, source } = await replaceExchange(path, aside, build, did)
  const companions = source.companions.map(({ companion }) => companion)
  const replaced = isReplacing ? join(path, aside) : undefined
  return { ...found, id, report, companions, of: source.id, aside: replaced }
}

function historyOf(
  { name, database, journal, companions }: HistorySource,
  { sequence }: FoundPoint,
): History {
  const select = database.prepare<unknown[], JournalRow>(
    `SELECT sequence, shard, at, commands, hash FROM ${journal} WHERE sequence <= ? ORDER BY sequence`,
  )
  return { name, rows: select.iterate(sequence), upTo: sequence, companions }
}
