import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import t from 'tap'
import { copyExchange } from '../../src/backup/backup-copy.js'
import type { StoredBackup } from '../../src/backup/backup-list.js'
import { listBackups } from '../../src/backup/backup-list.js'
import { backupNameAt } from '../../src/backup/backup-name.js'
import { newKeys } from '../../src/backup/encryption/age-keys.js'
import { fetchBackup } from '../../src/backup/fetch-backup.js'
import { findBackup } from '../../src/backup/find-backup.js'
import { makeBackup } from '../../src/backup/make-backup.js'
import { chooseBackup } from '../../src/backup/past/choose-backup.js'
import type { HistoryPoint } from '../../src/backup/past/history-point.js'
import { restorePast } from '../../src/backup/past/restore-past.js'
import { EncryptedStore } from '../../src/backup/stores/encrypted-store.js'
import { S3Store } from '../../src/backup/stores/s3/s3-store.js'
import type { TimeMs } from '../../src/core/units.js'
import { archiveMark } from '../../src/store/archive/archive-mark.js'
import { archivesIn } from '../../src/store/archive/archive-path.js'
import { moveToArchive } from '../../src/store/archive/move-to-archive.js'
import { openReadOnly } from '../../src/store/database.js'
import { copyOfDirectory, liveLong, QUIET } from '../fixtures/archive/long-life.js'
import { Dice } from '../fixtures/dice.js'
import { runRaay } from '../fixtures/raay-command.js'
import { pastStates, rowsIn } from '../fixtures/restore/past-states.js'
import { S3Server } from '../fixtures/s3/s3-server.js'
import { HOUR, START, TestExchange } from '../fixtures/test-exchange.js'

const BATCHES = 12
const silently = () => undefined

const ROOT = t.testdir()
const past = pastStates(Dice.fromEnvironment(t), BATCHES, ROOT)
const DATA = dirname(past.file)
let places = 0

/** Returns a path where nothing is. */
function nowhere(): string {
  places++
  return join(ROOT, `place-${places}`)
}

t.test('chooses the earliest backup that contains the point, and refuses what none contains', t => {
  const backup = (day: number, sequence: number | undefined, exchange = '0000000a') => {
    const at = (START + day * 24 * HOUR) as TimeMs
    const manifest = sequence === undefined ? undefined : { sequence, exchange }
    return { name: backupNameAt(at), at, manifest } as StoredBackup
  }
  const backups = [backup(5, undefined), backup(4, 400), backup(3, 300), backup(2, undefined), backup(1, 100)]
  const chosen = (point: HistoryPoint, all = backups) =>
    chooseBackup(all, point, '/srv/backups').manifest?.sequence
  const moment = (day: number) => ({ moment: (START + day * 24 * HOUR) as TimeMs })
  t.same(
    [1, 100, 101, 300, 400].map(sequence => chosen({ sequence })),
    [100, 100, 300, 300, 400],
  )
  t.same(
    [0, 1, 1.1, 2, 3.5, 4].map(day => chosen(moment(day))),
    [100, 100, 300, 300, 400, 400],
  )
  t.throws(() => chosen({ sequence: 401 }), { message: /ends at batch 400.+--from/ })
  t.throws(() => chosen(moment(4.1)), { message: /ends at 20.+--from/ })
  t.throws(() => chosen({ sequence: 1 }, [backup(1, undefined)]), { message: /no finished backup/ })
  const broken = backups.map(backup =>
    backup.manifest?.sequence === 300
      ? { ...backup, manifest: { ...backup.manifest, verification: { ok: false } } as never }
      : backup,
  )
  t.equal(chosen({ sequence: 200 }, broken), 400, 'an intact one beside it')
  t.throws(() => chosen({ sequence: 200 }, broken.slice(2)), {
    message: /only raay-.+ is not in order: name it/,
  })
  const several = [...backups, backup(0, 50, '0000000b')]
  t.throws(() => chosen({ sequence: 1 }, several), { message: /several exchanges: name one/ })
  t.end()
})

t.test('chooses by the time of the exchange where the clock that names backups was set back or held', t => {
  const backup = (day: number, number: number, lastDay: number) => {
    const at = (START + day * 24 * HOUR) as TimeMs
    const last = { sequence: number * 100, at: new Date(START + lastDay * 24 * HOUR).toISOString() }
    const manifest = { sequence: number * 100, number, exchange: '0000000a', journal: { first: last, last } }
    return { name: backupNameAt(at), at, manifest } as unknown as StoredBackup
  }
  // The clock was four days ahead when the second one was made, and the journal stays at its time since.
  const backups = [backup(6, 2, 6), backup(3, 3, 6), backup(2.5, 4, 7), backup(1, 1, 0.9)]
  const chosen = (day: number) =>
    chooseBackup(backups, { moment: (START + day * 24 * HOUR) as TimeMs }, '/srv/backups').manifest?.sequence
  t.same(
    [0.5, 0.95, 2.8, 5, 6, 6.5].map(chosen),
    [100, 200, 200, 200, 400, 400],
    'one with a batch after the moment',
  )
  t.equal(findBackup(backups, 'latest', '/srv/backups').manifest?.sequence, 400, 'not that of the day ahead')
  t.end()
})

t.test('from an exchange to an encrypted backup in an S3 store, and from there to its past', async t => {
  const server = await S3Server.start(t)
  const { identity, recipient } = await newKeys()
  const ways = { now: Date.now, wait: async () => 0 }
  const s3 = new S3Store(server.place(), server.credentials, ways)
  const store = new EncryptedStore(s3, { recipients: [recipient], identities: [identity] })
  const stage = nowhere()
  mkdirSync(stage)
  const order = { file: past.file, stage, reason: 'asked', version: '1.2.3', at: START as TimeMs } as const
  const made = await makeBackup(store, order, copyExchange)
  const key = `exchange/${made.name}`
  t.same([...server.objects.keys()], [`${key}.db.age`, `${key}.json`])
  t.same(readdirSync(stage), [], 'nothing stays behind in the clear')
  const [file] = made.manifest.files
  const sealed = server.objects.get(`${key}.db.age`) ?? Buffer.alloc(0)
  t.same(file?.encrypted, { bytes: sealed.length, sha256: createHash('sha256').update(sealed).digest('hex') })
  const manifest = String(server.objects.get(`${key}.json`))
  for (const word of ['user', 'AKIA', server.credentials.secret, identity])
    t.notOk(manifest.includes(word), word)

  const point = { sequence: 7 }
  const backup = chooseBackup(await listBackups(store), point, store.place)
  const directory = nowhere()
  await restorePast(
    {
      source: folder => fetchBackup(store, backup, folder),
      ...{ point, directory, overwrite: false, coveredUntil: backup.at, now: () => START },
    },
    silently,
  )
  t.equal(rowsIn(join(directory, 'raay.db')), past.rows[6])
  t.notOk(existsSync(join(directory, 'restoring')), 'nor is the backup left in the clear')

  server.misfortune = ({ key, method }) =>
    method === 'PUT' && key.endsWith('.json') ? { status: 403, code: 'AccessDenied' } : undefined
  const next = makeBackup(store, { ...order, at: (START + 1) as TimeMs }, copyExchange)
  await t.rejects(next, { message: /AccessDenied/ })
  server.misfortune = () => undefined
  t.equal((await listBackups(store)).length, 1, 'no backup without its manifest')
  t.same(readdirSync(stage), [])
})

t.test('raay backup restore --to: the words, the exit codes and the JSON', async t => {
  const directory = nowhere()
  const from = ['--from', DATA, '--data', directory]
  const done = await runRaay(['backup', 'restore', '--to-sequence', '5', ...from])
  t.same([done.code, done.stderr], [0, ''])
  t.match(done.stdout, /100% {2}Replaying it: batch 5 of 5\n/)
  t.match(done.stdout, /Restored and verified .+ as of batch 5, 20.+Z; 7 later ones were left out\.\n/)
  t.match(done.stdout, /\nThe source has no accounts\.\nStart it with raay start --data /)
  t.equal(rowsIn(join(directory, 'raay.db')), past.rows[4])

  const again = ['backup', 'restore', '--to', '2030-01-01T00:00:00Z', ...from, '--json']
  t.match(await runRaay(again), { code: 1, stderr: /holds an exchange: add --overwrite/ })
  const json = await runRaay([...again, '--overwrite'])
  t.match(JSON.parse(json.stdout), { sequence: BATCHES, source_sequence: BATCHES, accounts: false })
  for (const [argv, words] of [
    [['--to', '2030-01-01T00:00:00Z', '--to-sequence', '5'], /not both/],
    [['--from', DATA], /--from needs a point/],
    [['latest', '--to-sequence', '5', '--from', DATA], /not both/],
    [['--to', '2030-01-01'.slice(0, 7)], /--to is 2030-01/],
    [['--to-sequence', '0'], /--to-sequence is 0/],
    [[], /usage: raay backup restore/],
  ] as const) {
    t.match(await runRaay(['backup', 'restore', ...argv, '--data', directory]), { code: 2, stderr: words })
  }
  const none = await runRaay(['backup', 'restore', '--to-sequence', '5', '--data', nowhere()])
  t.match(none, { code: 1, stderr: /there is no finished backup/ })
})

t.test('restores the past before and after an archiving, and refuses without the archive', async t => {
  const test = await TestExchange.open(t)
  await liveLong(test, Dice.fromEnvironment(t), 20)
  await test.close()
  const source = join(nowhere(), 'data')
  const file = copyOfDirectory(test.file, source)
  moveToArchive(file, QUIET)
  const database = openReadOnly(file)
  const limit = archiveMark(database)?.sequence ?? 0
  database.close()
  t.ok(limit > 10)
  for (const sequence of [5, limit, limit + 1]) {
    const [one, two] = [nowhere(), nowhere()]
    for (const [from, directory] of [
      [dirname(test.file), one],
      [source, two],
    ] as const) {
      const request = {
        source: () => from,
        point: { sequence },
        directory,
        overwrite: false,
        now: () => START,
      }
      await restorePast(request, silently)
    }
    t.equal(rowsIn(join(two, 'raay.db')), rowsIn(join(one, 'raay.db')), `batch ${sequence}`)
  }
  for (const name of archivesIn(source)) rmSync(join(source, name))
  const request = { source: () => source, point: { sequence: limit + 1 }, overwrite: false, now: () => START }
  await t.rejects(restorePast({ ...request, directory: nowhere() }, silently), {
    message: /archive .+ is missing/,
  })
})
