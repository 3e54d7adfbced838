import { existsSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import type { Sequence } from '../../core/units.js'
import { followToEnd } from '../../follower/follower.js'
import { giveCompanion } from '../../store/companions/companion-database.js'
import { DecisionMark } from '../../store/companions/decision-mark.js'
import { checkpoint, openDatabase, sealFile } from '../../store/database.js'
import { copyCompanion } from '../../store/files/backup-file.js'
import { companionPath } from '../../store/files/companion-files.js'
import { giveId } from '../../store/files/exchange-id.js'
import { IdFile } from '../../store/files/id-file.js'
import { cutJournal } from '../../store/files/journal-cut.js'
import { journalPath } from '../../store/files/journal-path.js'
import { syncPath } from '../../store/files/sync-path.js'
import type { JournalRow } from '../../store/journal.js'
import { migrateTables } from '../../store/tables-schema.js'
import type { CheckName, Report } from '../../verify/checks.js'
import { verifyFileInTwoThreads } from '../../verify/verify-file.js'
import type { CompanionFile } from './history-source.js'
import { RestoreError } from './restore-error.js'

/** The history of an exchange up to one of its batches. */
export interface History {
  /** Its origin, for messages. */
  readonly name: string
  readonly rows: Iterable<JournalRow>
  readonly upTo: Sequence
  /** Files to be copied as they are. */
  readonly companions?: readonly CompanionFile[]
}

/** Progress in batches, of three passes over the history. */
export interface PastProgress {
  readonly stage: 'copying' | 'replaying' | 'verifying'
  readonly done: number
  readonly total: number
}

/** The checks of `raay verify` about companions. */
const COMPANION_CHECKS: readonly CheckName[] = ['access', 'site']

/** An exchange that was built. */
export interface BuiltExchange {
  readonly id: number
  readonly report: Report
  /** The names of its files. */
  readonly files: readonly string[]
}

/**
 * Builds an exchange from a history, with its tables in this file and the rest beside it. It has an id of its
 * own, because its history may go on differently. Throws RestoreError if the history is damaged.
 */
export async function buildExchange(
  { name, rows, upTo, companions = [] }: History,
  file: string,
  told: (progress: PastProgress) => void,
): Promise<BuiltExchange> {
  const id = createTables(file)
  const cut = { rows, target: journalPath(file), id, upTo }
  const fault = cutJournal(cut, done => told({ stage: 'copying', done, total: upTo }))
  if (fault !== undefined) {
    throw new RestoreError(`${name} is damaged (${fault}): restore an earlier batch or another backup`)
  }
  for (const { companion, path } of companions) {
    copyCompanion(path, companionPath(file, companion))
    giveCompanion(companionPath(file, companion), id)
  }
  const mark = new DecisionMark(file)
  if (!companions.some(({ companion }) => companion === 'accounts')) mark.allowNone()
  followToEnd(file, upTo, done => told({ stage: 'replaying', done, total: upTo }))
  const report = await verifyFileInTwoThreads(file, progress => {
    if (progress.stage === 'journal') told({ stage: 'verifying', done: progress.done, total: upTo })
  })
  const finding = firstFinding(report)
  if (finding !== undefined) throw new RestoreError(`the restored exchange is not in order: ${finding}`)
  sealFile(file)
  const idFile = new IdFile(file)
  idFile.write(id)
  const copies = companions.map(({ companion }) => companionPath(file, companion))
  const made = [file, journalPath(file), ...copies, idFile.path, mark.path].filter(path => existsSync(path))
  for (const path of [...made, dirname(file)]) syncPath(path)
  return { id, report, files: made.map(path => basename(path)) }
}

/** Creates the tables of a new exchange without a journal inside; returns the exchange's id. */
function createTables(file: string): number {
  const database = openDatabase(file)
  try {
    migrateTables(database)
    database.exec('DROP TABLE main.journal')
    const id = giveId(database)
    checkpoint(database)
    return id
  } finally {
    database.close()
  }
}

/**
 * Returns the first finding about orders and money. Accounts and site come as they were found: with damaged
 * ones the exchange starts all the same, closes them and says so.
 */
function firstFinding({ checks }: Report): string | undefined {
  const found = checks.find(({ name, result }) => result === 'broken' && !COMPANION_CHECKS.includes(name))
  return found && `${found.name}: ${found.findings[0]}`
}
