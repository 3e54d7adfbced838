import type { Command } from './make-command.js'
import { command, note } from './make-command.js'
import { runVerb } from './run-verb.js'
import { accessCommand } from './verbs/accounts/access.js'
import { adminCommand } from './verbs/accounts/admin.js'
import { inviteCommand } from './verbs/accounts/invite.js'
import { keyCommand } from './verbs/accounts/key.js'
import { archiveCommand } from './verbs/archive.js'
import { backupCommand } from './verbs/backups/backup.js'
import { benchCommand } from './verbs/bench.js'
import { bookCommand } from './verbs/book.js'
import { configCommand } from './verbs/config/config.js'
import { demoCommand } from './verbs/demo.js'
import { doctorCommand } from './verbs/doctor.js'
import { eventCommand } from './verbs/event.js'
import { groupCommand } from './verbs/group.js'
import { seasonCommand } from './verbs/season.js'
import { exportCommand } from './verbs/export/export.js'
import { importCommand } from './verbs/export/import.js'
import { helpCommand } from './verbs/help.js'
import { initCommand } from './verbs/init.js'
import { journalCommand } from './verbs/journal.js'
import { licencesCommand } from './verbs/licences.js'
import { orderCommand } from './verbs/order.js'
import { promoteCommand } from './verbs/promote.js'
import { standbyCommand } from './verbs/standby.js'
import { startCommand } from './verbs/start.js'
import { userCommand } from './verbs/user.js'
import { verifyCommand } from './verbs/verify.js'
import { versionCommand, versionText } from './verbs/version.js'
import { webhookCommand } from './verbs/webhook.js'

/**
 * Runs `raay <verb> …`. Exit codes: 0 done, 1 failed, 2 wrong use, 70 stopped by a fault.
 */
export async function main(argv: readonly string[]): Promise<void> {
  // An empty variable counts as unset.
  for (const [name, value] of Object.entries(process.env)) {
    if (name.startsWith('RAAY_') && value === '') delete process.env[name]
  }
  const words = argv.length === 0 ? ['help'] : argv
  await runVerb(() => raay().parseAsync(words, { from: 'user' }))
}

function raay(): Command {
  const made = command('raay', 'an exchange for opinion trading, in one process and one file', [
    'raay start                                         http://127.0.0.1:3000, data in ./data',
    'raay start --port 8080 --data /srv/raay            another port and directory',
    'raay event create "Will it rain?" --end +2d        prints its code',
    'raay order place 1000001 buy 10 @ 6.5 --user asha  prints the result',
    'raay book 1000001                                  Ctrl+C ends it',
    'raay event close 1000001                           ends trading',
    'raay event resolve 1000001 yes                     pays the winners',
    'raay verify --data /srv/raay                       works while the exchange runs',
  ])
  note(
    made,
    `Each verb and action has its own help: raay help start, raay event resolve --help.
Guides: an exchange serves them at /docs/guides, such as http://127.0.0.1:3000/docs/guides.`,
  )
  made.version(versionText().trimEnd(), '-v, --version', 'print the versions of Raay and Node')
  for (const verb of [
    startCommand(),
    standbyCommand(),
    promoteCommand(),
    demoCommand(),
    eventCommand(),
    groupCommand(),
    seasonCommand(),
    webhookCommand(),
    orderCommand(),
    userCommand(),
    keyCommand(),
    inviteCommand(),
    adminCommand(),
    accessCommand(),
    bookCommand(),
    benchCommand(),
    configCommand(),
    doctorCommand(),
    initCommand(),
    backupCommand(),
    verifyCommand(),
    archiveCommand(),
    journalCommand(),
    exportCommand(),
    importCommand(),
    versionCommand(),
    licencesCommand(),
    helpCommand(),
  ]) {
    made.addCommand(verb)
  }
  return made
}
