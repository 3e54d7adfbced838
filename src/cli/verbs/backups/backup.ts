import { restoreCommand } from './backup-restore.js'
import { verifyCommand } from './backup-verify.js'
import type { OwnBatches } from '../../../backup/own-batches.js'
import type { MadeBackup } from '../../../client/node-client.js'
import type { Connection } from '../../with-exchange.js'
import { addConnection, withExchange } from '../../with-exchange.js'
import { megabytes, backupTable } from './backup-text.js'
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { TABLES_FILE } from '../../../store/files/journal-path.js'
import { Failure } from '../../exit-errors.js'
import { jsonOption, option } from '../../options.js'
import { printable } from '../../terminal/printable.js'
import { backupView } from '../../../api/operator/backup-view.js'
import type { Command } from '../../make-command.js'
import { command, note } from '../../make-command.js'
import { json, printing } from '../../run-verb.js'
import { settingOption } from '../../settings-options.js'
import type { JsonOption } from './with-store.js'
import { addStore, withStore } from './with-store.js'

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

const TIMEOUT_MS = 3_600_000

/** `raay backup create`: makes a running exchange copy its tables, journal and accounts. */
function createCommand(): Command {
  const made = command('create', 'back up a running exchange', ['raay backup create --json'])
  note(
    made,
    `Trading goes on meanwhile. The exchange verifies the backup afterwards, in a process of its own: see raay
backup list. With --json the command prints the backup as the API shows it. It sends RAAY_ADMIN_TOKEN if
that is set.

Exit codes: 0 made, 1 failed, 2 wrong use.`,
  )
  return addConnection(made).action(
    printing(async (options: Connection) => {
      const made = await withExchange(options, client => client.operator.makeBackup(), {
        timeoutMs: TIMEOUT_MS,
      })
      return options.json ? json(made) : backupLine(made)
    }),
  )
}

function backupLine({ file, bytes, sequence }: MadeBackup): string {
  return `${printable(file)} (${megabytes(bytes)}), as of batch ${sequence}\n`
}

/** `raay backup list`: the backups in a store, newest first. */
function listCommand(): Command {
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

/** `raay backup key`: makes a key pair for encrypted backups. */
function keyCommand(): Command {
  const made = command('key', 'make a key that opens encrypted backups', [
    'raay backup key ~/raay-backup.key',
  ])
  note(
    made,
    `Writes the secret key into a new file, which only its owner can read, and prints the public key: give
that to the exchange as --backup-recipient. Keep the file elsewhere, and a second copy of it: without it
nobody opens the backups, with it anyone does. It is a key of age (https://age-encryption.org): the program
age opens the backups as well.

Exit codes: 0 made, 1 failed, 2 wrong use.`,
  )
  return made.argument('<file>').addOption(jsonOption()).action(printing(makeKey))
}

async function makeKey(file: string, { json: isJson }: { readonly json?: true }): Promise<string> {
  const { makeIdentityFile } = await import('../../../backup/encryption/identity-file.js')
  const path = resolve(file)
  try {
    const recipient = await makeIdentityFile(path, Date.now())
    return isJson ? json({ file: path, recipient }) : `${printable(recipient)}\n`
  } catch (error) {
    throw new Failure(error instanceof Error ? error.message : String(error))
  }
}

interface PruneOptions extends JsonOption {
  readonly all?: true
  readonly dryRun?: true
}

/** `raay backup prune`: deletes the backups that the rules do not keep. */
function pruneCommand(): Command {
  const made = command('prune', 'delete the backups that the rules do not keep', [
    'raay backup prune --dry-run',
    'raay backup prune --all --backup-keep hourly=24,daily=7,weekly=4',
  ])
  note(
    made,
    `For each of the last hours, days, weeks and months with a backup, as many as the rules say, the newest is
kept, a verified one before others; periods are in UTC. Only scheduled backups are deleted, unless --all is
given. The newest verified backup of an exchange, and what is unfinished, is never deleted; and nothing is
while no backup is verified. The rules apply apart to backups of batches that a takeover lost: the journal in
the data directory tells them.

Exit codes: 0 done, 1 failed, 2 wrong use.`,
  )
  return addStore(made)
    .addOption(settingOption('backup-keep'))
    .addOption(option('--all', 'also delete backups made by hand'))
    .addOption(option('--dry-run', 'only print what would be deleted'))
    .action(printing(prune))
}

async function prune(options: PruneOptions, made: Command): Promise<string> {
  return withStore(made, async ({ store, directory, values }) => {
    const rules = values.read('backup-keep')
    const { pruneBackups } = await import('../../../backup/prune-backups.js')
    const [all, dryRun] = [options.all === true, options.dryRun === true]
    const own = await ownBatchesIn(directory)
    const work = pruneBackups(store, { rules, all, dryRun, now: Date.now(), own })
    const pruned = await work.finally(() => own?.close())
    if (options.json) return json(pruned.map(backupView))
    const lines = pruned.map(({ name, bytes }) => `${name} (${megabytes(bytes)})\n`)
    const count = `${pruned.length} ${pruned.length === 1 ? 'backup' : 'backups'}`
    return `${lines.join('')}${dryRun ? 'would delete' : 'deleted'} ${count}\n`
  })
}

/** Opens the journal in the data directory, if there is one. A full disk may not let it, and wants room. */
async function ownBatchesIn(directory: string): Promise<OwnBatches | undefined> {
  const file = join(directory, TABLES_FILE)
  if (!existsSync(file)) return undefined
  const { OwnBatches } = await import('../../../backup/own-batches.js')
  try {
    return new OwnBatches(file)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    process.stderr.write(
      `raay: ${printable(file)} cannot be read (${printable(reason)}): backups of batches that a takeover ` +
        'lost count like all others\n',
    )
    return undefined
  }
}
