import { backupView } from '../../../api/operator/backup-view.js'
import type { Command } from '../../make-command.js'
import { command, note } from '../../make-command.js'
import { option } from '../../options.js'
import { json, printing } from '../../run-verb.js'
import { settingOption } from '../../settings-options.js'
import { megabytes } from './backup-text.js'
import type { JsonOption } from './with-store.js'
import { addStore, withStore } from './with-store.js'

interface PruneOptions extends JsonOption {
  readonly all?: true
  readonly dryRun?: true
}

/** `raay backup prune`: deletes the backups that the rules do not keep. */
export function pruneCommand(): Command {
  const made = command('prune', 'delete the backups that the rules do not keep', [
    'raay backup prune --dry-run',
    'raay backup prune --all --backup-keep hourly=24,daily=7,weekly=4',
  ])
  note(
    made,
    `For each of the last hours, days, weeks and months with a backup, as many as the rules say, the newest is
kept, a verified one before others; periods are in UTC. Only scheduled backups are deleted, unless --all is
given. The newest verified backup of an exchange, and what is unfinished, is never deleted; and nothing is
while no backup is verified.

Exit codes: 0 done, 1 failed, 2 wrong use.`,
  )
  return addStore(made)
    .addOption(settingOption('backup-keep'))
    .addOption(option('--all', 'also delete backups made by hand'))
    .addOption(option('--dry-run', 'only print what would be deleted'))
    .action(printing(prune))
}

async function prune(options: PruneOptions, made: Command): Promise<string> {
  return withStore(made, async ({ store, values }) => {
    const rules = values.read('backup-keep')
    const { pruneBackups } = await import('../../../backup/prune-backups.js')
    const [all, dryRun] = [options.all === true, options.dryRun === true]
    const pruned = await pruneBackups(store, { rules, all, dryRun, now: Date.now() })
    if (options.json) return json(pruned.map(backupView))
    const lines = pruned.map(({ name, bytes }) => `${name} (${megabytes(bytes)})\n`)
    const count = `${pruned.length} ${pruned.length === 1 ? 'backup' : 'backups'}`
    return `${lines.join('')}${dryRun ? 'would delete' : 'deleted'} ${count}\n`
  })
}
