import { dirname } from 'node:path'
import type { StoredBackup } from '../../backup/backup-list.js'
import { SCHEMA_VERSION } from '../../store/schema.js'
import type { FoundVersion } from './found-version.js'

/** Says that a newer program wrote a file, which program it needs, and how to go back. */
export function newerRefusal(
  { part, file, found, wanted }: FoundVersion,
  version: string,
  backups: readonly StoredBackup[],
): string {
  const upgrades = backups.filter(({ manifest }) => manifest?.reason === 'before-upgrade')
  const writer = upgrades.map(({ manifest }) => manifest?.raay ?? '').find(raay => raay !== version)
  const before = upgrades.find(({ manifest }) => (manifest?.schema ?? 0) <= SCHEMA_VERSION)
  return (
    `the file of the ${part}, ${file}, has version ${found}, and Raay ${version} knows versions up to ` +
    `${wanted}. Nothing was changed. Start ${writer ? `Raay ${writer} or newer` : 'a newer Raay'}. ` +
    (before === undefined
      ? `To go back, restore a backup from before the upgrade: there is none in ${dirname(file)}/backups`
      : `To go back, restore the backup from before the upgrade, ${before.file}: ` +
        `it is as of batch ${before.manifest?.sequence}, and what came later is not in it`)
  )
}

/** Says that a file cannot be read without opening it. */
export function unreadableRefusal(file: string, fault: string): string {
  return `${file} cannot be read: ${fault}. Restore a backup; raay verify says more`
}

/** Says how much room is missing for the backup before an upgrade. */
export function roomRefusal(directory: string, bytesNeeded: number, bytesFree: number): string {
  return (
    `the upgrade and the backup before it need ${megabytes(bytesNeeded)} in ${directory}, and ` +
    `${megabytes(bytesFree)} are free. Nothing was changed. Free some space; or, if you have a backup ` +
    'elsewhere, start with --no-upgrade-backup'
  )
}

const megabytes = (bytes: number) => `${(bytes / 1_000_000).toFixed(1)} MB`
