import type { Invitation, Role } from '../../../client/node-client.js'
import { moment } from '../../input/moment-option.js'
import { wholeNumber } from '../../input/number.js'
import type { Command } from '../../make-command.js'
import { command, note } from '../../make-command.js'
import { choice, option } from '../../options.js'
import { json, printing } from '../../run-verb.js'
import { printable } from '../../terminal/printable.js'
import { minute, table } from '../../terminal/table.js'
import type { Connection } from '../../with-exchange.js'
import { addConnection, withExchange } from '../../with-exchange.js'
import { linkLine, ROLES } from './account-text.js'

interface CreateOptions extends Connection {
  readonly role: Role
  readonly name?: string
  readonly expires?: string
}

/** `raay invite <action> …`: links with which people sign up, in `accounts` mode. */
export function inviteCommand(): Command {
  const made = command('invite', 'invite people to sign up, and list and revoke invitations', [
    'raay invite create',
    'raay invite create --role operator --name lena --expires +1d',
    'raay invite revoke 3',
  ])
  note(made, 'Exit codes: 0 done, 1 refused or not reachable, 2 wrong use.')
  return made.addCommand(createCommand()).addCommand(listCommand()).addCommand(revokeCommand())
}

function createCommand(): Command {
  return addConnection(
    command('create', 'make a link with which one person signs up', [
      'raay invite create --name asha         asha, who has traded here before, gets an account',
    ])
      .addOption(choice('--role <role>', 'viewer, trader, operator or admin', ROLES).default('trader'))
      .addOption(option('--name <userid>', 'reserves a name, also that of a user who exists'))
      .addOption(
        option('--expires <when>', 'when it expires, such as +1d; by default in 7 days').argParser(
          moment('--expires'),
        ),
      ),
  ).action(
    printing(async (options: CreateOptions) => {
      const { role, name, expires } = options
      const made = await withExchange(options, ({ accounts }) =>
        accounts.createInvitation({
          role,
          ...(name !== undefined && { name }),
          ...(expires !== undefined && { expires_at: expires }),
        }),
      )
      return options.json ? json(made) : linkLine(made)
    }),
  )
}

function listCommand(): Command {
  return addConnection(
    command('list', 'list the invitations that nobody has used yet', ['raay invite list --json']),
  ).action(
    printing(async (options: Connection) => {
      const found = await withExchange(options, ({ accounts }) => accounts.fetchInvitations())
      return options.json ? json(found) : invitationTable(found)
    }),
  )
}

function revokeCommand(): Command {
  return addConnection(
    command('revoke', 'withdraw an invitation', ['raay invite revoke 3']).argument(
      '<id>',
      'as raay invite list shows it',
      wholeNumber('the id', 1, Number.MAX_SAFE_INTEGER),
    ),
  ).action(
    printing(async (id: number, options: Connection) => {
      await withExchange(options, ({ accounts }) => accounts.withdrawInvitation(id))
      return options.json ? json({ id }) : `Withdrew invitation ${id}\n`
    }),
  )
}

/** Formats invitations as a table with one line each. */
function invitationTable(invitations: readonly Invitation[]): string {
  const rows = invitations.map(({ id, role, name, made_by, expires_at }) => [
    String(id),
    role,
    name === null ? 'any' : printable(name),
    printable(made_by),
    minute(expires_at),
  ])
  return table([['id', 'role', 'for', 'by', 'expires (UTC)'], ...rows], ['right'])
}
