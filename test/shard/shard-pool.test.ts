import { join } from 'node:path'
import { BroadcastChannel } from 'node:worker_threads'
import type { Test } from 'tap'
import t from 'tap'
import type { Command } from '../../src/core/command.js'
import type { AccountNumber, MarketCode, OrderNumber, Sequence, TimeMs } from '../../src/core/units.js'
import { amount, lots, ticks } from '../../src/core/units.js'
import { FreshRows } from '../../src/exchange/reads/fresh-rows.js'
import { openThreadedLookups } from '../../src/exchange/reads/lookups.js'
import type { BatchResult } from '../../src/shard/batch-runner.js'
import { openAll } from '../../src/shard/open-all.js'
import { ShardPool } from '../../src/shard/shard-pool.js'
import { Telling } from '../../src/shard/telling.js'
import { WorkerThread } from '../../src/shard/worker-thread.js'
import { readCommands } from '../../src/store/command-text.js'
import { openDatabase, openReadOnly } from '../../src/store/database.js'
import { giveId } from '../../src/store/files/exchange-id.js'
import { splitJournal } from '../../src/store/files/journal-split.js'
import type { JournalRow } from '../../src/store/journal.js'
import { chainHash } from '../../src/store/journal.js'
import { migrateTables } from '../../src/store/tables-schema.js'
import { DEATH } from './dying-worker.js'

const CODES = [1_000_001, 1_000_002, 1_000_003, 1_000_004] as MarketCode[]
const ENTRY = new URL('./dying-worker.js', import.meta.url)

function createMarket(code: MarketCode): Command {
  const terms = {
    ...{
      code,
      payout: ticks(1000),
      tickSize: ticks(1),
      minBet: amount(0),
      maxBet: amount(1e9),
      capacity: lots(1000),
    },
    ...{ startAt: 0 as TimeMs, endAt: 1e15 as TimeMs, escrow: code as number as AccountNumber },
  }
  const texts = {
    id: `id${code}`,
    title: 't',
    slug: `s${code}`,
    description: '',
    sot: '',
    createdAt: 0 as TimeMs,
  }
  return { type: 'CREATE_MARKET', id: `m${code}`, terms, listing: texts, status: 'open' }
}

function openAccount(account: number): Command {
  const userId = `user${account}`
  return {
    type: 'OPEN_ACCOUNT',
    id: `a${account}`,
    account: account as AccountNumber,
    userId,
    amount: amount(100),
  }
}

interface Pool {
  readonly pool: ShardPool
  readonly file: string
  readonly results: BatchResult[]
  /** Resolves with the first error passed to `fail`. */
  readonly failed: Promise<Error>
}

async function openPool(t: Test, threads = true): Promise<Pool> {
  let [pool, isFailed]: [ShardPool | undefined, boolean] = [undefined, false]
  // A failed pool cannot be closed cleanly: its threads may be gone.
  t.teardown(() => (isFailed ? undefined : pool?.close()))
  const file = join(t.testdir(), 'raay.db')
  const database = openDatabase(file)
  migrateTables(database)
  giveId(database)
  splitJournal(database, file)
  database.close()
  const results: BatchResult[] = []
  let fail: (error: Error) => void = () => {}
  const failed = new Promise<Error>(resolve => {
    fail = error => {
      isFailed = true
      resolve(error)
    }
  })
  const settle = (_: readonly Command[], result: BatchResult) => {
    results.push(result)
  }
  pool = await ShardPool.open(file, {
    shardCount: 2,
    threads,
    telling: new Telling(),
    queueLengthMax: 5000,
    now: () => 7 as TimeMs,
    lastSequence: 0 as Sequence,
    applyCommitted: settle,
    whenRoom: () => undefined,
    fail,
  })
  return { pool, file, results, failed }
}

function journalOf(file: string): JournalRow[] {
  const database = openReadOnly(file)
  const rows = database.prepare<unknown[], JournalRow>('SELECT * FROM whole_journal ORDER BY sequence').all()
  database.close()
  return rows
}

t.test('two shards in separate threads write one journal without gaps', async t => {
  const { pool, file, results } = await openPool(t)
  await Promise.all(CODES.map(code => pool.submit(code, createMarket(code))))
  let next = 100
  for (let round = 0; round < 10; round++) {
    const opened = Array.from({ length: 20 }, (_, index) => {
      next++
      return pool.submit(CODES[index % CODES.length] as MarketCode, openAccount(next))
    })
    await Promise.all(opened)
  }
  await pool.drain()
  const rows = journalOf(file)
  t.same(
    rows.map(({ sequence }) => sequence),
    rows.map((_, index) => index + 1),
  )
  for (const [index, row] of rows.entries()) {
    if (!chainHash(rows[index - 1]?.hash ?? Buffer.alloc(32), row).equals(row.hash))
      t.fail(`row ${index + 1} breaks the chain`)
  }
  t.same(new Set(rows.map(({ shard }) => shard)), new Set([0, 1]))
  t.same(
    results.map(({ sequence }) => sequence),
    rows.map(({ sequence }) => sequence),
  )
  const commands = rows.flatMap(row => readCommands(row.commands, row.sequence))
  t.equal(new Set(commands.map(({ id }) => id)).size, 204, 'each command is journalled once')
  t.equal(commands.length, 204)
})

t.test('each market lives on one shard only', async t => {
  const { pool, file } = await openPool(t)
  const before = await pool.stateHashes()
  await pool.submit(1_000_001 as MarketCode, createMarket(1_000_001 as MarketCode))
  const after = await pool.stateHashes()
  t.equal(after[0], before[0])
  t.not(after[1], before[1])
  t.same(
    journalOf(file).map(({ shard }) => shard),
    [1],
  )
})

t.test('the pool writes the same journal and ends in the same state with and without threads', async t => {
  const seen: unknown[] = []
  for (const threads of [true, false]) {
    await t.test(threads ? 'threads' : 'no threads', async t => {
      const { pool, file } = await openPool(t, threads)
      for (const code of CODES) await pool.submit(code, createMarket(code))
      await pool.submit(CODES[0] as MarketCode, openAccount(100))
      seen.push([await pool.stateHashes(), journalOf(file)])
    })
  }
  t.same(seen[0], seen[1])
})

t.test('a broken invariant inside a worker stops the exchange, and nothing is answered', async t => {
  for (const threads of [true, false]) {
    await t.test(threads ? 'threads' : 'no threads', async t => {
      const { pool, file, failed, results } = await openPool(t, threads)
      const unknown = 1_000_009 as MarketCode
      let answers = 0
      void pool.submit(unknown, { type: 'MOVE_MARKET', id: 'm', market: unknown, to: 'closed' }).then(() => {
        answers++
      })
      t.match(await failed, { message: /a command reaches the shard of its market/ })
      t.equal(answers, 0)
      t.same(results, [])
      t.same(journalOf(file), [], 'nothing of the batch is on disk')
      await pool.close()
    })
  }
})

t.test('a batch with one failing command leaves nothing on disk, nor do those behind it', async t => {
  const { pool, file, failed } = await openPool(t)
  const code = CODES[0] as MarketCode
  await pool.submit(code, createMarket(code))
  for (const command of [openAccount(100), openAccount(101), openAccount(100)])
    void pool.submit(code, command)
  for (let later = 102; later < 110; later++) {
    await new Promise(resolve => setImmediate(resolve))
    void pool.submit(code, openAccount(later))
  }
  t.match(await failed, { message: /account 100 is opened once/ })
  t.equal(journalOf(file).length, 1)
  const database = openReadOnly(file)
  t.equal(database.prepare("SELECT count(*) FROM accounts WHERE owner LIKE 'user:%'").pluck().get(), 0)
  database.close()
  await pool.close()
})

t.test('a pool that cannot open its file says why', async t => {
  const file = join(t.testdir(), 'not', 'there.db')
  const failures: Error[] = []
  const options = {
    shardCount: 2,
    threads: true,
    telling: new Telling(),
    queueLengthMax: 1,
    now: () => 7 as TimeMs,
    lastSequence: 0 as Sequence,
    applyCommitted: () => {},
    whenRoom: () => undefined,
  }
  const opened = ShardPool.open(file, { ...options, fail: error => failures.push(error) })
  await t.rejects(opened, { message: /directory does not exist/ })
})

t.test('threads that open are closed again when one beside them cannot open', async t => {
  const closed: string[] = []
  const opens = async (name: string) => ({ close: async () => void closed.push(name) })
  const fails = () => Promise.reject(new Error('no thread'))
  await t.rejects(openAll([opens('a'), fails(), opens('b'), fails()]), /no thread/)
  t.same(closed, ['a', 'b'])
  const [only] = await openAll([opens('c')])
  await only.close()
  t.same(closed, ['a', 'b', 'c'], 'what opened stays open')
})

t.test('a look-up finds only what is on disk', async t => {
  const { pool, file } = await openPool(t)
  const code = CODES[0] as MarketCode
  await pool.submit(code, createMarket(code))
  const lookups = await openThreadedLookups(file, new FreshRows(), error => t.fail(error.message))
  t.equal(await lookups.order(code, 1 as OrderNumber), undefined)
  await lookups.close()
})

interface Dying {
  readonly thread: WorkerThread<string, string>
  /** Resolves with the first reported death. */
  readonly death: Promise<Error>
  readonly deaths: readonly Error[]
}

function openDying(t: Test): Dying {
  // An idle worker does not keep a process alive, and the test has no sockets that would.
  const keepAlive = setInterval(() => {}, 3_600_000)
  t.teardown(() => clearInterval(keepAlive))
  const deaths: Error[] = []
  let report: (error: Error) => void = () => {}
  const death = new Promise<Error>(resolve => {
    report = resolve
  })
  const died = (error: Error) => {
    deaths.push(error)
    report(error)
  }
  return {
    thread: new WorkerThread<string, string>('shard 0', ENTRY, { workerData: {}, died }),
    death,
    deaths,
  }
}

t.test('a worker thread that dies at work is reported, and its task stays unanswered', async t => {
  const { thread, death } = openDying(t)
  t.equal(await thread.run('work'), 'done: work')
  await t.rejects(thread.run('die'))
  t.match(await death, { message: /shard 0: the worker thread exited unexpectedly, code 7|exit code 7/ })
  await thread.close()
})

t.test('a worker thread that dies while idle is reported', async t => {
  const { thread, death } = openDying(t)
  t.equal(await thread.run('wait for death'), 'done: wait for death')
  const channel = new BroadcastChannel(DEATH)
  t.teardown(() => channel.close())
  channel.postMessage('now')
  t.match(await death, { message: /shard 0: the worker thread exited unexpectedly, code 8|exit code 8/ })
  await thread.close()
})

t.test('a worker that throws fails only its task, and closing a thread is not a death', async t => {
  const { thread, deaths } = openDying(t)
  await t.rejects(thread.run('throw'), { message: 'the worker threw' })
  t.equal(await thread.run('work'), 'done: work')
  await thread.close()
  t.same(deaths, [])
})
