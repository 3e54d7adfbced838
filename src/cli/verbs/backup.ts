import type { MadeBackup } from '../../client/node-client.js'
import type { Command } from '../make-command.js'
import { command, note } from '../make-command.js'
import { json, printing } from '../run-verb.js'
import { printable } from '../terminal/printable.js'
import type { Connection } from '../with-exchange.js'
import { addConnection, withExchange } from '../with-exchange.js'

const TIMEOUT_MS = 3_600_000
const BYTES_PER_MB = 1_000_000

/** `raay backup`: makes a running exchange copy its tables and journal into one file. */
export function backupCommand(): Command {
  const made = command('backup', 'copy tables and journal of a running exchange into one file', [
    'raay backup',
    'raay verify --data data/backups/raay-20261121T180000.000Z.db',
  ])
  note(
    made,
    `The copy is stored in backups/ in the data directory; trading goes on meanwhile. To restore it, stop the
exchange and put it in the place of raay.db: a journal.db left beside it adds what came after the copy.
With --json the command prints the file, its size and the last batch in it. It sends RAAY_ADMIN_TOKEN if
that is set.

Exit codes: 0 copied, 1 failed, 2 wrong use.`,
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
  return `${printable(file)} (${(bytes / BYTES_PER_MB).toFixed(1)} MB), as of batch ${sequence}\n`
}
