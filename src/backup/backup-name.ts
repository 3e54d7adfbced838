import type { TimeMs } from '../core/units.js'
import type { Companion } from '../store/files/companion-files.js'
import { COMPANIONS, companionBackupPath } from '../store/files/companion-files.js'

declare const NAME: unique symbol

/** `raay-20261121T180000.000Z`: when the backup was begun. A value of this type is a safe file name. */
export type BackupName = string & { readonly [NAME]: never }

/** The names of a backup's files in its store. */
export interface BackupFiles {
  /** Tables and journal in one file. */
  readonly exchange: string
  /** Accounts, and the site; missing if the exchange has none. */
  readonly companions: Readonly<Record<Companion, string>>
  readonly manifest: string
}

/** ISO 8601 basic format: some file systems do not allow colons in names. */
const FORMAT = /^raay-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d\.\d{3})Z$/
const SUFFIX = /\.(?:(?:access|site)\.db|db|json)$/

/** Returns the name of a backup begun at a moment. */
export function backupNameAt(at: TimeMs): BackupName {
  return `raay-${new Date(at).toISOString().replace(/[-:]/g, '')}` as BackupName
}

/**
 * Reads a name, or the name of one of a backup's files, as an operator or a directory gives it; undefined for
 * anything else, such as a path.
 */
export function readBackupName(text: string): BackupName | undefined {
  const name = text.replace(SUFFIX, '') as BackupName
  return Number.isNaN(backupTime(name)) ? undefined : name
}

/** Returns when a backup was begun. */
export function backupTime(name: BackupName): TimeMs {
  const iso = FORMAT.test(name) ? name.replace(FORMAT, '$1-$2-$3T$4:$5:$6Z') : ''
  return Date.parse(iso) as TimeMs
}

/** Returns the names of all files that a backup may have. */
export function allFilesOf(name: BackupName): string[] {
  const { companions, exchange, manifest } = filesOf(name)
  return [...Object.values(companions), exchange, manifest]
}

export function filesOf(name: BackupName): BackupFiles {
  const exchange = `${name}.db`
  const named = COMPANIONS.map(companion => [companion, companionBackupPath(exchange, companion)])
  return { exchange, companions: Object.fromEntries(named), manifest: `${name}.json` }
}
