import { EventEmitter, once } from 'node:events'
import { readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import t from 'tap'
import type { StoredBackup } from '../../src/backup/backup-list.js'
import { listBackups, putManifest } from '../../src/backup/backup-list.js'
import { allFilesOf, backupNameAt, filesOf } from '../../src/backup/backup-name.js'
import { keptBackups, readKeepRules } from '../../src/backup/keep-rules.js'
import type { BackupReason, BackupVerification } from '../../src/backup/manifest.js'
import { pruneBackups } from '../../src/backup/prune-backups.js'
import { DirectoryStore } from '../../src/backup/stores/directory-store.js'
import { EncryptedStore } from '../../src/backup/stores/encrypted-store.js'
import type { TimeMs } from '../../src/core/units.js'
import { changed } from '../fixtures/backup-world.js'
import { runRaay } from '../fixtures/raay-command.js'
import { roomyDirectory } from '../fixtures/server/server-directory.js'
import { TestExchange } from '../fixtures/test-exchange.js'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** A Monday. */
const NOW = Date.UTC(2027, 0, 18, 12)
const GOOD: BackupVerification = { at: new Date(NOW).toISOString(), ok: true, checked: [], findings: [] }
const RULES = { hourly: 0, daily: 0, weekly: 0, monthly: 0 }

interface Kind {
  readonly verification?: BackupVerification | null
  readonly reason?: BackupReason
  readonly exchange?: string
}

function backupAt(at: number, kind: Kind = {}): StoredBackup {
  const { verification = GOOD, reason = 'scheduled', exchange = '0000abcd' } = kind
  const name = backupNameAt(at as TimeMs)
  const manifest = {
    ...{ name, reason, made_at: new Date(at).toISOString(), raay: '1.0.0', schema: 7, exchange },
    ...{ sequence: 0, journal_hash: null, verification },
    files: [{ part: 'exchange' as const, bytes: 1, sha256: '0'.repeat(64) }],
  }
  return { name, at: at as TimeMs, file: name, bytes: 1, companions: [], manifest }
}

async function* contents() {
  yield Buffer.from('x')
}

const timesOf = (backups: Iterable<StoredBackup>) => [...backups].map(({ at }) => at).sort((a, b) => b - a)
const hoursAgo = (...hours: readonly number[]) => hours.map(hour => NOW - hour * HOUR_MS)

t.test('a clock that was ahead costs none of the backups that are made after it', async t => {
  const numbered = (at: number, number: number | undefined, sequence: number): StoredBackup => {
    const backup = backupAt(at)
    return { ...backup, manifest: { ...backup.manifest, number, sequence } as never }
  }
  const ahead = NOW + 1000 * DAY_MS
  for (const [what, numbers] of [
    ['by their numbers, though a restore took the batches back', [1, 2, 3]],
    ['of older versions, by their batches', undefined],
  ] as const) {
    const sequences = numbers === undefined ? [100, 200, 300] : [900, 200, 300]
    const backups = [ahead, NOW - DAY_MS, NOW].map((at, index) =>
      numbered(at, numbers?.[index], sequences[index] ?? 0),
    )
    t.same(timesOf(keptBackups(backups, { ...RULES, daily: 2 })), [NOW, NOW - DAY_MS], what)
  }
})

t.test('rules are read as they are written, and nothing else is', async t => {
  t.same(readKeepRules('hourly=24, daily=7,weekly=4 ,monthly=12'), {
    ...{ hourly: 24, daily: 7, weekly: 4, monthly: 12 },
  })
  t.same(readKeepRules('daily=1'), { ...RULES, daily: 1 })
  for (const text of [
    ...['', 'daily', 'daily=', 'daily=-1', 'daily=1.5', 'daily=1001', 'daily=1,daily=2', 'yearly=1', '7'],
    ...['daily=0', 'daily=1,', 'Daily=1', 'daily=1;weekly=2', 'constructor=1', 'daily=99999'],
  ]) {
    t.equal(readKeepRules(text), undefined, text)
  }
})

t.test('the newest backup of each period with one is kept', async t => {
  const rows: readonly (readonly [string, Partial<typeof RULES>, readonly number[], readonly number[]])[] = [
    ['hours without a backup do not count', { hourly: 3 }, [0, 0.5, 2, 2.5, 40, 41], [0, 0.5, 2]],
    ['days end at midnight UTC', { daily: 2 }, [1, 11, 13, 14, 37], [1, 13]],
    ['weeks begin on Monday', { weekly: 2 }, [1, 11, 13, 24, 6 * 24, 8 * 24], [1, 13]],
    ['months are of the calendar', { monthly: 2 }, [1, 16 * 24, 18 * 24, 60 * 24], [1, 18 * 24]],
    ['rules add up', { hourly: 1, daily: 2 }, [1, 2, 13, 14, 50], [1, 13]],
    ['without rules for it, one is kept', { daily: 0 }, [1, 2], [1]],
  ]
  for (const [what, rules, made, kept] of rows) {
    const backups = hoursAgo(...made).map(at => backupAt(at))
    t.same(timesOf(keptBackups(backups, { ...RULES, ...rules })), hoursAgo(...kept), what)
    t.same(timesOf(keptBackups(backups.reverse(), { ...RULES, ...rules })), hoursAgo(...kept), 'in any order')
  }
})

t.test('the newest verified backup is kept, and never gives way to one that is not in order', async t => {
  const bad = { verification: { ...GOOD, ok: false } }
  const [now = 0, hour = 0, day = 0, week = 0] = hoursAgo(0, 1, 24, 24 * 7)
  const rules = { ...RULES, daily: 2 }
  t.same(timesOf(keptBackups([backupAt(now, bad), backupAt(hour)], rules)), [hour], 'of one day')
  t.same(timesOf(keptBackups([backupAt(now, { verification: null }), backupAt(hour)], rules)), [hour])
  const failing = [backupAt(now, bad), backupAt(day, bad), backupAt(week), backupAt(week - DAY_MS)]
  t.same(timesOf(keptBackups(failing, rules)), [now, day, week], 'however old it is')
  const none = [backupAt(now, bad), backupAt(hour, bad), backupAt(week, { verification: null })]
  t.same(timesOf(keptBackups(none, rules)), [now, hour, week], 'nothing is deleted while none is verified')
})

t.test(
  'pruning deletes scheduled backups only, unless told otherwise, and tries first if asked to',
  async t => {
    const store = new DirectoryStore(join(t.testdir(), 'store'))
    const put = async (backup: StoredBackup) => {
      for (const name of allFilesOf(backup.name).slice(0, -1)) await store.put(name, contents())
      if (backup.manifest !== undefined) await putManifest(store, backup.manifest)
    }
    const [now = 0, hour = 0, two = 0, day = 0, week = 0] = hoursAgo(0, 1, 2, 24, 24 * 7)
    await put(backupAt(now))
    await put(backupAt(hour))
    await put(backupAt(two, { reason: 'asked' }))
    await put({ ...backupAt(day), manifest: undefined })
    await put(backupAt(week, { exchange: '0000ffff' }))
    await put(backupAt(week - DAY_MS, { exchange: '0000ffff' }))
    const rest = { rules: { ...RULES, hourly: 1 }, all: false, dryRun: false, now: NOW }
    const before = readdirSync(store.directory)
    t.same(timesOf(await pruneBackups(store, { ...rest, dryRun: true })), [hour, week - DAY_MS])
    t.same(readdirSync(store.directory), before)

    t.same(timesOf(await pruneBackups(store, { ...rest, exchange: '0000abcd' })), [hour])
    t.same(timesOf(await listBackups(store)), [now, two, day, week, week - DAY_MS])
    t.equal(readdirSync(store.directory).length, before.length - 4, 'with all its files')
    t.same(timesOf(await pruneBackups(store, rest)), [week - DAY_MS], 'each exchange keeps its newest')
    t.same(timesOf(await pruneBackups(store, { ...rest, all: true })), [two])
    t.same(timesOf(await listBackups(store)), [now, day, week], 'and nobody deletes what is unfinished')
    t.same(timesOf(await pruneBackups(store, { ...rest, all: true })), [])
  },
)

t.test('a backup of batches that a takeover has lost stands for none of the others', async t => {
  const store = new DirectoryStore(join(t.testdir(), 'store'))
  const hash = (digit: string) => digit.repeat(64)
  const [kept, lost, older, lostBefore] = hoursAgo(1, 0.5, 2, 30)
  for (const [at = 0, digit = '', number = 0] of [
    [lostBefore, 'e', 1],
    [older, 'a', 2],
    [kept, 'b', 3],
    [lost, 'f', 4],
  ] as const) {
    const backup = backupAt(at)
    for (const name of allFilesOf(backup.name).slice(0, -1)) await store.put(name, contents())
    const manifest = { ...backup.manifest, number, sequence: number, journal_hash: hash(digit) }
    await putManifest(store, manifest as never)
  }
  const own = {
    isOwn: ({ journal_hash: found }: { readonly journal_hash: string | null }) =>
      [hash('a'), hash('b')].includes(found ?? ''),
  }
  const rest = { rules: { ...RULES, daily: 1 }, all: false, dryRun: false, now: NOW, own }
  t.same(timesOf(await pruneBackups(store, rest)), [older, lostBefore])
  t.same(timesOf(await listBackups(store)), [lost, kept], 'the newest of each')
})

t.test('an exchange knows by its journal which backups are of batches that were lost', async t => {
  const store = new DirectoryStore(join(t.testdirName, 'store'))
  const test = await TestExchange.open(t, { backups: { store, version: '1.0.0' } })
  await test.create()
  for (let count = 0; count < 3; count++) {
    await test.playAll(['asha buy 1 @ 6'])
    await test.exchange.backups.make('scheduled')
    test.now += 1000
  }
  const [last, ...others] = await listBackups(store)
  for (const { manifest } of others)
    if (manifest) await putManifest(store, { ...manifest, verification: GOOD })
  // One that went on without this exchange made it.
  const lost = { ...last?.manifest, verification: GOOD, journal_hash: 'f'.repeat(64) }
  await putManifest(store, lost as never)
  const rules = { ...RULES, hourly: 1 }
  const asked = ['backup', 'prune', '--backup-to', store.directory, '--backup-keep', 'hourly=1', '--dry-run']
  const listed = others.slice(1).map(({ name }) => name)
  for (const [what, data, names] of [
    ['the command line knows it, too', dirname(test.file), listed],
    ['but not without an exchange', roomyDirectory(t), others.map(({ name }) => name)],
  ] as const) {
    const { stdout, stderr } = await runRaay([...asked, '--data', data, '--json'])
    t.same(
      (JSON.parse(stdout) as { name: string }[]).map(({ name }) => name),
      names,
      what,
    )
    t.equal(stderr, '')
  }
  const unreadable = join(roomyDirectory(t), 'raay.db')
  writeFileSync(unreadable, 'no database, and long enough to be taken for one')
  const { code, stderr } = await runRaay([...asked, '--data', dirname(unreadable)])
  t.equal(code, 0)
  t.match(stderr, /^raay: .*raay\.db cannot be read \(.*\): backups of batches that .* count like all others/)
  t.same(timesOf(await test.exchange.backups.prune(rules)), timesOf(others.slice(1)))
  t.same(timesOf(await listBackups(store)), [last?.at, others[0]?.at], 'it has a verified one of its own')
})

t.test('a pruning that is killed between two files leaves what the next one deletes', async t => {
  for (let count = 0; count <= 4; count++) {
    const store = new DirectoryStore(join(t.testdir(), 'store'))
    for (const backup of hoursAgo(0, 30).map(at => backupAt(at))) {
      for (const name of allFilesOf(backup.name).slice(0, -1)) await store.put(name, contents())
      if (backup.manifest !== undefined) await putManifest(store, backup.manifest)
    }
    const rest = { rules: { ...RULES, hourly: 1 }, all: false, dryRun: false, now: NOW }
    let left = count
    const killed = changed(store, {
      delete: async name => {
        if (left-- === 0) throw new Error('killed')
        await store.delete(name)
      },
    })
    await pruneBackups(killed, rest).catch(() => undefined)
    await pruneBackups(store, rest)
    t.same(readdirSync(store.directory).length, 4, `after ${count} files`)
    t.same(timesOf(await listBackups(store)), [NOW])
  }
})

t.test('files that nobody has written for a day are deleted, those of other writers are not', async t => {
  const directory = join(t.testdir(), 'store')
  const store = new EncryptedStore(new DirectoryStore(directory), { recipients: [], identities: [] })
  await store.put('notes.txt', contents())
  const [old, fresh] = ['raay-20261121T180000.000Z', 'raay-20270115T075900.000Z']
  const gone = [`${old}.db.partial`, `${old}.db.partial-journal`, 'archive-0123456789abcdef.db.age.partial']
  const kept = [`${fresh}.db.partial`, 'notes.partial', `${old}.db`]
  const day = 24 * 3600
  for (const name of [...gone, ...kept]) {
    writeFileSync(join(directory, name), 'x')
    const at = NOW / 1000 - (name.startsWith(fresh) ? day - 1 : day + 1)
    utimesSync(join(directory, name), at, at)
  }
  await pruneBackups(store, { rules: RULES, all: false, dryRun: true, now: NOW })
  t.equal(readdirSync(directory).length, 7, 'not in a dry run')
  await pruneBackups(store, { rules: RULES, all: false, dryRun: false, now: NOW })
  t.same(readdirSync(directory).sort(), [...kept, 'notes.txt'].sort())
})

t.test('two processes that write one file at once lose neither the file nor a half of it', async t => {
  const directory = join(t.testdir(), 'store')
  const started = new EventEmitter()
  let writers = 0
  async function* half(letter: string) {
    yield Buffer.alloc(100_000, letter)
    if (++writers === 2) started.emit('both')
    else await once(started, 'both')
    yield Buffer.alloc(100_000, letter)
  }
  const stores = [new DirectoryStore(directory), new DirectoryStore(directory)]
  await Promise.all(stores.map((store, index) => store.put('raay.json', half('ab'[index] ?? ''))))
  t.same(readdirSync(directory), ['raay.json'])
  t.match(readFileSync(join(directory, 'raay.json'), 'latin1'), /^(?:a{200000}|b{200000})$/)
})

t.test('remains are deleted once they are old, and other files never', async t => {
  const store = new DirectoryStore(join(t.testdir(), 'store'))
  const [fresh = 0, old = 0] = hoursAgo(1, 25)
  const others = ['notes.txt', 'raay-version-5.db', `${backupNameAt(old as TimeMs)}`, 'raay.db', 'access.db']
  for (const at of [fresh, old]) {
    const { exchange, ...rest } = filesOf(backupNameAt(at as TimeMs))
    for (const name of [...Object.values(rest.companions), rest.manifest]) await store.put(name, contents())
  }
  for (const name of others) writeFileSync(join(store.directory, name), 'x')
  await pruneBackups(store, { rules: { ...RULES, daily: 1 }, all: true, dryRun: false, now: NOW })
  const { companions, manifest } = filesOf(backupNameAt(fresh as TimeMs))
  t.same(
    readdirSync(store.directory).sort(),
    [...others, ...Object.values(companions), manifest].sort(),
    'a copy may be under way',
  )
  rmSync(store.directory, { recursive: true })
})
