import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { ACCESS_FILE, ACCESS_SCHEMA_VERSION } from '../../access/accounts/access-schema.js'
import type { StoredBackup } from '../../backup/backup-list.js'
import { listBackups } from '../../backup/backup-list.js'
import { DirectoryStore } from '../../backup/stores/directory-store.js'
import { SITE_FILE, SITE_SCHEMA_VERSION } from '../../site/site-schema.js'
import { archivesIn } from '../../store/archive/archive-path.js'
import { freeBytesIn } from '../../store/disk-room.js'
import { COMPANIONS, companionPath } from '../../store/files/companion-files.js'
import { sizeOfFile } from '../../store/files/file-bytes.js'
import { journalPath } from '../../store/files/journal-path.js'
import type { UnopenedFile } from '../../store/files/unopened-file.js'
import { readUnopened } from '../../store/files/unopened-file.js'
import { JOURNAL_VERSION } from '../../store/journal.js'
import { migrationMs } from '../../store/migrate.js'
import { SCHEMA_VERSION } from '../../store/schema.js'
import { SCHEMA_STEPS } from '../../store/schema-steps.js'
import type { FoundVersion, VersionedPart } from './found-version.js'
import { freshBackup } from './fresh-backup.js'
import { newerRefusal, unreadableRefusal } from './upgrade-words.js'

/** The effect of a start on the files of an exchange. */
export interface UpgradePlan {
  readonly versions: readonly FoundVersion[]
  /** Why a start refuses; undefined if it does not. */
  readonly refusal: string | undefined
  /** The steps of the tables that are missing, in order; empty if the files are of this version. */
  readonly steps: readonly { readonly version: number; readonly adds: string }[]
  readonly isNeeded: boolean
  /** The size of all files, their logs included. */
  readonly bytes: number
  /** The last batch in the journal. */
  readonly sequence: number
  /** A verified backup of exactly these files, which the start would use; undefined if it makes one. */
  readonly backup: StoredBackup | undefined
  /** How many bytes the backup and the steps need at most, and how many are free. */
  readonly bytesNeeded: number
  readonly bytesFree: number
  /** The time that it takes, backup included, as measured on another machine. */
  readonly estimatedMs: number
  /** The part of it before the first step. */
  readonly backupMs: number
}

/** The first version with the journal in a file of its own. */
const TWO_FILES = 8
/** The share of the files' size that the log and the sorting of the slowest step need at most. */
const STEP_SHARE = 0.5
/** Milliseconds for each byte of checks and backup, and of the journal's way to a file of its own. */
const BACKUP_MS_PER_BYTE = 4000 / 423_000_000
const SPLIT_MS_PER_BYTE = 3400 / 423_000_000

/**
 * Reads which versions the files of a data directory have, and says what a start of this program would do.
 * Opens nothing with SQLite, and so changes nothing, not even a time; an exchange may be running.
 *
 * @param version this program's, for messages
 */
export async function readPlan(
  directory: string,
  version: string,
  free: (directory: string) => number = freeBytesIn,
): Promise<UpgradePlan> {
  const file = join(directory, 'raay.db')
  const store = new DirectoryStore(join(directory, 'backups'))
  const backups = await listBackups(store)
  const parts = partsOf(file)
  const read = parts.map(part => ({ ...part, ...readPart(part.file) }))
  // A start does without companions that cannot be read.
  const broken = read.find(({ part, fault }) => fault !== undefined && !isCompanion(part))
  const versions = read.map(one => {
    return { part: one.part, file: one.file, wanted: one.wanted, found: versionOf(one) }
  })
  const [tables, journal] = read.map(({ unopened }) => unopened)
  const from = tables?.version ?? SCHEMA_VERSION
  const newer = versions.find(({ found = 0, wanted }) => found > wanted)
  const refusal =
    (broken && unreadableRefusal(broken.file, broken.fault ?? '')) ??
    (newer && newerRefusal(newer, version, backups))
  const isNeeded = refusal === undefined && versions.some(isOlder)
  const bytes = sizeOf(directory, parts)
  const sequence = lastBatch(tables, journal)
  const backup = isNeeded ? freshBackup(backups, { file, sequence, schema: from }) : undefined
  const backupMs = bytes * BACKUP_MS_PER_BYTE
  const copied = from < TWO_FILES ? bytes : 0
  return {
    versions,
    refusal,
    steps: isNeeded && from > 0 ? stepsAfter(from) : [],
    isNeeded,
    bytes,
    sequence,
    backup,
    bytesNeeded: isNeeded ? Math.ceil((backup ? 0 : bytes) + copied + bytes * STEP_SHARE) : 0,
    bytesFree: free(dirname(file)),
    estimatedMs: isNeeded
      ? Math.round(backupMs + migrationMs(from, sizeOfFile(file)) + copied * SPLIT_MS_PER_BYTE)
      : 0,
    backupMs,
  }
}

interface ReadPart extends Omit<FoundVersion, 'found'> {
  /** The mark of the kind of file, for companions. */
  readonly id?: number
  readonly unopened?: UnopenedFile | undefined
}

function partsOf(file: string): ReadPart[] {
  return [
    { part: 'tables', file, wanted: SCHEMA_VERSION },
    { part: 'journal', file: journalPath(file), wanted: JOURNAL_VERSION },
    {
      part: 'accounts',
      file: companionPath(file, 'accounts'),
      wanted: ACCESS_SCHEMA_VERSION,
      id: ACCESS_FILE.applicationId,
    },
    {
      part: 'site',
      file: companionPath(file, 'site'),
      wanted: SITE_SCHEMA_VERSION,
      id: SITE_FILE.applicationId,
    },
  ]
}

function readPart(file: string): { readonly unopened?: UnopenedFile | undefined; readonly fault?: string } {
  try {
    return { unopened: readUnopened(file) }
  } catch (error) {
    return { fault: error instanceof Error ? error.message : String(error) }
  }
}

function sizeOf(directory: string, parts: readonly { readonly file: string }[]): number {
  const archives = existsSync(directory) ? archivesIn(directory).map(name => join(directory, name)) : []
  const files = [...parts.flatMap(({ file }) => [file, `${file}-wal`]), ...archives]
  return files.reduce((sum, file) => sum + sizeOfFile(file), 0)
}

const isCompanion = (part: VersionedPart) => COMPANIONS.some(companion => companion === part)

/** The version of something else in the place of a companion says nothing: the start does without it. */
function versionOf({ id, unopened }: ReadPart): number | undefined {
  return id === undefined || unopened?.id === id ? unopened?.version : undefined
}

/** A file of version 0 is new, or not Raay's: the start says so itself. */
const isOlder = ({ found = 0, wanted }: FoundVersion) => found > 0 && found < wanted

function stepsAfter(from: number): { readonly version: number; readonly adds: string }[] {
  return SCHEMA_STEPS.slice(from).map(({ adds }, index) => ({ version: from + index + 1, adds }))
}

/** The journal is in the file of the tables, or beside it. */
function lastBatch(tables: UnopenedFile | undefined, journal: UnopenedFile | undefined): number {
  return Math.max(tables?.lastKeys.get('journal') ?? 0, journal?.lastKeys.get('journal') ?? 0)
}
