import type { Command } from '../../make-command.js'
import { command, note } from '../../make-command.js'
import { json, printing } from '../../run-verb.js'
import type { Connection } from '../../with-exchange.js'
import { addConnection, withExchange } from '../../with-exchange.js'
import { linkLine } from './account-text.js'

/** `raay admin link`: signs an operator in to the pages. */
export function adminCommand(): Command {
  const made = command('admin', 'open the operator pages in a browser', ['raay admin link'])
  note(made, 'Exit codes: 0 done, 1 refused or not reachable, 2 wrong use.')
  return made.addCommand(
    addConnection(
      command('link', 'print a link that signs one browser in as operator, once, within 15 minutes', [
        'raay admin link --data /srv/raay',
      ]),
    ).action(
      printing(async (options: Connection) => {
        const link = await withExchange(options, ({ accounts }) => accounts.createAdminLink())
        return options.json ? json(link) : linkLine(link)
      }),
    ),
  )
}
