import type { Account, PasswordReplaced, Role } from '../../../client/node-client.js'
import { UsageError } from '../../exit-errors.js'
import { readNewPassword } from '../../input/password.js'
import type { Command } from '../../make-command.js'
import { command } from '../../make-command.js'
import { choice, option } from '../../options.js'
import { json, printing } from '../../run-verb.js'
import type { Connection } from '../../with-exchange.js'
import { addConnection, withExchange } from '../../with-exchange.js'
import { accountLine, linkLine, ROLES } from './account-text.js'

interface AddOptions extends Connection {
  readonly role: Role
  readonly link?: true
}

interface PasswordOptions extends Connection {
  readonly link?: true
  readonly endKeys?: true
}

/** The actions of `raay user` about accounts, in `accounts` mode. */
export function accountCommands(): Command[] {
  return [
    addConnection(
      command('add', 'create an account; asks for a password, or reads it from stdin', [
        'raay user add asha',
        'raay user add ravi --role operator --link',
      ])
        .argument('<userid>')
        .addOption(choice('--role <role>', 'viewer, trader, operator or admin', ROLES).default('trader'))
        .addOption(linkOption()),
    ).action(printing(add)),
    addConnection(
      command('passwd', 'set a new password; all sessions of the account end', [
        'raay user passwd asha',
        'raay user passwd asha --link',
        'raay user passwd asha --end-keys',
      ])
        .argument('<userid>')
        .addOption(linkOption())
        .addOption(
          option('--end-keys', 'revoke the API keys, too, also those that the account made for others'),
        ),
    ).action(printing(changePassword)),
    addConnection(
      command('role', 'change the role of an account', ['raay user role asha operator'])
        .argument('<userid>')
        .argument('<role>', 'viewer, trader, operator or admin', roleIn),
    ).action(
      printing((userid: string, role: Role, options: Connection) =>
        changed(options, accounts => accounts.setRole(userid, role)),
      ),
    ),
    simple('disable', 'refuse an account: its sessions end, and its keys are refused'),
    simple('enable', 'let a disabled account in again'),
  ]
}

function roleIn(text: string): Role {
  const role = ROLES.find(known => known === text)
  if (role !== undefined) return role
  throw new UsageError(`"${text}" is not a role: give viewer, trader, operator or admin`)
}

type Accounts = Parameters<Parameters<typeof withExchange>[1]>[0]['accounts']

function linkOption() {
  return option('--link', 'print a link with which the user chooses a password, once, within a day')
}

function simple(name: 'disable' | 'enable', description: string): Command {
  return addConnection(command(name, description, [`raay user ${name} asha`]).argument('<userid>')).action(
    printing((userid: string, options: Connection) => changed(options, accounts => accounts[name](userid))),
  )
}

async function add(userid: string, options: AddOptions): Promise<string> {
  const { role, link } = options
  const password = link ? undefined : await readNewPassword()
  return withExchange(options, async ({ accounts }) => {
    const made = await accounts.createAccount({
      name: userid,
      role,
      ...(password !== undefined && { password }),
    })
    if (!link) return options.json ? json(made) : accountLine(made)
    return linked(options, accounts, userid)
  })
}

async function changePassword(userid: string, options: PasswordOptions): Promise<string> {
  const { link, endKeys: end_keys = false } = options
  if (link && end_keys) throw new UsageError('give --link or --end-keys: who opens a link chooses about keys')
  const password = link ? undefined : await readNewPassword()
  return withExchange(options, async ({ accounts }) => {
    if (password === undefined) return linked(options, accounts, userid)
    const { url } = await accounts.createRecoveryLink(userid)
    const token = url.slice(url.indexOf('=') + 1)
    const { keys, keys_ended } = await accounts.recover(token, password, { end_keys })
    if (options.json) return json({ name: userid, keys, keys_ended })
    return `The password is changed; all sessions have ended.\n${keysLine(keys, keys_ended)}`
  })
}

/** Says which keys still work after a new password, and how many were revoked. */
function keysLine(keys: PasswordReplaced['keys'], ended: number): string {
  if (ended > 0) return `API keys revoked: ${ended}.\n`
  if (keys.length === 0) return ''
  const named = keys.map(({ id, name, user }) => `${id} "${name}" of ${user}`).join(', ')
  return `API keys that still work: ${named}. Revoke one with raay key revoke, or all with --end-keys.\n`
}

async function linked(options: Connection, accounts: Accounts, userid: string): Promise<string> {
  const link = await accounts.createRecoveryLink(userid)
  return options.json ? json(link) : linkLine(link)
}

async function changed(
  options: Connection,
  change: (accounts: Accounts) => Promise<Account>,
): Promise<string> {
  const account = await withExchange(options, ({ accounts }) => change(accounts))
  return options.json ? json(account) : accountLine(account)
}
