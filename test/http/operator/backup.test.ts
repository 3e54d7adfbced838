import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { Test } from 'tap'
import t from 'tap'
import { ACCESS_FILE } from '../../../src/access/accounts/access-schema.js'
import { listBackups } from '../../../src/backup/backup-list.js'
import type { BackupName } from '../../../src/backup/backup-name.js'
import type { BackupStore } from '../../../src/backup/backup-store.js'
import { examineApart } from '../../../src/backup/examine-apart.js'
import { DirectoryStore } from '../../../src/backup/stores/directory-store.js'
import type { TimeMs } from '../../../src/core/units.js'
import type { BackupNews } from '../../../src/exchange/operations/backup-news.js'
import { hasRoomFor } from '../../../src/backup/backup-room.js'
import { SITE_FILE } from '../../../src/site/site-schema.js'
import { SiteStore } from '../../../src/site/site-store.js'
import { openCompanion } from '../../../src/store/companions/companion-database.js'
import { COMPANIONS, companionBackupPath, companionPath } from '../../../src/store/files/companion-files.js'
import { fileBytes } from '../../../src/store/files/file-bytes.js'
import type { Room } from '../../../src/store/room-state.js'
import { ROOM_LIMITS } from '../../../src/store/room-state.js'
import { verifyFile } from '../../../src/verify/verify-file.js'
import { openAccessRoom } from '../../fixtures/access-room.js'
import { changed } from '../../fixtures/backup-world.js'
import type { TestApp } from '../../fixtures/http-scenario.js'
import { appOn, peer } from '../../fixtures/http-scenario.js'
import { runRaay } from '../../fixtures/raay-command.js'
import { startTestServer } from '../../fixtures/server-process.js'
import { MARKET, START, TestExchange } from '../../fixtures/test-exchange.js'
import { wrong } from '../../fixtures/wrong.js'

const KINDS = { accounts: ACCESS_FILE, site: SITE_FILE }

interface Made {
  readonly name: string
  readonly file: string
  readonly bytes: number
  readonly sequence: number
  readonly createdAt: string
}

interface Answer {
  readonly code: number
  readonly message: string
  readonly additional?: Made & { readonly backups?: readonly Omit<Made, 'sequence'>[] }
}

async function send({ app }: TestApp, method: 'GET' | 'POST', path: string): Promise<Answer> {
  const response = await app.request(path, { method, headers: { Host: 'localhost' } }, peer('127.0.0.1'))
  return (await response.json()) as Answer
}

async function make(app: TestApp): Promise<Made> {
  const { additional, message } = await send(app, 'POST', '/admin/backup')
  if (additional === undefined) throw new Error(message)
  return additional
}

const list = async (app: TestApp) => (await send(app, 'GET', '/admin/backups')).additional?.backups ?? []
const directoryOf = (test: TestExchange) => join(dirname(test.file), 'backups')

async function traded(t: Test): Promise<TestExchange> {
  const test = await TestExchange.open(t)
  await test.create()
  await test.playAll(['asha buy 10 @ 6', 'ben sell 4 @ 6', 'cora buy 3 @ 2'])
  return test
}

t.test('a backup is complete and ordered, and an exchange can continue from it', async t => {
  const test = await traded(t)
  const app = appOn(test)
  t.same(await list(app), [])
  const first = await make(app)
  t.equal(first.file, join(directoryOf(test), 'raay-20270115T080000.000Z.db'))
  t.equal(first.createdAt, new Date(START).toISOString())
  t.same(wrong(verifyFile(first.file)), [])
  const money = test.money('asha')
  test.now += 1000
  await test.playAll(['ben sell 6 @ 6'])
  const second = await make(app)
  t.ok(second.sequence > first.sequence)
  t.same(
    (await list(app)).map(({ file, bytes }) => [file, bytes]),
    [second, first].map(({ file, bytes }) => [file, bytes]),
    'newest first',
  )
  t.same(readdirSync(directoryOf(test)).length, 4, 'with their manifests, and nothing beside them')

  const restored = await TestExchange.open(t, { file: first.file })
  t.equal(restored.money('asha'), money)
  t.ok(restored.exchange.moneyIsAllThere())
  await restored.playAll(['ben sell 1 @ 6'])
  t.same(wrong(verifyFile(first.file)), [])
})

t.test('a backup holds the accounts in a file of their own, and each can be restored alone', async t => {
  const test = await traded(t)
  const accounts = openAccessRoom(t, { path: companionPath(test.file, 'accounts') })
  const { session } = await accounts.signedIn('asha')
  const { file } = await make(appOn(test))
  const copy = companionBackupPath(file, 'accounts')
  t.same(
    readdirSync(directoryOf(test)).sort(),
    [basename(copy), basename(file), basename(file).replace('.db', '.json')].sort(),
  )
  t.equal(statSync(copy).mode & 0o777, 0o600)
  t.same((await list(appOn(test))).length, 1, 'it is no backup of its own')

  const money = test.money('asha')
  const restored = await TestExchange.open(t, { file })
  t.equal(restored.money('asha'), money)
  t.equal(existsSync(companionPath(file, 'accounts')), false, 'the exchange without accounts')
  const others = openAccessRoom(t, { path: join(dirname(file), 'access.db') })
  t.same(others.store.accounts.list({ limit: 1 }).accounts, [], 'starts with none')
  const alone = openAccessRoom(t, { path: copy })
  t.equal(alone.store.find(session.token, '')?.userId, 'asha', 'the accounts without the exchange')
})

t.test('a backup holds the site in a file of its own, and each can be restored alone', async t => {
  const test = await traded(t)
  const openSite = (path: string) => {
    const site = new SiteStore({ path, now: () => test.now as TimeMs })
    t.teardown(() => site.close())
    return site
  }
  const site = openSite(companionPath(test.file, 'site'))
  const comment = { market: MARKET, userId: 'asha', body: 'Rain.', showsPosition: false }
  site.comments.post(comment)
  const { file } = await make(appOn(test))
  site.comments.post({ ...comment, body: 'After the backup.' })
  const copy = companionBackupPath(file, 'site')
  t.equal(statSync(copy).mode & 0o777, 0o600)

  const money = test.money('asha')
  t.equal((await TestExchange.open(t, { file })).money('asha'), money)
  t.equal(existsSync(companionPath(file, 'site')), false, 'the exchange without a site')
  t.same(
    openSite(companionPath(file, 'site')).comments.list(MARKET, undefined, 9),
    [],
    'starts with an empty one',
  )
  const alone = openSite(copy).comments.list(MARKET, undefined, 9)
  t.match(alone, [{ userId: 'asha', body: 'Rain.' }], 'the site without the exchange')
  t.equal(alone.length, 1)
})

for (const companion of COMPANIONS) {
  t.test(`a backup whose ${companion} cannot be copied fails as a whole`, async t => {
    const test = await traded(t)
    for (const other of COMPANIONS) openCompanion(companionPath(test.file, other), KINDS[other]).close()
    writeFileSync(companionPath(test.file, companion), 'no database at all'.padEnd(5000, 'x'))
    t.match(await send(appOn(test), 'POST', '/admin/backup'), { code: 500 })
    t.same(existsSync(directoryOf(test)) ? readdirSync(directoryOf(test)) : [], [], 'nothing is left')
    t.same(await list(appOn(test)), [])
  })
}

t.test('a backup is reported in the log, in health and in the metrics', async t => {
  const test = await traded(t)
  const app = appOn(test)
  const before = (await send(app, 'GET', '/admin/health')).additional
  t.match(before, { last_backup: null })
  const { file, bytes, sequence, createdAt } = await make(app)
  t.match((await send(app, 'GET', '/admin/health')).additional, { last_backup: { file, bytes, createdAt } })
  const [line] = test.rows<{ action: string; who: string; fields: string }>('SELECT * FROM admin_actions')
  t.match(line, { action: 'backup', who: 'token' })
  t.same(JSON.parse(line?.fields ?? '{}'), { file: 'raay-20270115T080000.000Z.db', bytes, sequence })
  const metrics = await app.app.request('/metrics', { headers: { Host: 'localhost' } }, peer('127.0.0.1'))
  t.match(await metrics.text(), `\nraay_last_backup_timestamp_seconds ${START / 1000}\n`)
  t.same(wrong(verifyFile(test.file)), [])
})

t.test(
  'each backup is verified after it is made, in a process of its own, while trading goes on',
  async t => {
    const news: string[] = []
    const store = new DirectoryStore(join(t.testdirName, 'store'))
    const told = ({ kind }: { readonly kind: string }) => void news.push(kind)
    const backups = { store, version: '1.2.3', examine: examineApart, told }
    const test = await TestExchange.open(t, { backups })
    await test.create()
    await test.playAll(['asha buy 10 @ 6', 'ben sell 4 @ 6'])
    const app = appOn(test)
    const { file, name } = await make(app)
    t.equal(file, join(store.directory, `${name}.db`))
    t.equal(test.exchange.backups.verifying, name)
    t.match((await send(app, 'GET', '/admin/health')).additional, {
      backups: { verifying: name, last_verified: null },
    })
    t.equal(await test.playAll(['ben sell 1 @ 6']), 'filled 1')
    t.match(await test.exchange.backups.verify(name as BackupName), { ok: true })
    t.same(news, ['made', 'verified'], 'once')
    t.match(await list(app), [{ name, reason: 'asked', verification: { ok: true, findings: [] } }])
    t.match((await send(app, 'GET', '/admin/health')).additional, {
      backups: { verifying: null, last_verified: { name }, last_failure: null, next: null },
    })

    const bytes = readFileSync(file)
    writeFileSync(file, bytes.fill('x', bytes.length - 3000, bytes.length - 2000))
    test.now += 1000
    t.match(await send(app, 'POST', `/admin/backups/${name}/verify`), { code: 200, additional: { name } })
    t.match(await test.exchange.backups.verify(name as BackupName), { ok: false })
    const { additional } = await send(app, 'GET', '/admin/health')
    t.match(additional, {
      last_backup: { name },
      backups: { last_verified: null, last_failure: { message: new RegExp(`^${name} is NOT in order: `) } },
    })
    const metrics = await app.app.request('/metrics', { headers: { Host: 'localhost' } }, peer('127.0.0.1'))
    const text = await metrics.text()
    t.match(text, `\nraay_last_backup_failure_timestamp_seconds ${START / 1000 + 1}\n`)
    t.notMatch(text, /\nraay_last_verified_backup_timestamp_seconds \d/)
    for (const wrongName of ['latest', `${name}.db`, '..%2Fx', 'raay-20270115T080009.000Z']) {
      t.match(await send(app, 'POST', `/admin/backups/${wrongName}/verify`), { code: 404 }, wrongName)
    }
  },
)

t.test('an exchange that stops aborts a verification, which the next start takes up', async t => {
  const told: string[] = []
  const store = new DirectoryStore(join(t.testdirName, 'store'))
  let begun = () => {}
  const hasBegun = new Promise<void>(resolve => (begun = resolve))
  const examine = (_: string, signal: AbortSignal) => {
    begun()
    return new Promise<never>((_, reject) =>
      signal.addEventListener('abort', () => reject(new Error('killed'))),
    )
  }
  const backups = { store, version: '', examine, told: (news: { kind: string }) => void told.push(news.kind) }
  const test = await TestExchange.open(t, { backups })
  await test.create()
  await test.exchange.backups.make('asked')
  await hasBegun
  await test.close()
  t.same(told, ['made'], 'and reports nothing')
  t.equal((await listBackups(store))[0]?.manifest?.verification, null)
})

t.test(
  'a backup that would fill the disk of its store is refused, and a scheduled one leaves room',
  async t => {
    const test = await traded(t)
    const bytes = (await fileBytes(test.file)).database
    const room = (freeBytes: number): Room => ({ state: 'ok', freeBytes, reserveBytes: 0 })
    const { lowBytes } = ROOM_LIMITS
    const store = new DirectoryStore(directoryOf(test))
    t.equal(await hasRoomFor('asked', test.file, store, room(lowBytes + bytes - 1)), false)
    t.equal(await hasRoomFor('asked', test.file, store, room(2 * lowBytes)), true)
    const all = await fileBytes(test.file)
    const whole = all.database + all.wal + all.journal + all.journalWal
    t.equal(await hasRoomFor('asked', test.file, store, room(lowBytes + whole)), true)
    t.equal(await hasRoomFor('scheduled', test.file, store, room(lowBytes + 2 * whole - 1)), false)
    t.equal(await hasRoomFor('scheduled', test.file, store, room(lowBytes + 2 * whole)), true)
    t.equal(await hasRoomFor('asked', test.file, store, { ...room(2 * lowBytes), state: 'low' }), false)

    // Encrypted on the same disk: a copy and its ciphertext wait, and the ciphertext is stored.
    const encrypted = changed(store, { directory: undefined, fills: store.directory, keyId: 'k' })
    t.equal(await hasRoomFor('asked', test.file, encrypted, room(lowBytes + 3 * whole - 1)), false)
    t.equal(await hasRoomFor('asked', test.file, encrypted, room(lowBytes + 3 * whole)), true)
    t.equal(await hasRoomFor('scheduled', test.file, encrypted, room(lowBytes + 4 * whole - 1)), false)
    // On another disk, whose room is asked for, and somewhere that does not say.
    const free = (bytes: number) => async () => bytes
    const far = { directory: undefined, fills: '/proc' }
    const [small, large] = [whole + lowBytes - 1, whole + lowBytes].map(bytes =>
      changed(store, { ...far, freeBytes: free(bytes) }),
    )
    t.equal(await hasRoomFor('asked', test.file, small as BackupStore, room(9 * lowBytes)), false)
    t.equal(await hasRoomFor('asked', test.file, large as BackupStore, room(lowBytes + whole)), true)
    t.equal(await hasRoomFor('asked', test.file, large as BackupStore, room(lowBytes + whole - 1)), false)
    const silent = changed(store, { directory: undefined, freeBytes: async () => undefined, keyId: 'k' })
    t.equal(await hasRoomFor('asked', test.file, silent, room(lowBytes + 2 * whole - 1)), false)
    t.equal(await hasRoomFor('asked', test.file, silent, room(lowBytes + 2 * whole)), true)
    // An archive that the store does not have yet is stored, and encrypted where it waits.
    const archive = 'archive-0123456789abcdef.db'
    writeFileSync(join(dirname(test.file), archive), Buffer.alloc(2 * whole))
    t.equal(await hasRoomFor('asked', test.file, silent, room(lowBytes + 3 * whole - 1)), false)
    t.equal(await hasRoomFor('asked', test.file, silent, room(lowBytes + 3 * whole)), true)
    const stored = { name: 'archive-0123456789abcdef.k.db', bytes: 1 }
    const known = changed(silent, { list: async () => [stored], keyId: 'k' })
    t.equal(await hasRoomFor('asked', test.file, known, room(lowBytes + 2 * whole)), true)
  },
)

t.test('a failed backup says why, leaves nothing behind, and trading goes on', async t => {
  const test = await traded(t)
  const app = appOn(test)
  const directory = directoryOf(test)
  const before = test.journalled().length
  writeFileSync(directory, 'in the way')
  const refused = await send(app, 'POST', '/admin/backup')
  t.equal(refused.code, 500)
  t.match(refused.message, /^The backup failed: ENOTDIR/)
  rmSync(directory)

  await make(app)
  const again = await send(app, 'POST', '/admin/backup')
  t.match(again, { code: 500, message: /is there already$/ }, 'no backup is ever written over')
  test.now += 1000
  mkdirSync(join(directory, 'raay-20270115T080001.000Z.db.partial'))
  t.equal((await send(app, 'POST', '/admin/backup')).code, 500)
  t.equal((await list(app)).length, 1)
  t.equal(test.journalled().length, before + 1, 'only the one that was made is noted')
  t.equal(await test.playAll(['ben sell 1 @ 6']), 'filled 1')
})

t.test('a partial copy left by a process that ended is removed', async t => {
  const test = await traded(t)
  const { file } = await make(appOn(test))
  const half = `${file.replace('000Z', '001Z')}.partial`
  writeFileSync(half, 'half of a copy')
  await test.restart()
  t.notOk(existsSync(half))
  t.ok(existsSync(file))
})

t.test('under load one backup runs at a time, and each is a consistent moment', async t => {
  const test = await TestExchange.open(t, { threads: true, shardCount: 2, startingBalance: 100_000 })
  const app = appOn(test)
  await test.create()
  await test.create()
  let isOver = false
  const load = async () => {
    const placed: Promise<unknown>[] = []
    for (let count = 0; !isOver && count < 20_000; count++) {
      const side = count % 2 === 0 ? 'asha buy' : 'ben sell'
      placed.push(test.place(`${side} 1 @ ${4 + (count % 5)}`, (MARKET + (count % 2)) as typeof MARKET))
      if (count % 20 === 0) await Promise.all(placed.splice(0))
    }
    await Promise.all(placed)
  }
  const loaded = load()
  const made: Made[] = []
  for (let count = 0; count < 3; count++) {
    test.now += 1000
    const [one, other] = await Promise.all([make(app), send(app, 'POST', '/admin/backup')])
    t.match(other, { code: 409, message: 'A backup is being made: wait for it' })
    made.push(one)
  }
  isOver = true
  await loaded
  for (const { file, sequence } of made) {
    const report = verifyFile(file)
    t.same(wrong(report), [])
    t.equal(report.journalSequence, sequence)
    t.ok(report.sequence <= sequence, 'the tables of a moment, and the journal of that moment or later')
    const restored = await TestExchange.open(t, { file, startingBalance: 100_000 })
    t.ok(restored.exchange.moneyIsAllThere())
    await restored.close()
    const after = verifyFile(file)
    t.same(wrong(after), [])
    t.equal(after.sequence, sequence, 'a start brings the tables to the end')
  }
  t.ok((made[2]?.sequence ?? 0) > (made[0]?.sequence ?? 0), 'trading went on')
  t.same(test.failures, [])
})

t.test('closing the exchange waits for a running backup', async t => {
  const test = await TestExchange.open(t, { threads: true })
  await test.create()
  const made = test.exchange.backups.make('asked')
  await test.close()
  const backup = await made
  t.ok(typeof backup === 'object' && 'file' in backup)
  if (typeof backup === 'object' && 'file' in backup) t.same(wrong(verifyFile(backup.file)), [])
})

t.test('closing the exchange seals its files, and leaves a backup that does not end', async t => {
  const test = await TestExchange.open(t)
  await test.create()
  await test.playAll(['asha buy 10 @ 6'])
  let began = () => {}
  const begun = new Promise<void>(resolve => {
    began = resolve
  })
  const told: BackupNews[] = []
  const store = changed(new DirectoryStore(directoryOf(test)), {
    ...{ directory: undefined, freeBytes: async () => undefined },
    putFile: () => {
      began()
      return new Promise<never>(() => {})
    },
  })
  await test.close()
  const backups = { store, version: '1', told: (news: BackupNews) => told.push(news), closeWithinMs: 1 }
  const hung = await TestExchange.open(t, { file: test.file, backups })
  void hung.exchange.backups.make('asked')
  await begun
  t.equal(await hung.playAll(['ben sell 4 @ 6']), 'filled 4')
  await hung.close()
  t.equal(hung.exchange.backups.isAbandoned, true)
  t.match(told, [{ kind: 'failed', reason: /stopped before it was complete/ }])
  t.same(await hung.exchange.backups.make('asked'), 'backup_under_way')
  const { wal, journalWal } = await fileBytes(test.file)
  t.same([wal, journalWal], [0, 0], 'sealed')
  t.same(wrong(verifyFile(test.file)), [])
  const next = await TestExchange.open(t, { file: test.file })
  t.match(next.exchange.market(MARKET)?.progress, { status: 'open' })
})

t.test('raay backup has a running exchange copy its file; raay verify checks the copy', async t => {
  const { url, data } = await startTestServer(t)
  const done = await runRaay(['backup', '--url', url, '--data', data, '--json'])
  t.equal(done.code, 0, done.stderr)
  const { file } = JSON.parse(done.stdout) as Made
  const verified = await runRaay(['verify', '--data', file])
  t.equal(verified.code, 0, verified.stdout + verified.stderr)
  const line = await runRaay(['backup', '--url', url, '--data', data])
  t.match(line.stdout, /raay-\d{8}T\d{6}\.\d{3}Z\.db \(0\.\d MB\), as of batch \d+\n$/)
  t.equal((await runRaay(['backup', '--all'])).code, 2)

  const listed = await runRaay(['backup', 'list', '--data', data, '--json'])
  t.equal((JSON.parse(listed.stdout) as Made[]).length, 2, listed.stderr)
  const checked = await runRaay(['backup', 'verify', 'all', '--data', data])
  t.match(checked.stdout, /^(?:raay-\d{8}T\d{6}\.\d{3}Z: in order \(\d+ checks\)\n){2}$/, checked.stderr)
  const sealed = join(dirname(file), 'raay-20990101T000000.000Z.db.age')
  writeFileSync(sealed, 'for other keys')
  const others = await runRaay(['backup', 'verify', 'all', '--data', data])
  t.match(
    others.stdout,
    /^raay-2099.*: not verified: .* is encrypted: give your key.*\n(?:raay-.*: in order .*\n){2}$/,
    'one that cannot be opened keeps no other from being verified',
  )
  t.equal(others.code, 1)
  const none = await runRaay(['backup', 'verify', 'all', '--backup-to', join(data, 'nothing')])
  t.match(none, { code: 1, stderr: /there is no backup in/ })
  rmSync(sealed)
  t.match(
    (await runRaay(['backup', 'list', '--data', data])).stdout,
    /\n(?:raay-.* 0\.\d MB +\d+ +ok +asked\n){2}$/,
  )
  const tried = await runRaay(['backup', 'prune', '--data', data, '--all', '--dry-run'])
  t.match(tried, { code: 0, stdout: /^raay-.*\nwould delete 1 backup\n$/ })
  const running = await runRaay(['backup', 'restore', 'latest', '--data', data, '--overwrite'])
  t.match(running, { code: 1, stderr: /is in use by another Raay process/ })
  const store = dirname(file)
  const drill = ['--data', join(store, 'drill'), '--backup-to', store]
  const restored = await runRaay(['backup', 'restore', 'latest', ...drill])
  t.match(
    restored.stdout,
    /^Verified and restored raay-.*, as of batch \d+\.\nStart it with/,
    restored.stderr,
  )
  const again = await runRaay(['backup', 'restore', basename(file), ...drill])
  t.match(again, { code: 1, stderr: /holds an exchange: add --overwrite/ })
  const wrongs: readonly (readonly [line: string, code: number, stderr: RegExp])[] = [
    ['restore ../../etc/passwd', 1, /is not the name of a backup/],
    ['restore', 2, /usage: raay backup restore <name\|latest>/],
    ['prune --backup-keep daily', 2, /--backup-keep .* is daily: give rules such as/],
  ]
  for (const [line, code, stderr] of wrongs) {
    t.match(await runRaay(['backup', ...line.split(' '), ...drill]), { code, stderr }, line)
  }
  t.equal((await runRaay(['backup', '--url', 'http://127.0.0.1:1'])).code, 1)
})
