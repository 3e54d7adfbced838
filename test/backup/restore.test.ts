import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { Test } from 'tap'
import t from 'tap'
import type { StoredBackup } from '../../src/backup/backup-list.js'
import { filesOf } from '../../src/backup/backup-name.js'
import { examineCopy } from '../../src/backup/examination.js'
import type { RestoredBackup, RestoreOptions } from '../../src/backup/restore-backup.js'
import { restoreBackup } from '../../src/backup/restore-backup.js'
import type { TimeMs } from '../../src/core/units.js'
import { archiveOld } from '../../src/exchange/recovery/archive-old.js'
import { archivesIn } from '../../src/store/archive/archive-path.js'
import { openDataDirectory } from '../../src/store/files/data-directory.js'
import { verifyFile } from '../../src/verify/verify-file.js'
import { openAccessRoom } from '../fixtures/access-room.js'
import type { BackupWorld } from '../fixtures/backup-world.js'
import { backUpWorld, backupWorld, changed, verifyIn } from '../fixtures/backup-world.js'
import { START, TestExchange } from '../fixtures/test-exchange.js'
import { wrong } from '../fixtures/wrong.js'

/** A backup, and a data directory in which the exchange has traded on and was killed. */
interface Old extends BackupWorld {
  readonly backup: StoredBackup
  readonly data: string
  readonly moneyThen: string
  readonly moneyNow: string
}

async function old(t: Test, kind: 'here' | 'elsewhere' = 'here'): Promise<Old> {
  const there = await backupWorld(t, kind)
  const { test } = there
  const backup = await backUpWorld(there)
  const moneyThen = test.money('asha')
  await test.playAll(['ben sell 5 @ 6'])
  const moneyNow = test.money('asha')
  const data = join(dirname(dirname(test.file)), 'old')
  cpSync(dirname(test.file), data, { recursive: true })
  writeFileSync(join(data, 'operator.key'), 'the key')
  return { ...there, backup, data, moneyThen, moneyNow }
}

function restore(
  { store, backup, data }: Pick<Old, 'store' | 'backup' | 'data'>,
  options: Partial<RestoreOptions> = {},
): Promise<RestoredBackup> {
  const rest = { directory: data, overwrite: true, now: () => START, examine: examineCopy }
  return restoreBackup(store, backup, { ...rest, ...options })
}

/** Every file below a directory with its contents, but for locks. */
function imageOf(directory: string): Record<string, string> {
  const names = readdirSync(directory, { recursive: true, withFileTypes: true })
  const files = names.filter(entry => entry.isFile() && !entry.name.startsWith('raay.lock'))
  return Object.fromEntries(
    files.map(({ parentPath, name }) => {
      const path = join(parentPath, name)
      return [path.slice(directory.length), readFileSync(path, 'base64')]
    }),
  )
}

/** Starts the exchange of a data directory as a server does, and returns the money of asha. */
async function moneyIn(t: Test, data: string): Promise<string> {
  openDataDirectory(data).release()
  const test = await TestExchange.open(t, { file: join(data, 'raay.db') })
  const money = test.money('asha')
  t.ok(test.exchange.moneyIsAllThere())
  await test.close()
  return money
}

for (const kind of ['here', 'elsewhere'] as const) {
  t.test(`a backup from a store ${kind} replaces an exchange, whose files are set aside`, async t => {
    const there = await old(t, kind)
    t.not(there.moneyThen, there.moneyNow)
    const inStore = imageOf(there.directory)
    const { aside, verification } = await restore(there)
    t.ok(verification.ok)
    t.equal(aside, join(there.data, 'replaced-20270115T080000.000Z'))
    t.same(
      readdirSync(there.data).sort(),
      ['access.db', 'operator.key', 'raay.db', 'raay.lock', 'site.db', basename(aside ?? '')].sort(),
    )
    t.same(imageOf(there.directory), inStore, 'the backup is as it was')
    t.equal(await moneyIn(t, there.data), there.moneyThen)
    t.same(wrong(verifyFile(join(there.data, 'raay.db'))), [])
    const accounts = openAccessRoom(t, { path: join(there.data, 'access.db') })
    t.same(accounts.store.accounts.list({ limit: 1 }).accounts, [])
    t.equal(await moneyIn(t, aside ?? ''), there.moneyNow, 'and the old one still starts where it is')
  })
}

t.test('a backup is restored into an empty directory, or one that is missing', async t => {
  const there = await old(t)
  for (const name of ['empty', 'missing/deep']) {
    const data = join(dirname(there.data), name)
    if (name === 'empty') mkdirSync(data)
    t.equal((await restore({ ...there, data }, { overwrite: false })).aside, undefined)
    t.same(readdirSync(data).sort(), ['access.db', 'raay.db', 'raay.lock', 'site.db'])
    t.equal(await moneyIn(t, data), there.moneyThen)
  }
})

t.test('nothing is changed where', async t => {
  const there = await old(t)
  const before = imageOf(there.data)
  const lonely = join(dirname(there.data), 'lonely')
  const file = join(there.directory, filesOf(there.backup.name).exchange)
  const whole = readFileSync(file)
  const refused = async (what: string, made: Promise<unknown>, message: RegExp) => {
    await t.rejects(made, message, what)
    t.same(imageOf(there.data), before, what)
  }
  await refused('an exchange is there', restore(there, { overwrite: false }), /add --overwrite/)
  for (const name of ['journal.db', 'raay.id', 'access.db', 'site.db', 'raay.db-wal']) {
    mkdirSync(lonely, { recursive: true })
    writeFileSync(join(lonely, name), 'something')
    const made = restore({ ...there, data: lonely }, { overwrite: false })
    await refused(`${name} is there`, made, /add --overwrite/)
    t.equal(readFileSync(join(lonely, name), 'utf8'), 'something')
  }
  const running = openDataDirectory(there.data)
  await refused('the exchange runs', restore(there), /is in use by another Raay process/)
  running.release()
  await refused('the disk has no room', restore(there, { free: () => 1000 }), /free, and the restore needs/)

  const damaged = Buffer.from(whole)
  damaged[damaged.length - 100] = (damaged.at(-100) ?? 0) ^ 1
  writeFileSync(file, damaged)
  await refused('a byte of the backup is another', restore(there), /is not in order, so nothing was changed/)
  writeFileSync(file, whole.subarray(0, 8192))
  await refused('the backup is cut off', restore(there), /is not in order, so nothing was changed/)
  const failing = changed(there.store, {
    get: async name => {
      if (name.endsWith('.db')) throw new Error('connection lost')
      return there.store.get(name)
    },
  })
  await refused('the store fails', restore({ ...there, store: failing }), /connection lost/)
  const empty = changed(there.store, { get: async () => undefined })
  await refused('the backup is gone', restore({ ...there, store: empty }), /is missing/)
})

t.test(
  'killed between any two changes, the old or the new exchange starts, and a restore goes on',
  async t => {
    const there = await old(t)
    const images: string[] = []
    const { aside } = await restore(there, {
      did: () => {
        const image = join(dirname(there.data), `killed-${images.length}`)
        cpSync(there.data, image, { recursive: true })
        images.push(image)
      },
    })
    t.ok(images.length >= 12, `${images.length} moments`)
    const found: string[] = []
    for (const image of images) {
      const again = `${image}-again`
      cpSync(image, again, { recursive: true })
      const money = await moneyIn(t, image)
      found.push(money === there.moneyThen ? 'new' : money === there.moneyNow ? 'old' : `neither: ${money}`)
      t.notOk(existsSync(join(image, 'restoring')), 'nothing half-done is left')
      const isNew = found.at(-1) === 'new'
      if (isNew) t.ok(existsSync(join(image, basename(aside ?? ''), 'journal.db')), 'the old one is aside')

      await restore({ ...there, data: again }, { now: () => START + 1000 })
      t.equal(await moneyIn(t, again), there.moneyThen, 'restored again')
    }
    t.match(found.join(' '), /^(?:old )+new(?: new)*$/, 'it changes once')
  },
)

for (const kind of ['here', 'elsewhere'] as const) {
  t.test(
    `an archive goes with the backup that names it, in a store ${kind}, and comes back with it`,
    async t => {
      const there = await backupWorld(t, kind)
      const { test, directory } = there
      await test.close()
      const data = dirname(test.file)
      const limit = (START + 1) as TimeMs
      const moved = archiveOld(data, { limit, isDryRun: false, told: () => undefined })
      t.ok(moved !== undefined)
      await test.restart()
      await test.playAll(['ben sell 1 @ 6'])
      const money = test.money('asha')
      const first = await backUpWorld(there)
      const backup = await backUpWorld(there, (START + 1000) as TimeMs)
      t.same(archivesIn(directory).length, 1, 'shared by both')
      t.same(
        backup.manifest.files.map(({ part }) => part),
        ['exchange', 'accounts', 'site', 'archive'],
      )
      t.match(await verifyIn(there, first), { ok: true })

      const empty = join(dirname(data), 'empty')
      await restore({ ...there, backup, data: empty }, { overwrite: false })
      t.equal(await moneyIn(t, empty), money)
      const { aside } = await restore({ ...there, backup, data: empty })
      t.equal(await moneyIn(t, empty), money, 'over the same archive')
      t.equal(await moneyIn(t, aside ?? ''), money)
      const [archive = ''] = archivesIn(directory)
      rmSync(join(directory, archive))
      await t.rejects(restore({ ...there, backup, data: empty }), /is missing|is not in order/)
      t.match(await verifyIn(there, backup).catch(() => ({ ok: false })), { ok: false })
    },
  )
}

t.test('a damaged mark of a restore stops a start, and never leads out of the directory', async t => {
  const there = await old(t)
  const mark = join(there.data, 'raay.restore')
  for (const text of [
    ...['', '{', 'null', '{"files":[]}', '{"files":["../x"],"aside":"a"}', '{"files":[],"aside":".."}'],
    ...['{"files":["raay.db"],"aside":"a/b"}', '{"files":["raay.db",""],"aside":"a"}'],
    ...['{"files":[],"aside":"a"}', '{"files":["raay.db"],"aside":"a","stage":"done"}'],
  ]) {
    writeFileSync(mark, text)
    const before = imageOf(there.data)
    t.throws(() => openDataDirectory(there.data), /the mark of an interrupted restore, .* is damaged/, text)
    t.same(imageOf(there.data), before)
  }
})

t.test('a mark whose files exist nowhere stops a start, and the old exchange stays', async t => {
  const there = await old(t)
  const mark = join(there.data, 'raay.restore')
  const lost = { files: ['raay.db', 'site.db'], aside: 'replaced-then' }
  const folder = join(there.data, 'restoring')
  for (const [what, stage, inFolder] of [
    ['all are lost, before the old ones are aside', 'aside', []],
    ['one is lost, before the old ones are aside', 'aside', ['raay.db']],
    ['one is lost, afterwards', 'placing', ['raay.db']],
  ] as const) {
    mkdirSync(folder)
    for (const name of inFolder) cpSync(join(there.data, name), join(folder, name))
    if (stage === 'placing') rmSync(join(there.data, 'site.db'))
    writeFileSync(mark, JSON.stringify({ ...lost, stage }))
    const before = imageOf(there.data)
    t.throws(
      () => openDataDirectory(there.data),
      /has lost (?:raay|site)\.db: it is neither in restoring/,
      what,
    )
    t.same(imageOf(there.data), before, what)
    rmSync(folder, { recursive: true })
  }
  rmSync(mark)
  t.equal(await moneyIn(t, there.data), there.moneyNow)
})

t.test('a restore whose files cannot be exchanged is finished by the next start, never given up', async t => {
  const there = await old(t)
  for (const changes of [5, 7, 10]) {
    const data = `${there.data}-${changes}`
    cpSync(there.data, data, { recursive: true })
    let left = changes
    const did = () => {
      if (left-- === 0) throw new Error('no permission')
    }
    await t.rejects(restore({ ...there, data }, { did }), /no permission.+the start puts them in place/)
    t.equal(await moneyIn(t, data), there.moneyThen, `after ${changes} changes`)
  }
})
