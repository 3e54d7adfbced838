import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { openDataDirectory } from '../../src/store/files/data-directory.js'
import { DemoFiles, removeDemo } from '../../src/store/files/demo-files.js'
import { journalPath } from '../../src/store/files/journal-path.js'

t.test('a demo and an exchange cannot share a directory', async t => {
  const path = t.testdir({ exchange: { 'raay.db': 'orders of people' }, demo: {}, empty: {} })
  const exchange = join(path, 'exchange')
  t.throws(() => openDataDirectory(exchange, 'demo'), {
    name: 'DataDirectoryError',
    message: `${exchange} holds an exchange that is no demo: choose another directory for the demo with --data`,
  })
  t.notOk(existsSync(join(exchange, 'raay.demo')), 'a refusal leaves no marker')
  openDataDirectory(exchange).release()

  const demo = join(path, 'demo')
  openDataDirectory(demo, 'demo').release()
  t.throws(() => openDataDirectory(demo), {
    name: 'DataDirectoryError',
    message: `${demo} holds a demo: start it with --demo, or choose another directory with --data`,
  })
  const again = openDataDirectory(demo, 'demo')
  t.throws(() => openDataDirectory(demo, 'demo'), { message: /is in use by another Raay process/ })
  t.throws(() => openDataDirectory(demo), { message: /is in use by another Raay process/ })
  again.release()
})

t.test('a demo is removed with its directory', async t => {
  const path = join(t.testdir(), 'demo')
  const directory = openDataDirectory(path, 'demo')
  const logs = ['raay.db-wal', 'raay.db-shm', 'journal.db-wal', 'history.db-wal', 'history.journal.db-shm']
  for (const name of ['raay.db', 'journal.db', 'history.db', 'history.journal.db', ...logs]) {
    writeFileSync(join(path, name), 'made up')
  }
  t.throws(() => removeDemo(path), { message: /is in use/ }, 'but not while it runs')
  t.ok(existsSync(directory.file))
  directory.release()
  t.equal(removeDemo(path), true)
  t.notOk(existsSync(path))
  t.equal(removeDemo(path), false, 'once')
  t.notOk(existsSync(path), 'and asking creates nothing')
})

t.test('only the files of the demo are removed', async t => {
  const path = t.testdir({ exchange: { 'raay.db': 'orders of people' }, demo: { 'notes.txt': 'mine' } })
  const exchange = join(path, 'exchange')
  t.equal(removeDemo(exchange), false)
  t.same(readdirSync(exchange), ['raay.db'])

  const demo = join(path, 'demo')
  openDataDirectory(demo, 'demo').release()
  mkdirSync(join(demo, 'backups'))
  t.equal(removeDemo(demo), true)
  t.same(readdirSync(demo).sort(), ['backups', 'notes.txt'])
  openDataDirectory(demo).release()
})

t.test('an unfinished file does not count', async t => {
  const directory = openDataDirectory(t.testdir(), 'demo')
  const files = new DemoFiles(directory)
  await t.rejects(
    files.make(async file => {
      writeFileSync(file, 'half of it')
      writeFileSync(journalPath(file), 'half of it')
      throw new Error('the power went')
    }),
    /the power went/,
  )
  t.notOk(files.exist)
  await files.make(async file => {
    for (const path of [file, journalPath(file)]) {
      t.notOk(existsSync(path), 'the unfinished file is gone')
      writeFileSync(path, 'all of it')
    }
  })
  t.ok(files.exist)
  t.equal(files.bytes, 18)
  t.ok(existsSync(journalPath(directory.file)))
  files.clear()
  t.notOk(files.exist)
  t.same(
    readdirSync(directory.path).filter(name => name.endsWith('.db')),
    [],
  )
  directory.release()
})

t.test('a directory with only the journal of an exchange is not taken for a demo', async t => {
  const path = t.testdir({ 'journal.db': 'orders of people' })
  t.throws(() => openDataDirectory(path, 'demo'), { message: /holds an exchange that is no demo/ })
})
