import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { Test } from 'tap'
import t from 'tap'
import type { DoctorReport } from '../../src/api/operator/operator-shape.js'
import type { StoredBackup } from '../../src/backup/backup-list.js'
import { readConfig } from '../../src/server/config/config.js'
import { backupCheck } from '../../src/server/doctor/backup-check.js'
import { growthCheck, growthOf } from '../../src/server/doctor/growth-check.js'
import { memoryCheck } from '../../src/server/doctor/memory-check.js'
import { onlineChecks } from '../../src/server/doctor/online-checks.js'
import { nodeLifeCheck, sqliteVerdict } from '../../src/server/doctor/runtime-checks.js'
import { openDatabase } from '../../src/store/database.js'
import { JOURNAL_TABLE } from '../../src/store/journal.js'
import { ServerClient } from '../fixtures/server/server-client.js'
import { startTestServer } from '../fixtures/server-process.js'

const DAY = 86_400_000
const GIGABYTE = 1024 ** 3
const MEGABYTE = 1024 ** 2
const NOW = Date.parse('2026-12-01T00:00:00Z')

/** A journal with batches at these moments, numbered from `first`. */
function journalOf(t: Test, moments: readonly number[], first = 1) {
  const database = openDatabase(join(t.testdir(), 'journal.db'))
  t.teardown(() => database.close())
  database.exec(`CREATE TABLE ${JOURNAL_TABLE}`)
  const insert = database.prepare("INSERT INTO journal VALUES (?, 0, ?, '[]', x'00')")
  for (const [index, at] of moments.entries()) insert.run(first + index, at)
  return database
}

t.test('growth is that of the last week, whatever came before', async t => {
  const old = Array.from({ length: 3000 }, (_, index) => NOW - 400 * DAY + index)
  const week = Array.from(
    { length: 1000 },
    (_, index) => NOW - 7 * DAY + Math.floor((index * 7 * DAY) / 1000),
  )
  for (const first of [1, 777]) {
    const growth = growthOf(journalOf(t, [...old, ...week], first), 4 * GIGABYTE, NOW)
    const perDay = (growth?.bytesPerDay ?? 0) / MEGABYTE
    t.ok(Math.abs(perDay - 1024 / 7) < 1, `${perDay} MB a day`)
    t.equal(Math.round(growth?.days ?? 0), 7)
  }
})

t.test('growth is never guessed from too little', async t => {
  t.equal(growthOf(journalOf(t, []), GIGABYTE, NOW), undefined)
  t.equal(growthOf(journalOf(t, [NOW - DAY]), GIGABYTE, NOW), undefined)
  const burst = Array.from({ length: 500 }, (_, index) => NOW - 60_000 + index)
  t.equal(growthOf(journalOf(t, burst), GIGABYTE, NOW), undefined, 'a minute says nothing of a day')
  const idle = Array.from({ length: 500 }, (_, index) => NOW - 40 * DAY + index)
  t.equal(growthOf(journalOf(t, idle), GIGABYTE, NOW), undefined, 'nothing has happened for a month')
  t.match(growthCheck(undefined, GIGABYTE), { result: 'ok', found: /too little/ })
})

t.test('a disk that will be full within a month is reported before it is', async t => {
  const growth = { bytesPerDay: 100 * MEGABYTE, days: 7 }
  t.match(growthCheck(growth, 1200 * MEGABYTE), {
    result: 'warn',
    found: 'about 105 MB a day over the last 7 days: full in 12 days',
    advice: String,
  })
  t.match(growthCheck(growth, 3100 * MEGABYTE), { result: 'ok', found: /full in 31 days/ })
  t.match(growthCheck({ bytesPerDay: 1, days: 7 }, GIGABYTE), { result: 'ok', found: /ten years/ })
})

t.test('memory is compared with the machine, its control group and the heap', async t => {
  const memory = { bytes: 8 * GIGABYTE, isGroup: false, heapBytes: 4 * GIGABYTE }
  const small = { accounts: 1000, openOrders: 1000 }
  t.match(memoryCheck(small, memory), { result: 'ok', found: /the machine has 8.6 GB/ })
  t.match(memoryCheck(small, { ...memory, bytes: 200 * MEGABYTE, isGroup: true }), {
    result: 'warn',
    found: /the control group has 210 MB/,
  })
  t.match(memoryCheck({ accounts: 100_000, openOrders: 1_000_000 }, memory), {
    result: 'ok',
    // 450 bytes for each order, of which 140 are taken before its user does something.
    found: /^about 720 MB for 1,00,000 accounts and 10,00,000 open orders, 410 MB just after a start; /,
  })
  const large = { accounts: 3_000_000, openOrders: 1_000_000 }
  t.match(memoryCheck(large, { ...memory, bytes: 64 * GIGABYTE }), {
    result: 'warn',
    advice: /--max-old-space-size=\d+/,
  })
})

t.test('a backup that is old, damaged or not verified is never ok', async t => {
  const backup = (days: number, verification: object | null): StoredBackup =>
    ({ name: 'raay-x', at: NOW - days * DAY, manifest: { verification } }) as unknown as StoredBackup
  const good = { ok: true, at: '2026-11-30T00:00:00.000Z', findings: [], checked: [] }
  const bad = { ...good, ok: false, findings: ['pages: damaged'] }
  const rows: readonly (readonly [StoredBackup[], string, RegExp])[] = [
    [[backup(1, good)], 'ok', /1 day old, verified 2026-11-30/],
    [[backup(0, null)], 'warn', /not verified/],
    [[backup(7, good)], 'warn', /7 days old/],
    [[backup(0, bad), backup(1, good)], 'fail', /pages: damaged/],
    [[{ ...backup(0, good), manifest: undefined }], 'warn', /none with a manifest/],
    [[], 'warn', /none/],
  ]
  for (const [backups, result, found] of rows) t.match(backupCheck(backups, true, NOW), { result, found })
  t.match(backupCheck([], false, NOW), { result: 'ok' }, 'nothing is there to lose')
})

t.test('a Node out of maintenance and a SQLite without what is needed are reported', async t => {
  t.match(nodeLifeCheck(NOW, 'v20.20.2'), { result: 'warn', found: /not maintained since 2026-04-30/ })
  t.match(nodeLifeCheck(NOW, 'v24.1.0'), { result: 'ok', found: /maintained until 2028/ })
  t.match(nodeLifeCheck(NOW, 'v99.0.0'), { result: 'ok', found: /not known/ })
  t.match(sqliteVerdict('3.50.0', ['ENABLE_FTS5', 'THREADSAFE=2']), { result: 'ok', found: /THREADSAFE=2/ })
  t.match(sqliteVerdict('3.50.0', ['THREADSAFE=2']), { result: 'fail', found: /without ENABLE_FTS5/ })
  t.match(sqliteVerdict('3.50.0', ['ENABLE_FTS5', 'OMIT_WAL']), { result: 'fail', found: /with OMIT_WAL/ })
})

t.test('the public URL is examined as a browser sees it', async t => {
  const { url } = await startTestServer(t)
  const at = (publicUrl: string, flags = {}) =>
    onlineChecks(readConfig({ 'public-url': publicUrl, ...flags }, {}))
  t.match(await at(url), [
    { name: 'public', result: 'ok' },
    { name: 'proxy', result: 'ok' },
    { name: 'https', result: 'warn' },
    { name: 'websocket', result: 'ok' },
  ])
  t.match(await onlineChecks(readConfig({}, {})), [{ name: 'public', result: 'warn' }])

  const answers: Record<string, readonly [number, string]> = {
    '/version': [200, '{"status":true,"additional":{"version":"0"}}'],
  }
  const proxy = createServer((request, response) => {
    const [code, body] = answers[request.url ?? ''] ?? [404, '']
    response.writeHead(code, { Server: 'nginx' }).end(body)
  })
  await new Promise<void>(resolve => proxy.listen(0, '127.0.0.1', resolve))
  const behind = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`
  const found = await at(behind)
  t.match(
    found.find(({ name }) => name === 'proxy'),
    { result: 'warn', advice: /--trusted-proxy/ },
  )
  t.match(
    found.find(({ name }) => name === 'websocket'),
    { result: 'fail', advice: /Upgrade/ },
  )
  t.match((await at(behind, { 'trusted-proxy': '127.0.0.1' }))[1], { name: 'proxy', result: 'ok' })
  answers['/version'] = [421, '']
  t.match(await at(behind), [{ result: 'fail', found: /another host name/ }])
  answers['/version'] = [200, '<html>']
  t.match(await at(behind), [{ result: 'fail', found: /not as Raay does/ }])
  await new Promise(resolve => proxy.close(resolve))
  t.match(await at(behind), [{ result: 'fail', found: /does not answer: / }], 'nothing is there any more')
})

t.test('a running exchange examines itself for operators, at most once in ten seconds', async t => {
  const { client, url, exchange, faults } = await startTestServer(t)
  t.match(await new ServerClient(url).get('/admin/doctor'), { status: 401 })
  const { status, body } = await client.get('/admin/doctor')
  const { checks, checkedAt } = body.additional as DoctorReport
  t.equal(status, 200)
  const names = [
    'node',
    'clock',
    'files',
    'modes',
    'space',
    'disk',
    'access',
    'site',
    'house quotes',
    'growth',
    'memory',
    'backups',
  ]
  t.same(
    checks.map(({ name }) => name),
    names,
  )
  t.ok(checks.every(({ result, advice }) => (result === 'ok') === (advice === undefined)))
  const before = exchange.backups.list
  let lists = 0
  exchange.backups.list = async () => {
    lists++
    return before.call(exchange.backups)
  }
  const again = await Promise.all([1, 2, 3].map(() => client.get('/admin/doctor')))
  for (const { body } of again) t.equal((body.additional as DoctorReport).checkedAt, checkedAt)
  t.equal(lists, 0)
  t.same(faults, [])
})
