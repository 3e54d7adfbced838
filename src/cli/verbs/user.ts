import { randomUUID } from 'node:crypto'
import { numberOf, wholeNumber } from '../input/number.js'
import { limitedRows } from '../limited-rows.js'
import type { Command } from '../make-command.js'
import { command, note } from '../make-command.js'
import { option } from '../options.js'
import { json, printing } from '../run-verb.js'
import type { Connection } from '../with-exchange.js'
import { addConnection, withExchange } from '../with-exchange.js'
import { limitCommands } from './accounts/limit-commands.js'
import { accountCommands } from './accounts/user-accounts.js'
import { transferLine, userSheet, userTable } from './user-text.js'

const LIST_LENGTH = 1000
const LIST_LENGTH_MAX = 1_000_000

interface ListOptions extends Connection {
  readonly limit: number
}

interface TransferOptions extends Connection {
  readonly txnId?: string
}

/** `raay user <action> …`: users, their money and their limits. */
export function userCommand(): Command {
  const made = command(
    'user',
    'list users, show one, move play money, suspend and limit; add accounts and change them',
    [
      'raay user list',
      'raay user show asha --json',
      'raay user credit asha 500 --txn-id prize-2026-11-21',
      'raay user add asha --role trader',
    ],
  )
  note(
    made,
    `All actions but show are for operators. add, passwd, role, disable and enable need an exchange that was
started with --auth accounts. A password is typed, or read from stdin; it is never an argument.

Exit codes: 0 done, 1 refused or not reachable, 2 wrong use.`,
  )
  for (const action of [...accountCommands(), ...limitCommands()]) made.addCommand(action)
  return made
    .addCommand(listCommand())
    .addCommand(showCommand())
    .addCommand(transferCommand('credit', 'deposit play money; creates the user if new'))
    .addCommand(transferCommand('debit', 'withdraw play money, up to the available balance'))
}

function listCommand(): Command {
  const limit = option('--limit <n>', `how many users to show, 1 to ${LIST_LENGTH_MAX}`)
    .default(LIST_LENGTH)
    .argParser(wholeNumber('--limit', 1, LIST_LENGTH_MAX))
  return addConnection(
    command('list', 'list all users with their balances, oldest first', [
      'raay user list --limit 5000',
    ]).addOption(limit),
  ).action(printing(list))
}

function showCommand(): Command {
  return addConnection(
    command('show', "show one user's money and contracts", ['raay user show asha']).argument('<userid>'),
  ).action(printing(show))
}

function transferCommand(action: 'credit' | 'debit', description: string): Command {
  return addConnection(
    command(action, description, [`raay user ${action} asha 500 --txn-id ${action}-2026-11-21`])
      .argument('<userid>')
      .argument('<rupees>')
      .addOption(
        option('--txn-id <name>', 'name of the transfer, which is made once only (default: a random one)'),
      ),
  ).action(
    printing((userid: string, rupees: string, options: TransferOptions) =>
      transfer(action, userid, rupees, options),
    ),
  )
}

async function list(options: ListOptions): Promise<string> {
  const users = await withExchange(options, client =>
    limitedRows(options.limit, LIST_LENGTH_MAX, 'first', limit => client.operator.fetchUsers({ limit })),
  )
  return options.json ? json(users) : userTable(users)
}

async function show(userid: string, options: Connection): Promise<string> {
  return withExchange(options, async client => {
    const balance = await client.fetchBalance({ userid })
    const positions = await client.fetchPositions({ userid })
    return options.json ? json({ ...balance, positions }) : userSheet(balance, positions)
  })
}

/** Makes a transfer under a name, so that repeating it with the same name is harmless. */
async function transfer(
  action: 'credit' | 'debit',
  userid: string,
  rupees: string,
  options: TransferOptions,
): Promise<string> {
  const { txnId = randomUUID() } = options
  const request = { amount: numberOf('the amount', rupees), txn_id: txnId }
  const receipt = await withExchange(
    options,
    ({ operator }) =>
      action === 'credit' ? operator.deposit(userid, request) : operator.withdraw(userid, request),
    { retryAdvice: `the transfer may have been made; repeat it with --txn-id ${txnId} to make it only once` },
  )
  return options.json ? json(receipt) : transferLine(receipt)
}
