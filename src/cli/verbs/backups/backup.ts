import type { Command } from '../../make-command.js'
import { command, note } from '../../make-command.js'
import { createCommand } from './backup-create.js'
import { keyCommand } from './backup-key.js'
import { listCommand } from './backup-list.js'
import { pruneCommand } from './backup-prune.js'
import { restoreCommand } from './backup-restore.js'
import { verifyCommand } from './backup-verify.js'

/** `raay backup <action> …`: without an action it is `create`. */
export function backupCommand(): Command {
  const made = command('backup', 'make backups of a running exchange; list, verify and restore them', [
    'raay backup',
    'raay backup list',
    'raay backup verify latest',
  ])
  note(
    made,
    `Without an action, create. A backup has a name, such as raay-20261121T180000.000Z, and up to four files
in backups/ in the data directory, or where --backup-to says: tables and journal in one .db, the accounts in
an .access.db, the site in a .site.db, and a manifest in a .json, which is written last. create asks a running
exchange; the other actions work on the files.

Exit codes: 0 done, 1 failed or not in order, 2 wrong use.`,
  )
  return made
    .addCommand(createCommand(), { isDefault: true })
    .addCommand(listCommand())
    .addCommand(verifyCommand())
    .addCommand(restoreCommand())
    .addCommand(pruneCommand())
    .addCommand(keyCommand())
}
