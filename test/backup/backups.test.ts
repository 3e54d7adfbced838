import { createHash } from 'node:crypto'
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join, relative } from 'node:path'
import t from 'tap'
import { listBackups } from '../../src/backup/backup-list.js'
import { allFilesOf, backupNameAt, filesOf, readBackupName } from '../../src/backup/backup-name.js'
import { DirectoryStore } from '../../src/backup/stores/directory-store.js'
import { clearKilled } from '../../src/backup/making-note.js'
import { findBackup } from '../../src/backup/find-backup.js'
import type { TimeMs } from '../../src/core/units.js'
import { backUpWorld, backupWorld, changed, verifyIn } from '../fixtures/backup-world.js'
import { inChunks } from '../fixtures/memory-store.js'
import { START } from '../fixtures/test-exchange.js'

const NOW = START as TimeMs
const NAME = backupNameAt(NOW)

const filesIn = (directory: string) => (existsSync(directory) ? readdirSync(directory).sort() : [])
const sha256 = (path: string) => createHash('sha256').update(readFileSync(path)).digest('hex')

for (const kind of ['here', 'elsewhere'] as const) {
  t.test(
    `a backup in a store ${kind} has a manifest of its files, and verifying changes no other`,
    async t => {
      const there = await backupWorld(t, kind)
      const made = await backUpWorld(there)
      t.same(filesIn(there.directory), allFilesOf(NAME).sort())
      t.same(filesIn(there.stage), [], 'nothing is left where it was made')
      const [listed, ...others] = await listBackups(there.store)
      t.same(others, [])
      t.same(listed, made)
      const { exchange, companions } = filesOf(NAME)
      const parts = [exchange, ...Object.values(companions)]
      t.match(made.manifest, {
        ...{ name: NAME, reason: 'asked', raay: '1.2.3', verification: null, sequence: 3 },
        files: parts.map(file => ({ sha256: sha256(join(there.directory, file)) })),
      })

      const before = parts.map(file => sha256(join(there.directory, file)))
      const verification = await verifyIn(there, made)
      t.same(verification.findings, [])
      t.ok(verification.ok)
      for (const check of ['hashes', 'pages', 'journal', 'money', 'accounts file', 'site file']) {
        t.ok(verification.checked.includes(check), check)
      }
      t.same((await listBackups(there.store))[0]?.manifest?.verification, verification)
      t.same(filesIn(there.directory), allFilesOf(NAME).sort(), 'nothing beside them')
      t.same(filesIn(there.stage), [])
      t.same(
        parts.map(file => sha256(join(there.directory, file))),
        before,
      )
    },
  )
}

/** Each way to spoil a backup, and what its verification says. */
const SPOILED: readonly (readonly [what: string, spoil: (directory: string) => void, finding: RegExp])[] = [
  [
    'is cut off',
    directory => {
      const file = join(directory, filesOf(NAME).exchange)
      writeFileSync(file, readFileSync(file).subarray(0, -4096))
    },
    /^hashes: the file of the exchange has \d+ bytes, not \d+$|^it cannot be read/,
  ],
  [
    'is no database',
    directory => writeFileSync(join(directory, filesOf(NAME).exchange), 'x'.repeat(5000)),
    /^it cannot be read/,
  ],
  [
    'has another byte in its accounts',
    directory => {
      const file = join(directory, filesOf(NAME).companions.accounts)
      const bytes = readFileSync(file)
      bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1
      writeFileSync(file, bytes)
    },
    /^hashes: the file of the accounts is not the one that was made$/,
  ],
  [
    'has lost its site',
    directory => rmSync(join(directory, filesOf(NAME).companions.site)),
    /^hashes: the file of the site is missing$/,
  ],
  [
    'has lost its accounts',
    directory => rmSync(join(directory, filesOf(NAME).companions.accounts)),
    /^hashes: the file of the accounts is missing$/,
  ],
  [
    'has a log beside it, which SQLite would apply',
    directory => writeFileSync(join(directory, `${filesOf(NAME).exchange}-wal`), 'a log'),
    /-wal is not part of the backup: delete it$/,
  ],
]

t.test('a backup is not in order where', async t => {
  for (const [what, spoil, finding] of SPOILED) {
    await t.test(`it ${what}`, async t => {
      const there = await backupWorld(t)
      const made = await backUpWorld(there)
      spoil(there.directory)
      const verification = await verifyIn(there, made)
      t.equal(verification.ok, false)
      t.match(verification.findings[0], finding)
      t.match((await listBackups(there.store))[0]?.manifest?.verification, { ok: false })
    })
  }
})

t.test('a backup of another moment under a name is found out', async t => {
  const there = await backupWorld(t)
  const made = await backUpWorld(there)
  await there.test.playAll(['ben sell 1 @ 6'])
  const later = await backUpWorld(there, (START + 1) as TimeMs)
  const files = filesOf(NAME)
  writeFileSync(
    join(there.directory, files.exchange),
    readFileSync(join(there.directory, filesOf(later.name).exchange)),
  )
  const { ok, findings } = await verifyIn(there, made)
  t.equal(ok, false)
  t.ok(findings.includes('hashes: the manifest is of another exchange or batch'))
})

t.test(
  'a backup without a manifest is listed as unfinished, never as the latest, until it is verified',
  async t => {
    const there = await backupWorld(t)
    const { manifest, ...rest } = await backUpWorld(there)
    for (const text of [
      undefined,
      '',
      '{}',
      'no JSON',
      JSON.stringify({ ...manifest, format: 2 }),
      '{"format":1}',
    ]) {
      const path = join(there.directory, filesOf(NAME).manifest)
      if (text === undefined) rmSync(path)
      else writeFileSync(path, text)
      const listed = await listBackups(there.store)
      t.same(listed, [{ ...rest, manifest: undefined }], text ?? 'none')
      t.throws(() => findBackup(listed, 'latest', there.store.place), /there is no finished backup/)
      t.equal(findBackup(listed, NAME, there.store.place).name, NAME, 'but it can be named')
    }
    const [found] = await listBackups(there.store)
    if (found === undefined) throw new Error('it is listed')
    t.ok((await verifyIn(there, found)).ok)
    const [completed] = await listBackups(there.store)
    t.match(completed?.manifest, { reason: 'unknown', files: manifest.files, verification: { ok: true } })

    rmSync(join(there.directory, filesOf(NAME).manifest))
    appendFileSync(join(there.directory, filesOf(NAME).exchange), 'x'.repeat(4096))
    writeFileSync(join(there.directory, filesOf(NAME).exchange), 'x')
    t.equal((await verifyIn(there, found)).ok, false)
    t.equal((await listBackups(there.store))[0]?.manifest, undefined, 'a damaged one gets no manifest')
  },
)

t.test('a manifest of another backup is not taken for its own', async t => {
  const there = await backupWorld(t)
  await backUpWorld(there)
  const later = await backUpWorld(there, (START + 1) as TimeMs)
  const text = readFileSync(join(there.directory, filesOf(NAME).manifest))
  writeFileSync(join(there.directory, filesOf(later.name).manifest), text)
  t.equal((await listBackups(there.store))[0]?.manifest, undefined)
})

t.test('a name is never a path', async t => {
  for (const text of [
    ...['', '.', '..', '/', 'latest2', '../raay-20270115T080000.000Z', 'x/raay-20270115T080000.000Z'],
    ...['raay-20270115T080000.000Z/..', 'raay-20271315T080000.000Z', 'raay-20270115T080000.000Z.db.db'],
    ...['raay-20270115T080000.000Z.partial', 'raay-20270115T080000.000Z\n', 'RAAY-20270115T080000.000Z'],
    ...['raay-20270115T080000.000Z.db-wal', 'raay-20270115T080000.000Z.db\0', 'raay-version-4.db'],
  ]) {
    t.equal(readBackupName(text), undefined, JSON.stringify(text))
    t.throws(() => findBackup([], text, '/srv/backups'), /is not the name of a backup/, JSON.stringify(text))
  }
  for (const text of [NAME, ...allFilesOf(NAME)]) t.equal(readBackupName(text), NAME, text)
  t.equal(readBackupName('/srv/backups/raay-20270115T080000.000Z.db'), undefined)
})

for (const kind of ['here', 'elsewhere'] as const) {
  t.test(`a backup that fails in a store ${kind} leaves nothing behind, wherever it fails`, async t => {
    const there = await backupWorld(t, kind)
    let failures = 0
    for (let isFailing = true; isFailing; ) {
      let left = failures
      const failing = changed(there.store, {
        put: async (name, contents) => {
          if (left-- === 0) throw new Error('no space left')
          await there.store.put(name, contents)
        },
        putFile: async (name, path) => {
          if (left-- === 0) throw new Error('no space left')
          return there.store.putFile(name, path)
        },
      })
      try {
        await backUpWorld({ ...there, store: failing })
        isFailing = false
      } catch (error) {
        t.match(error, /no space left/)
        t.same(filesIn(there.directory), [], `put ${failures}`)
        failures++
      }
      t.same(filesIn(there.stage), [])
    }
    t.equal(failures, kind === 'here' ? 1 : 4)
    t.equal((await listBackups(there.store)).length, 1)
  })
}

t.test('a backup never replaces one of its name', async t => {
  const there = await backupWorld(t)
  await backUpWorld(there)
  const before = sha256(join(there.directory, filesOf(NAME).exchange))
  await there.test.playAll(['ben sell 1 @ 6'])
  await t.rejects(backUpWorld(there), /is there already/)
  t.equal(sha256(join(there.directory, filesOf(NAME).exchange)), before)
  t.same(filesIn(there.directory), allFilesOf(NAME).sort())
})

t.test(
  'a longer file that a killed process of the same number left unfinished is no part of a new one',
  async t => {
    const store = new DirectoryStore(t.testdir())
    const writing = async function* (left: string) {
      const [partial = ''] = readdirSync(store.directory).filter(name => name.endsWith('.partial'))
      const [, number = ''] = /-(\d+)\.partial$/.exec(partial) ?? []
      writeFileSync(store.pathOf(partial.replace(number, String(Number(number) + 1))), left)
      yield Buffer.from('new')
    }
    for (let file = 0; file < 2; file++) await store.put('raay.json', writing('left by another'))
    t.equal(readFileSync(store.pathOf('raay.json'), 'utf8'), 'new')
  },
)

t.test('a directory that is missing has no backups, and one that cannot be one says so', async t => {
  const there = await backupWorld(t)
  t.same(await listBackups(there.store), [])
  t.equal(existsSync(there.directory), false)
  t.type(await there.store.freeBytes(), 'number')
  mkdirSync(there.directory)
  mkdirSync(join(there.directory, filesOf(NAME).exchange))
  t.same(await listBackups(there.store), [], 'a directory is no backup')
  await t.rejects(backUpWorld(there))
  rmSync(there.directory, { recursive: true })
  const store = new DirectoryStore(there.directory, { mustExist: true })
  const unmounted = { message: /is not there: mount its disk/ }
  await t.rejects(backUpWorld({ ...there, store }), unmounted)
  await t.rejects(listBackups(store), unmounted)
  await t.rejects(store.put('a', inChunks(Buffer.of(1))), unmounted)
  t.equal(existsSync(there.directory), false, 'a disk that is not mounted gets no directory in its place')
  writeFileSync(there.directory, 'in the way')
  await t.rejects(backUpWorld(there), /ENOTDIR/)
  await t.rejects(listBackups(there.store), /ENOTDIR/)
})

t.test('a backup is named by its name or by a path to one of its files, also a relative one', async t => {
  const there = await backupWorld(t)
  const { name } = await backUpWorld(there)
  const { place } = there.store
  const listed = await listBackups(there.store)
  const path = join(place, filesOf(name).exchange)
  for (const text of [name, path, relative(process.cwd(), path), `./${relative(process.cwd(), path)}`])
    t.equal(findBackup(listed, text, place).name, name, text)
  const elsewhere = join(place, '..', 'other', filesOf(name).exchange)
  t.throws(() => findBackup(listed, elsewhere, place), /is not the name of a backup/)
})

for (const kind of ['here', 'elsewhere'] as const) {
  t.test(`what a killed backup leaves ${kind} is deleted, and nothing that others left`, async t => {
    const there = await backupWorld(t, kind)
    const earlier = await backUpWorld(there)
    const at = (minutes: number) => (NOW + minutes * 60_000) as TimeMs
    // Another exchange is making a backup in the same directory, or an operator has put a copy there.
    const foreign = filesOf(backupNameAt(at(-1))).exchange
    writeFileSync(join(there.directory, foreign), 'of another exchange')
    let reached = () => {}
    const isAtManifest = new Promise<void>(resolve => {
      reached = resolve
    })
    const killed = changed(there.store, {
      put: (name, contents) => {
        if (!name.endsWith('.json')) return there.store.put(name, contents)
        reached()
        return new Promise(() => {})
      },
    })
    void backUpWorld({ ...there, store: killed }, at(1))
    await isAtManifest
    const left = allFilesOf(backupNameAt(at(1))).filter(name => filesIn(there.directory).includes(name))
    t.ok(left.length > 1, 'its files are there, without a manifest')

    const others = changed(there.store, { place: 'another place' })
    await clearKilled(there.stage, others)
    t.ok(filesIn(there.directory).includes(left[0] ?? ''), 'a store of the past may be out of reach')
    await clearKilled(there.stage, there.store)
    const names = (await listBackups(there.store)).map(({ name }) => name)
    t.same(names, [earlier.name, backupNameAt(at(-1))])
    t.same(
      filesIn(there.directory).filter(name => left.includes(name)),
      [],
    )
    t.same(
      filesIn(there.stage).filter(name => name === 'making'),
      [],
    )
    t.ok((await backUpWorld(there, at(1))).manifest, 'its name is free again')
  })
}

t.test('a note that was cut off, or of a backup that has its manifest, deletes nothing', async t => {
  const there = await backupWorld(t)
  const { name } = await backUpWorld(there)
  const before = filesIn(there.directory)
  const place = relative(there.stage, there.store.place)
  for (const text of ['', '{', '{"place":"/"}', '[]', 'null']) {
    writeFileSync(join(there.stage, 'making'), text)
    await clearKilled(there.stage, there.store)
    t.same(filesIn(there.stage), [], text)
  }
  for (const named of [name, `../${name}`, `${name}.db`, 'access']) {
    writeFileSync(join(there.stage, 'making'), JSON.stringify({ place, name: named }))
    await clearKilled(there.stage, there.store)
    t.same(filesIn(there.directory), before, named)
  }
})
