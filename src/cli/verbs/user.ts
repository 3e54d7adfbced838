import { randomUUID } from 'node:crypto'
import type { Server } from '../client.js'
import { CallError, call, serverAt } from '../client.js'
import type { Action, Written } from '../flags.js'
import { readAction } from '../flags.js'
import { numberOf, wholeNumberOf } from '../input/number.js'
import { allPages } from '../pages.js'
import { answering, json } from '../run-verb.js'
import type { BalanceView, PositionView, TransferView } from './user-text.js'
import { transferLine, userSheet, userTable } from './user-text.js'

const LIST_LENGTH = '1000'
const LIST_LENGTH_MAX = 1_000_000

const ACTIONS: Readonly<Record<string, Action>> = {
  list: { words: '', texts: ['limit'] },
  show: { words: '<userid>' },
  credit: { words: '<userid> <rupees>', texts: ['txn-id'] },
  debit: { words: '<userid> <rupees>', texts: ['txn-id'] },
}

/** `raay user <action> …`: users and their money. */
export function user(argv: readonly string[]): Promise<void> {
  return answering(async () => {
    const written = readAction('user', ACTIONS, argv)
    const server = serverAt(written.texts.url, process.env)
    switch (written.action) {
      case 'list':
        return list(server, written)
      case 'show':
        return show(server, written)
      default:
        return transfer(server, written)
    }
  })
}

async function list(server: Server, { texts, switches }: Written): Promise<string> {
  const lengthMax = wholeNumberOf('--limit', texts.limit ?? LIST_LENGTH, 1, LIST_LENGTH_MAX)
  const { rows, hasMore } = await allPages<BalanceView>(server, '/portfolio', {}, 'users', lengthMax)
  if (hasMore) process.stderr.write(`the first ${lengthMax} only: --limit ${LIST_LENGTH_MAX} shows more\n`)
  return switches.json ? json(rows) : userTable(rows)
}

async function show(server: Server, { words: [id = ''], switches }: Written): Promise<string> {
  const path = `/portfolio/${encodeURIComponent(id)}`
  const balance = (await call(server, 'GET', `${path}/balance`)) as BalanceView
  const { positions } = (await call(server, 'GET', `${path}/positions`)) as { positions: PositionView[] }
  return switches.json ? json({ ...balance, positions }) : userSheet(balance, positions)
}

/** A transfer has a name, so that it is done once however often it is asked for. */
async function transfer(server: Server, { action, words, texts, switches }: Written): Promise<string> {
  const [id = '', rupees = ''] = words
  const txn_id = texts['txn-id'] ?? randomUUID()
  const body = { amount: numberOf('the amount', rupees), txn_id }
  const path = `/portfolio/${encodeURIComponent(id)}/${action === 'credit' ? 'deposit' : 'withdraw'}`
  try {
    const done = (await call(server, 'POST', path, body)) as TransferView
    return switches.json ? json(done) : transferLine(done)
  } catch (error) {
    if (!(error instanceof CallError && error.mayBeDone)) throw error
    const advice = `whether it was done is not known; the same again with --txn-id ${txn_id} counts once`
    throw new CallError(`${error.message}; ${advice}`)
  }
}
