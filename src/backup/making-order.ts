import type { StoredBackup } from './backup-list.js'

type NumberedBackup = Pick<StoredBackup, 'at' | 'manifest'>

/**
 * Sorts the backups of an exchange: the one that was made last comes first, even if the clock was ahead when
 * an older one was made. Older manifests have no number; of those the one with the most batches comes first.
 */
export function lastMadeFirst<Backup extends NumberedBackup>(backups: readonly Backup[]): Backup[] {
  return [...backups].sort(
    (one, other) =>
      numberOf(other) - numberOf(one) || sequenceOf(other) - sequenceOf(one) || other.at - one.at,
  )
}

/** Returns the number of the next backup of an exchange in a store. */
export function nextNumber(backups: readonly NumberedBackup[], exchange: string): number {
  const own = backups.filter(({ manifest }) => manifest?.exchange === exchange)
  return own.reduce((highest, backup) => Math.max(highest, numberOf(backup)), 0) + 1
}

const numberOf = ({ manifest }: NumberedBackup) => manifest?.number ?? 0
const sequenceOf = ({ manifest }: NumberedBackup) => manifest?.sequence ?? -1
