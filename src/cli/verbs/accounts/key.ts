import type { ApiKey, Scope } from '../../../client/node-client.js'
import { UsageError } from '../../exit-errors.js'
import { moment } from '../../input/moment-option.js'
import { wholeNumber } from '../../input/number.js'
import type { Command } from '../../make-command.js'
import { command, note } from '../../make-command.js'
import { option } from '../../options.js'
import { json, printing } from '../../run-verb.js'
import { printable } from '../../terminal/printable.js'
import { minute, shortened, table } from '../../terminal/table.js'
import type { Connection } from '../../with-exchange.js'
import { addConnection, withExchange } from '../../with-exchange.js'

const NAME_LENGTH = 40
const SCOPES: readonly string[] = ['read', 'trade', 'money', 'operate'] satisfies Scope[]

interface CreateOptions extends Connection {
  readonly name: string
  readonly scopes: readonly Scope[]
  readonly addresses?: readonly string[]
  readonly expires?: string
}

/** `raay key <action> …`: API keys for bots, in `accounts` mode. */
export function keyCommand(): Command {
  const made = command('key', 'create, list and revoke API keys', [
    'raay key create asha --name quotes --scopes read,trade',
    'raay key list asha',
    'raay key revoke asha 7',
  ])
  note(
    made,
    `A program sends its key as Authorization: Bearer <key>, or as the option token of raay/client.

Exit codes: 0 done, 1 refused or not reachable, 2 wrong use.`,
  )
  return made.addCommand(createCommand()).addCommand(listCommand()).addCommand(revokeCommand())
}

function createCommand(): Command {
  return addConnection(
    command('create', 'make a key and print it; it is shown only once', [
      'raay key create asha --name quotes --scopes read,trade --expires +90d',
      'raay key create asha --name office --scopes read --addresses 203.0.113.0/24',
    ])
      .argument('<userid>')
      .addOption(option('--name <text>', 'what the key is for').default('bot'))
      .addOption(
        option('--scopes <list>', 'rights, separated by commas: read, trade, money, operate')
          .default(['read', 'trade'], 'read,trade')
          .argParser(scopesIn),
      )
      .addOption(
        option('--addresses <list>', 'addresses and networks from which it may be used').argParser(wordsIn),
      )
      .addOption(
        option('--expires <when>', 'when it expires, such as +90d; by default never').argParser(
          moment('--expires'),
        ),
      ),
  ).action(printing(create))
}

function listCommand(): Command {
  return addConnection(
    command('list', 'list the keys of a user, newest first', ['raay key list asha --json']).argument(
      '<userid>',
    ),
  ).action(
    printing(async (user: string, options: Connection) => {
      const keys = await withExchange(options, ({ accounts }) => accounts.fetchKeys({ user }))
      return options.json ? json(keys) : keyTable(keys)
    }),
  )
}

function revokeCommand(): Command {
  return addConnection(
    command('revoke', 'revoke a key; its connections end', ['raay key revoke asha 7'])
      .argument('<userid>')
      .argument('<id>', 'as raay key list shows it', wholeNumber('the id', 1, Number.MAX_SAFE_INTEGER)),
  ).action(
    printing(async (user: string, id: number, options: Connection) => {
      await withExchange(options, ({ accounts }) => accounts.revokeKey(id, { user }))
      return options.json ? json({ id }) : `Revoked key ${id}\n`
    }),
  )
}

async function create(user: string, options: CreateOptions): Promise<string> {
  const { name, scopes, addresses, expires } = options
  const made = await withExchange(options, ({ accounts }) =>
    accounts.createKey({
      user,
      name,
      scopes,
      ...(addresses !== undefined && { addresses }),
      ...(expires !== undefined && { expires_at: expires }),
    }),
  )
  if (options.json) return json(made)
  process.stderr.write(`key ${made.id}, shown only now:\n`)
  return `${made.key}\n`
}

function scopesIn(text: string): readonly string[] {
  const scopes = wordsIn(text)
  const wrong = scopes.find(scope => !SCOPES.includes(scope))
  if (wrong === undefined) return scopes
  throw new UsageError(`"${wrong}" is not a scope: give some of ${SCOPES.join(', ')}, separated by commas`)
}

function wordsIn(text: string): readonly string[] {
  return text.split(',').map(word => word.trim())
}

/** Formats API keys as a table with one line each. */
function keyTable(keys: readonly ApiKey[]): string {
  const rows = keys.map(({ id, name, scopes, addresses, expires_at, last_used_at }) => [
    String(id),
    shortened(printable(name), NAME_LENGTH),
    scopes.join(','),
    addresses === null ? 'all' : printable(addresses.join(',')),
    expires_at === null ? 'never' : minute(expires_at),
    last_used_at === null ? '-' : minute(last_used_at),
  ])
  return table(
    [['id', 'name', 'scopes', 'addresses', 'expires (UTC)', 'last used (UTC)'], ...rows],
    ['right'],
  )
}
