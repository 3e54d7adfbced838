import type { RestoredBackup } from '../../../backup/restore-backup.js'
import { UsageError } from '../../exit-errors.js'
import type { Command } from '../../make-command.js'
import { command, note } from '../../make-command.js'
import { option } from '../../options.js'
import { json, printing } from '../../run-verb.js'
import { printable } from '../../terminal/printable.js'
import type { PointOptions } from './restore-point.js'
import { addPoint, pointOf, restorePoint } from './restore-point.js'
import { addIdentity, addStore, withStore } from './with-store.js'

/** `raay backup restore`: puts a backup into the data directory of a stopped exchange. */
export function restoreCommand(): Command {
  const made = command('restore', 'put a backup into the data directory of a stopped exchange', [
    'raay backup restore latest --data /srv/raay --overwrite',
    'raay backup restore latest --data /tmp/drill --backup-to /srv/raay/backups',
    'raay backup restore --to 2026-11-21T18:00:00Z --data /srv/raay-then',
    'raay backup restore --from s3://bucket/replica --take-over --data /srv/raay',
  ]).argument('[name|latest]')
  note(
    made,
    `Stop the exchange first. The backup is copied beside the old files and verified there; only then are the
old files moved to a folder replaced-… in the data directory, and the new ones into their place. Killed at
any point, the directory starts with the old or the new exchange. The operator's key stays. Delete the
folder when you no longer need it.

With --to or --to-sequence the exchange is restored as it was then: the journal is replayed up to the last
batch at or before that moment, from the backup named, from the earliest one that contains it, or with --from
from a data directory, which is only read. It gets an id of its own, and the accounts as the backup has them.

From a replica, to which an exchange with --replicate-to copies its journal, it is restored to the last batch
there, unless a point is given. With --take-over the replica ends there: the exchange that wrote it stops at
its next batch, if it still runs, and cannot be started with that replica again.

Exit codes: 0 restored, 1 refused or failed and nothing was changed, 2 wrong use.`,
  )
  return addPoint(addIdentity(addStore(made)))
    .addOption(option('--overwrite', 'replace the exchange that is there, setting its files aside'))
    .action(printing(restore))
}

async function restore(text: string | undefined, options: PointOptions, made: Command): Promise<string> {
  const point = pointOf(options)
  return withStore(made, async open => {
    if (point !== undefined) return restorePoint(text, point, options, open)
    if (text === undefined) throw new UsageError('usage: raay backup restore <name|latest>, or --to <moment>')
    const { store, directory } = open
    const { listBackups } = await import('../../../backup/backup-list.js')
    const { findBackup } = await import('../../../backup/find-backup.js')
    const { restoreBackup } = await import('../../../backup/restore-backup.js')
    const { examineCopy } = await import('../../../backup/examination.js')
    const backup = findBackup(await listBackups(store), text, store.place)
    const restored = await restoreBackup(store, backup, {
      directory,
      overwrite: options.overwrite === true,
      now: Date.now,
      examine: examineCopy,
    })
    return options.json ? json(restoredView(restored)) : restoredText(restored, directory)
  })
}

function restoredView({ backup, verification, aside }: RestoredBackup) {
  return {
    name: backup.name,
    sequence: backup.manifest?.sequence ?? null,
    verification,
    aside: aside ?? null,
  }
}

function restoredText({ backup, aside }: RestoredBackup, data: string): string {
  const batch = backup.manifest === undefined ? '' : `, as of batch ${backup.manifest.sequence}`
  const old = aside === undefined ? '' : `The files of the replaced exchange are in ${printable(aside)}.\n`
  const next = `Start it with raay start --data ${printable(data)}\n`
  return `Verified and restored ${backup.name}${batch}.\n${old}${next}`
}
