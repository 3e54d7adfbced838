import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { VerifyProgress, reportText } from '../../src/cli/verbs/verify.js'
import { openDatabase } from '../../src/store/database.js'
import { verifyFile } from '../../src/verify/verify-file.js'
import { spawnTestServer } from '../fixtures/server-process.js'
import { TestExchange } from '../fixtures/test-exchange.js'

const BIN = fileURLToPath(new URL('../../../bin/raay.js', import.meta.url))

interface Ended {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

function raay(args: readonly string[], env: Record<string, string> = {}): Promise<Ended> {
  const child = spawn(process.execPath, [BIN, ...args], { env: { ...process.env, RAAY_DATA: '', ...env } })
  let stdout = ''
  let stderr = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text
  })
  return new Promise(resolve => child.on('close', code => resolve({ code, stdout, stderr })))
}

/** Returns a data directory with some trades; its exchange is closed. */
async function tradedDirectory(t: Parameters<typeof TestExchange.open>[0]): Promise<string> {
  const test = await TestExchange.open(t)
  await test.create()
  await test.playAll(['asha buy 10 @ 5', 'ben sell 4 @ 5', 'ben sell 3 @ 6'])
  await test.close()
  return dirname(test.file)
}

t.test('a file in order: every check is listed, exit code 0, no colours without a terminal', async t => {
  const data = await tradedDirectory(t)
  const { code, stdout, stderr } = await raay(['verify', '--data', data])
  t.same([code, stderr], [0, ''])
  t.match(stdout, `Verifying ${join(data, 'raay.db')}\n`)
  t.match(stdout, /\n100% {2}batch \d+ of \d+, 3 orders, [\d,]+\/s, comparing\n/)
  t.match(stdout, /3 orders \(2 open\)/)
  for (const check of ['pages', 'journal', 'fills', 'orders', 'entries', 'ledger']) {
    t.match(stdout, new RegExp(`\\n {2}${check} +ok `), check)
  }
  t.match(stdout, /\nThe file is in order: [\d.]+ s, [\d,]+ journalled orders\/s\.\n$/)
  t.notMatch(stdout, '\u001b')
})

t.test('a damaged file: the finding and its place, exit code 1', async t => {
  const data = await tradedDirectory(t)
  const database = openDatabase(join(data, 'raay.db'))
  database.exec("UPDATE accounts SET cash = cash + 5000 WHERE owner = 'user:asha'")
  database.close()
  const { code, stdout } = await raay(['verify'], { RAAY_DATA: data })
  t.equal(code, 1)
  const found = 'account 5 (user:asha): cash 980.5000 in the table, 980.0000 by the journal'
  t.ok(stdout.includes(`\n  accounts: ${found}\n`), stdout)
  t.match(stdout, /\n {2}accounts +1 wrong/)
  t.match(stdout, /\nThe file is NOT in order: /)
})

t.test('--json prints the whole report on one line', async t => {
  const data = await tradedDirectory(t)
  const { code, stdout } = await raay(['verify', '--json', '--data', data])
  t.equal(code, 0)
  t.equal(stdout.indexOf('\n'), stdout.length - 1)
  const { seconds, ...report } = JSON.parse(stdout) as { seconds: number }
  t.type(seconds, 'number')
  t.same(report, { file: join(data, 'raay.db'), ...verifyFile(join(data, 'raay.db')) })
})

t.test('nothing to verify: the reason, exit code 1, and no file is created', async t => {
  const directory = t.testdir()
  const rows: readonly (readonly [string, string, RegExp])[] = [
    [
      'no directory',
      join(directory, 'none'),
      /^raay: there is no data file .*none.raay\.db: name its directory/,
    ],
    ['an empty directory', directory, /^raay: there is no data file/],
    [
      'a directory in its place',
      directoryWith('folder', path => mkdirSync(path)),
      /^raay: there is no data file/,
    ],
    ['an empty file', directoryWith('empty', path => writeFileSync(path, '')), /version 0.*it is empty/],
    [
      'text',
      directoryWith('text', path => writeFileSync(path, 'x'.repeat(5000))),
      /cannot be read: file is not/,
    ],
    [
      'a later version',
      directoryWith('later', path => versioned(path, 99)),
      /version 99, this program knows/,
    ],
  ]
  for (const [what, data, message] of rows) {
    const { code, stdout, stderr } = await raay(['verify', '--data', data])
    t.same([code, stdout], [1, ''], what)
    t.match(stderr, message, what)
    t.equal(stderr.split('\n').length, 2, `${what}: one line`)
  }
  t.notOk(existsSync(join(directory, 'none')))
  t.notOk(existsSync(join(directory, 'raay.db')))

  function directoryWith(name: string, make: (file: string) => void): string {
    const path = join(directory, name)
    mkdirSync(path)
    make(join(path, 'raay.db'))
    return path
  }
  function versioned(path: string, version: number): void {
    const database = openDatabase(path)
    database.pragma(`user_version = ${version}`)
    database.close()
  }
})

t.test('a wrong option is named, exit code 2', async t => {
  for (const args of [['--dat', 'x'], ['extra'], ['--data'], ['--json=1']]) {
    const { code, stdout, stderr } = await raay(['verify', ...args])
    t.same([code, stdout], [2, ''], args.join(' '))
    t.match(stderr, /^raay: .*(?:; see raay help verify|usage: raay verify)\n$/, args.join(' '))
  }
  t.match((await raay(['verify', '--help'])).stdout, /^Usage: raay verify /)
})

t.test('a running server is verified while it trades, and again after kill -9', async t => {
  const server = await spawnTestServer(t)
  const { client, data } = server
  const event = await client.createEvent()
  let isTrading = true
  const trading = (async () => {
    for (let round = 0; isTrading; round++) {
      const offer_type = round % 2 === 0 ? 'buy' : 'sell'
      const users = ['asha', 'ben', 'cora', 'dev']
      await Promise.all(users.map(userid => client.placeOrder(event, { userid, offer_type })))
    }
  })()
  for (let round = 0; round < 3; round++) {
    const { code, stdout, stderr } = await raay(['verify', '--data', data])
    t.same([code, stderr], [0, ''], stdout)
  }
  isTrading = false
  await trading
  await server.kill()
  t.ok(existsSync(join(data, 'raay.db-wal')), 'the log is still beside it')
  const { code, stdout } = await raay(['verify', '--data', data, '--json'])
  t.equal(code, 0, stdout)
  t.ok((JSON.parse(stdout) as { orders: number }).orders > 0)
})

t.test('a terminal shows a progress bar in place and clears it at the end', async t => {
  const written: string[] = []
  const progress = new VerifyProgress('raay.db', { write: text => written.push(text) }, true)
  for (let done = 1; done <= 1000; done++)
    progress.update({ stage: 'journal', done, total: 1000, orders: done * 7 })
  progress.update({ stage: 'tables', done: 5 })
  progress.end()
  t.equal(written[0], 'Verifying raay.db\n')
  t.ok(written.length < 20, 'it is not drawn a thousand times')
  t.match(written.at(-2), /\[2K█{30} 100% {2}batch 1,000 of 1,000, 7,000 orders, .*comparing$/)
  t.equal(written.at(-1), '\r\u001b[2K')
})

t.test('a pipe gets a line for each tenth, without control characters', async t => {
  const written: string[] = []
  const progress = new VerifyProgress('raay.db', { write: text => written.push(text) }, false)
  for (let done = 1; done <= 1000; done++)
    progress.update({ stage: 'journal', done, total: 1000, orders: done })
  progress.end()
  t.equal(written.length, 11)
  for (const control of ['\r', '\u001b']) t.notOk(written.join('').includes(control))
  t.match(written[1], /^ 10% {2}batch 100 of 1,000, 100 orders, [\d,]+\/s, [\d.]+ s left\n$/)
})

t.test('a report has colours and at most twenty findings', async t => {
  const finding = (index: number) => `row ${index}`
  const report = {
    ...{
      ok: false,
      sequence: 1,
      journalSequence: 1201,
      orders: 5,
      commands: 6,
      accounts: 3,
      markets: 1,
      openOrders: 0,
    },
    stateHash: undefined,
    checks: (['orders', 'trades'] as const).map(name => {
      return {
        name,
        rule: 'rule',
        result: 'broken' as const,
        findings: Array.from({ length: 15 }, (_, i) => finding(i)),
        count: 40,
      }
    }),
  }
  const text = reportText(report, 0.5, true)
  t.equal(text.split('\n').filter(line => /^ {2}(orders|trades): row/.test(line)).length, 20)
  t.match(text, ', and 1,200 in the journal that the tables do not include yet')
  t.match(text, '… and 60 more')
  t.match(text, '\u001b[31m40 wrong')
  t.match(text, /10 journalled orders\/s\.\n$/)
})
