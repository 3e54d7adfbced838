import type { StoredBackup } from '../backup/backup-list.js'
import type { Sequence } from '../core/units.js'
import type { LogEnd } from './journal-log.js'

/** Returns the last line of a backup, as a list: none unless it was found in order, and has a line. */
export function verifiedEndOf({ manifest }: Pick<StoredBackup, 'manifest'>): LogEnd[] {
  const { sequence, journal_hash: hash, verification } = manifest ?? {}
  if (verification?.ok !== true || sequence === undefined || hash == null) return []
  return [{ sequence: sequence as Sequence, hash: Buffer.from(hash, 'hex') }]
}

/**
 * Returns the last line that any of some backups has; undefined if none counts. One of another journal does
 * not, nor one of lines that the log lacks, which may be taken by another exchange that goes on from there.
 *
 * @param through the last line that the log is known to have
 */
export function verifiedEnd(
  ends: readonly LogEnd[],
  journal: { hashOf(sequence: Sequence): Buffer | undefined },
  through: Sequence,
): Sequence | undefined {
  let last: Sequence | undefined
  for (const { sequence, hash } of ends) {
    const isOwn = sequence <= through && journal.hashOf(sequence)?.equals(hash) === true
    if (isOwn && sequence > (last ?? 0)) last = sequence
  }
  return last
}
