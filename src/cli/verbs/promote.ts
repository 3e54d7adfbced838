import type { Command } from '../make-command.js'
import { command, note } from '../make-command.js'
import { json, printing } from '../run-verb.js'
import type { Connection } from '../with-exchange.js'
import { addConnection, withExchange } from '../with-exchange.js'

/** Longer than the exchange that leads may take to make way. */
const TIMEOUT_MS = 60_000

/** `raay promote`: makes a standby lead. */
export function promoteCommand(): Command {
  const made = command('promote', 'make a standby lead', [
    'raay promote --data /srv/raay',
    'raay promote --url https://standby.example.org',
  ])
  note(
    made,
    `Asks the standby that runs on --data, or at --url, to lead. One that follows a stream asks the exchange
that leads to make way: that one finishes its requests, releases its lease, and ends with exit code 0. One
that follows a directory or a bucket puts its first line there: the exchange that led stops with exit code 70
at its next copy, and what it had not copied is lost, so stop it first if it still runs.

Exit codes: 0 it leads, 1 it does not, 2 wrong use.`,
  )
  return addConnection(made).action(
    printing(async (options: Connection) => {
      const promoted = await withExchange(options, client => client.operator.promote(), {
        timeoutMs: TIMEOUT_MS,
      })
      return options.json ? json(promoted) : `leads from batch ${promoted.sequence}\n`
    }),
  )
}
