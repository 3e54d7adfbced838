import type { StoredBackup } from './backup-list.js'
import { listBackups } from './backup-list.js'
import { allFilesOf, backupTime, filesOf, readBackupName } from './backup-name.js'
import type { BackupStore } from './backup-store.js'
import type { KeepRules } from './keep-rules.js'
import { keptBackups } from './keep-rules.js'
import type { OwnBatches } from './own-batches.js'

export interface PruneOptions {
  readonly rules: KeepRules
  /** Applies the rules to backups that were not scheduled as well. */
  readonly all: boolean
  readonly dryRun: boolean
  readonly now: number
  /** Prunes the backups of this exchange only. */
  readonly exchange?: string
  /**
   * Says whether a backup is of batches that its exchange has, and not of others that a takeover has lost:
   * those stand for none of its own. Without it all count as its own.
   */
  readonly own?: Pick<OwnBatches, 'isOwn'> | undefined
}

/** Remains of interrupted backups and prunings are deleted when they are this old. */
const REMAINS_MS = 24 * 3_600_000

/**
 * Deletes the backups that the rules do not keep; returns them, newest first. Never deletes an unfinished
 * backup, nor the newest verified one of an exchange.
 */
export async function pruneBackups(store: BackupStore, options: PruneOptions): Promise<StoredBackup[]> {
  const pruned = prunedOf(await listBackups(store), options)
  if (options.dryRun) return pruned
  for (const { name } of pruned) {
    // In their order, a pruning that is killed in between leaves a backup that the next one deletes.
    for (const file of allFilesOf(name)) await store.delete(file)
  }
  await deleteRemains(store, options.now)
  await store.clearUnfinished?.(options.now)
  return pruned
}

function prunedOf(backups: readonly StoredBackup[], options: PruneOptions): StoredBackup[] {
  const { rules, all, exchange, own: batches } = options
  const finished = backups.filter(({ manifest }) => manifest !== undefined)
  const exchanges = new Set(finished.map(({ manifest }) => manifest?.exchange))
  const pruned = new Set<StoredBackup>()
  for (const id of exchanges) {
    if (exchange !== undefined && id !== exchange) continue
    const own = finished.filter(({ manifest }) => manifest?.exchange === id)
    const [ours, lost] = [true, false].map(wanted =>
      own.filter(({ manifest }) => manifest && (batches?.isOwn(manifest) ?? true) === wanted),
    )
    const kept = new Set([...keptBackups(ours ?? [], rules), ...keptBackups(lost ?? [], rules)])
    for (const backup of own) {
      if (!kept.has(backup) && (all || backup.manifest?.reason === 'scheduled')) pruned.add(backup)
    }
  }
  return backups.filter(backup => pruned.has(backup))
}

/** Deletes old companions and manifests whose exchange is not there: no backup needs them any more. */
async function deleteRemains(store: BackupStore, now: number): Promise<void> {
  const names = new Set((await store.list()).map(({ name }) => name))
  for (const file of names) {
    const name = readBackupName(file)
    if (name === undefined || backupTime(name) >= now - REMAINS_MS) continue
    if (!names.has(filesOf(name).exchange) && allFilesOf(name).includes(file)) await store.delete(file)
  }
}
