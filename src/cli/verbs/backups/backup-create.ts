import type { MadeBackup } from '../../../client/node-client.js'
import type { Command } from '../../make-command.js'
import { command, note } from '../../make-command.js'
import { json, printing } from '../../run-verb.js'
import { printable } from '../../terminal/printable.js'
import type { Connection } from '../../with-exchange.js'
import { addConnection, withExchange } from '../../with-exchange.js'
import { megabytes } from './backup-text.js'

const TIMEOUT_MS = 3_600_000

/** `raay backup create`: makes a running exchange copy its tables, journal and accounts. */
export function createCommand(): Command {
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
