import type { Session } from '../../../client/node-client.js'
import { wholeNumber } from '../../input/number.js'
import type { Command } from '../../make-command.js'
import { command, note } from '../../make-command.js'
import { option } from '../../options.js'
import { json, printing } from '../../run-verb.js'
import { printable } from '../../terminal/printable.js'
import { minute, shortened, table } from '../../terminal/table.js'
import type { Connection } from '../../with-exchange.js'
import { addConnection, withExchange } from '../../with-exchange.js'
import { linkLine } from './account-text.js'

const BROWSER_LENGTH = 40

/** The sessions that are meant: of a user, or of operators without an account. */
interface SessionOptions extends Connection {
  readonly user?: string
}

/** `raay admin <action>`: signs an operator in to the pages; lists and ends sessions. */
export function adminCommand(): Command {
  const made = command('admin', 'open the operator pages in a browser; list and end sessions', [
    'raay admin link',
    'raay admin sessions',
    'raay admin end 12',
  ])
  note(made, 'Exit codes: 0 done, 1 refused or not reachable, 2 wrong use.')
  return made.addCommand(linkCommand()).addCommand(sessionsCommand()).addCommand(endCommand())
}

function linkCommand(): Command {
  return addConnection(
    command('link', 'print a link that signs one browser in as operator, once, within 15 minutes', [
      'raay admin link --data /srv/raay',
    ]),
  ).action(
    printing(async (options: Connection) => {
      const link = await withExchange(options, ({ accounts }) => accounts.createAdminLink())
      return options.json ? json(link) : linkLine(link)
    }),
  )
}

function sessionsCommand(): Command {
  return addConnection(
    addUser(
      command('sessions', 'list the sessions of operators without an account, or of a user', [
        'raay admin sessions',
        'raay admin sessions --user asha --json',
      ]),
    ),
  ).action(
    printing(async (options: SessionOptions) => {
      const sessions = await withExchange(options, ({ accounts }) => accounts.fetchSessions(ownerIn(options)))
      return options.json ? json(sessions) : sessionTable(sessions)
    }),
  )
}

function endCommand(): Command {
  return addConnection(
    addUser(
      command('end', 'end a session, and those that its links opened', [
        'raay admin end 12',
        'raay admin end 12 --user asha',
      ]).argument(
        '<id>',
        'as raay admin sessions shows it',
        wholeNumber('the id', 1, Number.MAX_SAFE_INTEGER),
      ),
    ),
  ).action(
    printing(async (id: number, options: SessionOptions) => {
      await withExchange(options, ({ accounts }) => accounts.endSession(id, ownerIn(options)))
      return options.json ? json({ id }) : `Ended session ${id}\n`
    }),
  )
}

function addUser(made: Command): Command {
  return made.addOption(option('--user <userid>', 'the account whose sessions are meant'))
}

function ownerIn({ user }: SessionOptions): { readonly user: string } | { readonly operator: true } {
  return user === undefined ? { operator: true } : { user }
}

/** Formats sessions as a table with one line each. */
function sessionTable(sessions: readonly Session[]): string {
  const rows = sessions.map(({ id, opened_by, last_used_at, expires_at, address, browser }) => [
    String(id),
    opened_by ?? 'sign-in',
    minute(last_used_at),
    minute(expires_at),
    printable(address),
    shortened(printable(browser), BROWSER_LENGTH),
  ])
  return table(
    [['id', 'opened by', 'last used (UTC)', 'ends (UTC)', 'address', 'browser'], ...rows],
    ['right'],
  )
}
