import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Test } from 'tap'
import t from 'tap'
import { listBackups } from '../../src/backup/backup-list.js'
import { allFilesOf, filesOf } from '../../src/backup/backup-name.js'
import type { Identity, Recipient } from '../../src/backup/encryption/age-keys.js'
import { newKeys } from '../../src/backup/encryption/age-keys.js'
import { encryptFile } from '../../src/backup/encryption/encrypt-file.js'
import { examineCopy } from '../../src/backup/examination.js'
import { keptBackups } from '../../src/backup/keep-rules.js'
import { restoreBackup } from '../../src/backup/restore-backup.js'
import { clearStage, withStageFolder } from '../../src/backup/stage-folder.js'
import { DirectoryStore } from '../../src/backup/stores/directory-store.js'
import { EncryptedStore } from '../../src/backup/stores/encrypted-store.js'
import type { TimeMs } from '../../src/core/units.js'
import { archiveOld } from '../../src/exchange/recovery/archive-old.js'
import { lockForProcess } from '../../src/store/database.js'
import type { BackupWorld } from '../fixtures/backup-world.js'
import { backUpWorld, backupWorld, changed, verifyIn } from '../fixtures/backup-world.js'
import { beforeStep, failingAt, stepsOf } from '../fixtures/restore/failing-steps.js'
import { START, TestExchange } from '../fixtures/test-exchange.js'

const DAILY = { hourly: 0, daily: 1, weekly: 0, monthly: 0 }

/** An exchange whose backups are encrypted into the folder in which nothing else says where they are made. */
async function sealedWorld(t: Test, ...recipients: Recipient[]): Promise<BackupWorld> {
  const there = await backupWorld(t)
  const directory = join(dirname(there.test.file), 'backups')
  return { ...there, directory, ...inFolder(there, recipients) }
}

/** The store and the stage of the exchange, with these keys. */
function inFolder({ test }: BackupWorld, recipients: Recipient[], identities: Identity[] = []) {
  const data = dirname(test.file)
  const inner = new DirectoryStore(join(data, 'backups'))
  return {
    store: new EncryptedStore(inner, { recipients, identities }, encryptFile),
    stage: join(data, 'staging'),
  }
}

async function moneyIn(t: Test, data: string): Promise<string> {
  const test = await TestExchange.open(t, { file: join(data, 'raay.db') })
  const money = test.money('asha')
  await test.close()
  return money
}

function restoreInto(directory: string, { store }: BackupWorld, backup: Parameters<typeof restoreBackup>[1]) {
  return restoreBackup(store, backup, {
    ...{ directory, overwrite: false, now: () => START, examine: examineCopy },
  })
}

t.test('an encrypted backup in the default folder holds what was written, and restores', async t => {
  const { identity, recipient } = await newKeys()
  const there = await sealedWorld(t, recipient)
  const made = await backUpWorld(there)
  const names = allFilesOf(made.name).map(name => (name.endsWith('.json') ? name : `${name}.age`))
  t.same(readdirSync(there.directory).sort(), names.sort(), 'and nothing in plain text')
  t.same(readdirSync(there.stage), [])
  for (const { encrypted, bytes } of made.manifest.files) t.ok((encrypted?.bytes ?? 0) > bytes)

  const opened = { ...there, ...inFolder(there, [], [identity]) }
  const [listed] = await listBackups(opened.store)
  if (listed === undefined) throw new Error('it is listed')
  t.match(await verifyIn(opened, listed), { ok: true })
  const money = there.test.money('asha')
  const data = join(dirname(there.directory), '..', 'elsewhere')
  await restoreInto(data, opened, listed)
  t.equal(await moneyIn(t, data), money)
})

t.test('a stored file that is not what was written fails the backup, whichever side lost it', async t => {
  const { recipient } = await newKeys()
  const there = await backupWorld(t)
  for (const length of [0, 500]) {
    const lossy = changed(there.store, {
      directory: undefined,
      putFile: async (name, path) => {
        await there.store.putFile(name, path)
        if (name.endsWith('.db.age')) truncateSync(join(there.directory, name), length)
        return undefined
      },
    })
    const store = new EncryptedStore(lossy, { recipients: [recipient], identities: [] }, encryptFile)
    const message = new RegExp(
      `was not stored as it was written: .+\\.age has ${length} bytes|\\.db has ${length} bytes`,
    )
    await t.rejects(backUpWorld({ ...there, store }), message)
    t.same(readdirSync(there.directory), [], 'nothing is left of it')
  }
})

t.test(
  'a backup whose files are gone or empty counts for nothing, though its manifest says verified',
  async t => {
    const { recipient } = await newKeys()
    const there = await sealedWorld(t, recipient)
    const good = await backUpWorld(there)
    const later = await backUpWorld(there, (START + 1000) as TimeMs)
    const verification = { at: new Date(START).toISOString(), ok: true, checked: ['pages'], findings: [] }
    for (const { name, manifest } of [good, later]) {
      const path = join(there.directory, filesOf(name).manifest)
      writeFileSync(path, JSON.stringify({ format: 1, ...manifest, verification }))
    }
    const verified = async () =>
      (await listBackups(there.store)).map(({ manifest }) => manifest?.verification?.ok)
    t.same(await verified(), [true, true])
    t.match(await verifyIn(there, (await listBackups(there.store))[0] as never), {
      ...{ ok: true, checked: ['pages', 'stored'] },
    })
    const file = join(there.directory, `${filesOf(later.name).exchange}.age`)
    const whole = readFileSync(file)
    writeFileSync(file, '')
    t.same(await verified(), [false, true])
    const kept = [...keptBackups(await listBackups(there.store), DAILY)].map(({ name }) => name)
    t.same(kept, [good.name], 'the older one that is whole')

    whole[whole.length - 1] = (whole.at(-1) ?? 0) ^ 1
    writeFileSync(file, whole)
    const [damaged] = await listBackups(there.store)
    if (damaged === undefined) throw new Error('it is listed')
    t.match(await verifyIn(there, damaged), { ok: false, findings: [/is not the file that was written/] })
    t.same(await verified(), [false, true], 'and that is written down')
  },
)

t.test('after a change of keys, an archive is encrypted to the new ones as well', async t => {
  const [one, two] = [await newKeys(), await newKeys()]
  const there = await sealedWorld(t, one.recipient)
  await there.test.close()
  const data = dirname(there.test.file)
  t.ok(archiveOld(data, { limit: (START + 1) as TimeMs, isDryRun: false, told: () => undefined }))
  await there.test.restart()
  await backUpWorld(there)
  const again = await backUpWorld(there, (START + 1) as TimeMs)
  const changedKeys = { ...there, ...inFolder(there, [two.recipient]) }
  const backup = await backUpWorld(changedKeys, (START + 2) as TimeMs)
  const names = readdirSync(there.directory)
  t.equal(
    names.filter(name => /^archive-\w+\.\w{8}\.db\.age$/.test(name)).length,
    2,
    'one for each set of keys',
  )
  t.same(
    names.filter(name => /^archive-.*\.db$/.test(name)),
    [],
    'none in plain text',
  )
  const money = there.test.money('asha')
  for (const [keys, made] of [
    [one, again],
    [two, backup],
  ] as const) {
    const target = join(data, '..', made.name)
    const opened = { ...there, ...inFolder(there, [], [keys.identity]) }
    const listed = (await listBackups(opened.store)).find(({ name }) => name === made.name)
    if (listed === undefined) throw new Error('it is listed')
    await restoreInto(target, opened, listed)
    t.equal(await moneyIn(t, target), money)
  }
})

t.test('the copies of a process that was killed are deleted, those of one that works are not', async t => {
  const { recipient } = await newKeys()
  const there = await sealedWorld(t, recipient)
  const leave = (name: string) => {
    mkdirSync(join(there.stage, name), { recursive: true })
    writeFileSync(join(there.stage, name, 'raay.db'), 'plain')
  }
  leave('work-1')
  leave('work-2')
  const lock = lockForProcess(join(there.stage, 'work-2.lock'))
  mkdirSync(join(there.stage, 'notes'))
  await backUpWorld(there)
  t.same(readdirSync(there.stage).sort(), ['notes', 'work-2', 'work-2.lock'])
  lock?.release()
  clearStage(there.stage)
  t.same(readdirSync(there.stage), ['notes'])
  leave('work-3')
  cpSync(there.stage, `${there.stage}-2`, { recursive: true })
  await there.test.restart()
  t.same(readdirSync(there.stage), ['notes'], 'by a start as well')
})

t.test('a file that nobody reads because the place for it fails ends no process', async t => {
  const root = t.testdir({ 'in-the-way': '' })
  const path = join(root, 'copy.db')
  writeFileSync(path, 'plain')
  const store = new DirectoryStore(join(root, 'in-the-way'))
  const failed = t.rejects(store.putFile('raay.db', path), /EEXIST|ENOTDIR/)
  rmSync(path)
  await failed
  // A stream that was opened nevertheless would fail in one of the next turns of the loop.
  await readdir(root)
  t.same(await readdir(root), ['in-the-way'])
})

t.test('a folder that cannot be deleted keeps no lock, and is deleted by the next work', async t => {
  const stage = join(t.testdir(), 'stage')
  const work = () => withStageFolder(stage, async () => undefined)
  const steps = await stepsOf(work)
  const deletions = [...steps.keys()].filter(step => steps[step]?.startsWith('rmSync'))
  t.ok(deletions.length > 1, 'before the work and after it')
  for (const step of deletions) {
    rmSync(stage, { recursive: true })
    t.match(await failingAt(step, 'EIO', work), { code: 'EIO' }, `${steps[step]}`)
    clearStage(stage)
    t.same(readdirSync(stage), [], `after a failure of ${steps[step]}`)
  }
})

t.test('a lock whose file its last holder deletes meanwhile is not taken beside another one', async t => {
  const path = join(t.testdir(), 'work-1.lock')
  let taken: ReturnType<typeof lockForProcess>
  const work = async () => {
    taken = lockForProcess(path)
  }
  // The first lock loads the driver.
  lockForProcess(path)?.release()
  const steps = await stepsOf(work)
  taken?.release()
  for (const step of steps.keys()) {
    taken = undefined
    // The calls that the test makes itself are steps, too.
    let isOver = false
    const takeAway = () => {
      if (!isOver) rmSync(path, { force: true })
      isOver = true
    }
    await beforeStep(new Set([step]), takeAway, work)
    const other = lockForProcess(path)
    t.notOk(taken && other, `${steps[step]}`)
    for (const lock of [taken, other]) lock?.release()
    rmSync(path, { force: true })
  }
  t.ok(steps.some(step => step.startsWith('BEGIN')))
})
