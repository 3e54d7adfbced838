import { backupView } from '../../../api/operator/backup-view.js'
import type { Command } from '../../make-command.js'
import { command, note } from '../../make-command.js'
import { json, printing } from '../../run-verb.js'
import { backupTable } from './backup-text.js'
import type { JsonOption } from './with-store.js'
import { addStore, withStore } from './with-store.js'

/** `raay backup list`: the backups in a store, newest first. */
export function listCommand(): Command {
  const made = command('list', 'list backups, newest first', ['raay backup list --data /srv/raay'])
  note(
    made,
    `Shows the newest 1000, whether an exchange runs or not. "verified" is the result of the last
verification. "unfinished" is a backup without a manifest: it was interrupted, or an older version made
it. raay backup verify completes it if it is in order.`,
  )
  return addStore(made).action(printing(list))
}

async function list(options: JsonOption, made: Command): Promise<string> {
  return withStore(made, async ({ store }) => {
    const { listBackups } = await import('../../../backup/backup-list.js')
    const backups = (await listBackups(store)).map(backupView)
    if (options.json) return json(backups)
    return backups.length === 0 ? `no backups in ${store.place}\n` : backupTable(backups, Date.now())
  })
}
