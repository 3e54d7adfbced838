import type { Test } from 'tap'
import t from 'tap'
import type { Command, CreateOrder } from '../../src/core/command.js'
import { newOrdersOf } from '../../src/core/command.js'
import { EXTERNAL } from '../../src/core/ledger.js'
import type { AccountNumber, TimeMs } from '../../src/core/units.js'
import { amount, lots } from '../../src/core/units.js'
import { Balances } from '../../src/shard/balances.js'
import type { BatchRunner } from '../../src/shard/batch-runner.js'
import { openRunner } from '../../src/shard/batch-runner.js'
import { writeCommands } from '../../src/store/command-text.js'
import { openReadOnly } from '../../src/store/database.js'
import type { JournalRow } from '../../src/store/journal.js'
import { AccountRows } from '../../src/store/rows/account-rows.js'
import { WriteLock } from '../../src/store/write-lock.js'
import { MARKET, START, TestExchange } from '../fixtures/test-exchange.js'

interface Guarded {
  readonly writeLock: WriteLock
  readonly runner: BatchRunner
  /** An order of asha's, as the desk has admitted it. */
  readonly order: CreateOrder
  /** The order of ben's. */
  readonly seller: CreateOrder
  /** The batches in the journal. */
  readonly batches: () => number
}

/** A shard on the files of an exchange in which asha has bought 3 of ben; without the desk in front of it. */
async function openGuarded(t: Test, decided?: (row: JournalRow) => void): Promise<Guarded> {
  const test = await TestExchange.open(t)
  await test.create()
  await test.playAll(['ben sell 3 @ 5', 'asha buy 3 @ 5', 'asha buy 1 @ 4'])
  const orders = test.journalled().flatMap(newOrdersOf)
  await test.close()
  const balances = new Balances()
  const tables = openReadOnly(test.file)
  for (const { number, cash, held } of new AccountRows(tables).filled()) balances.set(number, cash, held)
  tables.close()
  const writeLock = new WriteLock()
  const shard = openRunner(test.file, { writeLock, balances, decided }, { index: 0, count: 1 })
  t.teardown(shard.close)
  const order = { ...(orders.at(-1) as CreateOrder), id: 'doctored', number: 100 as CreateOrder['number'] }
  const batches = () => {
    const database = openReadOnly(test.file)
    const [count] = database.prepare('SELECT count(*) FROM whole_journal').raw().get() as [number]
    database.close()
    return count
  }
  return { writeLock, runner: shard.runner, order, seller: orders[0] as CreateOrder, batches }
}

function run(runner: BatchRunner, ...commands: readonly Command[]): void {
  runner.run(START as TimeMs, writeCommands(commands))
}

t.test('a batch within all balances is committed', async t => {
  const { runner, order, batches } = await openGuarded(t)
  const before = batches()
  run(runner, order)
  t.equal(batches(), before + 1)
})

t.test(
  'a batch that a log elsewhere may have, and that is not committed, lets no other shard commit',
  async t => {
    for (const isReplicated of [true, false]) {
      const told: JournalRow[] = []
      const { runner, order, batches, writeLock } = await openGuarded(
        t,
        isReplicated
          ? row => {
              told.push(row)
              throw new Error('the disk is full')
            }
          : undefined,
      )
      const before = batches()
      const doctored = isReplicated ? order : { ...order, account: 9999 as AccountNumber }
      t.throws(() => run(runner, doctored))
      t.equal(told.length, isReplicated ? 1 : 0)
      t.equal(batches(), before)
      const [tickets, serving] = new Int32Array(writeLock.memory)
      t.equal(
        serving,
        isReplicated ? 0 : tickets,
        isReplicated ? 'the lock is kept' : 'the lock is passed on',
      )
    }
  },
)

/** Commands that the desk never lets through, and what the shard says to them. */
const DOCTORED: Readonly<Record<string, (order: CreateOrder) => readonly [Command, RegExp]>> = {
  'an order that holds more than its account has': order => [
    { ...order, admission: { ...order.admission, hold: amount(1e9), quantity: lots(2e6) } as never },
    /account \d+ holds \d+ of \d+/,
  ],
  'an order that sells contracts which its account does not have': order => [
    {
      ...order,
      data: { ...order.data, side: 'no' },
      admission: {
        ...order.admission,
        price: 600,
        quantity: lots(1000),
        covered: lots(1000),
        hold: amount(0),
      } as never,
    },
    /account \d+ has 300 YES, 1000 locked/,
  ],
  'a withdrawal of more than the cash': ({ account }) => [
    { type: 'TRANSFER_MONEY', id: 'x', txnId: 'x', direction: 'withdrawal', account, amount: amount(1e12) },
    /a statement line leaves account \d+ with -\d+/,
  ],
  'a transfer of nothing': ({ account }) => [
    { type: 'TRANSFER_MONEY', id: 'x', txnId: 'x', direction: 'deposit', account, amount: amount(0) },
    /a transfer moves money/,
  ],
  'a deposit to an account that does not exist': () => [
    {
      ...{ type: 'TRANSFER_MONEY', id: 'x', txnId: 'x', direction: 'deposit' },
      ...{ account: 5000 as AccountNumber, amount: amount(1) },
    } as Command,
    /accounts that exist/,
  ],
  'an account that is open already': ({ account }) => [
    { type: 'OPEN_ACCOUNT', id: 'x', account, userId: 'asha', amount: amount(1) },
    /account \d+ is opened once/,
  ],
  'a merge of pairs that nobody has': ({ account }) => [
    { type: 'MERGE_PAIRS', id: 'x', market: MARKET, account, quantity: lots(100) },
    /account \d+ has 200 YES, 0 locked, -100 NO/,
  ],
}

for (const [name, doctor] of Object.entries(DOCTORED)) {
  t.test(`${name} is not committed`, async t => {
    const { runner, order, batches } = await openGuarded(t)
    const before = batches()
    const [command, message] = doctor(order)
    t.throws(() => run(runner, command), { message })
    t.equal(batches(), before, 'the journal has nothing of it')
  })
}

/** Both sell their three contracts to each other: positions of a market that are empty. */
function burn(order: CreateOrder, seller: CreateOrder): readonly Command[] {
  const covered = { price: 500, quantity: lots(300), covered: lots(300), hold: amount(0) }
  return [order, seller].map((given, index) => ({
    ...given,
    id: `burn${index}`,
    number: (200 + index) as CreateOrder['number'],
    data: { ...given.data, side: index === 0 ? 'no' : 'yes' },
    admission: covered as never,
  }))
}

t.test('a shard keeps no positions of a market that has an outcome', async t => {
  for (const outcome of ['void', 'yes'] as const) {
    for (const isEmpty of [true, false]) {
      const { runner, order, seller } = await openGuarded(t)
      run(runner, ...(isEmpty ? burn(order, seller) : []), ...burn(order, seller).slice(0, isEmpty ? 0 : 1))
      t.ok(runner.positionsCount > 0, 'positions that change are kept')
      const market = MARKET
      run(
        runner,
        { type: 'MOVE_MARKET', id: 'close', market, to: 'closed' },
        { type: 'RESOLVE_MARKET', id: 'resolve', market, outcome },
      )
      const paid = { [order.account]: 15_0000, [seller.account]: 15_0000 }
      const positions = [order.account, seller.account].map((account, index) => {
        const [yes, no] = index === 0 ? [300, 0] : [0, 300]
        return [account, lots(yes ?? 0), lots(no ?? 0), paid[account] ?? 0, amount(0)] as const
      })
      if (!isEmpty) run(runner, { type: 'SETTLE_POSITIONS', id: 'settle', market, positions })
      t.equal(runner.positionsCount, 0, `${outcome}, ${isEmpty ? 'empty' : 'settled'}`)
    }
  }
})

t.test('balances grow with the accounts, and every view of the memory sees it', t => {
  const balances = new Balances()
  const view = new Balances(balances.memory)
  const far = 100_000 as AccountNumber
  view.set(far, 500, 200)
  const posting = (account: AccountNumber, held: number) => ({ account, cash: 0, held })
  balances.post([], { accounts: [posting(far, 300)], entries: [] })
  t.throws(() => view.post([], { accounts: [posting(far, 1)], entries: [] }), /holds 501 of 500/)
  balances.post([], { accounts: [{ account: EXTERNAL, cash: -1e15, held: 0 }], entries: [] })
  t.pass('external may be below zero')
  t.end()
})

t.test('a line below zero is refused even if a later one brings the money', t => {
  const balances = new Balances()
  const account = 9 as AccountNumber
  balances.set(account, 10, 0)
  const entries = [
    { account, kind: 'withdrawal', change: -11 },
    { account, kind: 'deposit', change: 20 },
  ] as const
  t.throws(
    () => balances.post([], { accounts: [{ account, cash: 9, held: 0 }], entries }),
    /a statement line leaves account 9 with -1/,
  )
  balances.post([], { accounts: [{ account, cash: 9, held: 0 }], entries: [...entries].reverse() })
  t.end()
})
