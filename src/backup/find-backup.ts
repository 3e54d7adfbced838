import { basename, dirname, resolve } from 'node:path'
import type { StoredBackup } from './backup-list.js'
import { readBackupName } from './backup-name.js'
import { lastMadeFirst } from './making-order.js'

/**
 * Returns the backup that an operator names: by its name, by the path or name of one of its files, or as
 * `latest`, the one with a manifest that was made last. Throws with a message for the operator.
 */
export function findBackup(backups: readonly StoredBackup[], text: string, place: string): StoredBackup {
  if (text === 'latest') return latestOf(backups, place)
  const isInPlace = dirname(resolve(text)) === place
  const name = readBackupName(text.startsWith(`${place}/`) || isInPlace ? basename(text) : text)
  const found = backups.find(backup => backup.name === name)
  if (found !== undefined) return found
  throw new Error(
    name === undefined
      ? `${text} is not the name of a backup, such as raay-20261121T180000.000Z, nor latest`
      : `there is no backup ${name} in ${place}: see raay backup list`,
  )
}

function latestOf(backups: readonly StoredBackup[], place: string): StoredBackup {
  const finished = backups.filter(({ manifest }) => manifest !== undefined)
  const exchanges = new Set(finished.map(({ manifest }) => manifest?.exchange))
  if (exchanges.size > 1) throw new Error(`${place} has backups of several exchanges: name one of them`)
  const [latest] = lastMadeFirst(finished)
  if (latest === undefined) throw new Error(`there is no finished backup in ${place}: see raay backup list`)
  return latest
}
