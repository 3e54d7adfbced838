import { copyFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Test } from 'tap'
import t from 'tap'
import { checkpoint, openDatabase, openReadOnly } from '../../src/store/database.js'
import { copyTo } from '../../src/store/files/backup-file.js'
import { FilePlaces } from '../../src/store/files/file-places.js'
import { migrateTables } from '../../src/store/tables-schema.js'

const ACCOUNT = "INSERT OR REPLACE INTO accounts (number, owner, cash, held) VALUES (9, 'user:asha', 100, 10)"

/** Looks the given number of times. Returns the last answer. */
async function look(places: FilePlaces, times: number): Promise<string | undefined> {
  let message: string | undefined
  for (let time = 0; time < times; time++) message = (await places.look())?.message
  return message
}

function openFile(t: Test) {
  const file = join(t.testdir(), 'raay.db')
  const database = openDatabase(file)
  t.teardown(() => database.close())
  migrateTables(database)
  return { file, database, places: new FilePlaces([file, `${file}-wal`, `${file}-shm`]) }
}

t.test('two consecutive looks that find a file deleted, renamed or replaced name it', async t => {
  for (const end of ['', '-wal', '-shm']) {
    const rows: readonly (readonly [(path: string) => void, string])[] = [
      [path => rmSync(path), `raay.db${end} was deleted or renamed`],
      [path => renameSync(path, `${path}.old`), `raay.db${end} was deleted or renamed`],
      [path => replace(path), `raay.db${end} was replaced by another file`],
    ]
    for (const [change, message] of rows) {
      const { file, places } = openFile(t)
      t.equal(await look(places, 3), undefined)
      change(file + end)
      t.equal(await look(places, 1), undefined, 'one look proves nothing')
      t.equal(await look(places, 1), message)
    }
  }
})

function replace(path: string): void {
  copyFileSync(path, `${path}.copy`)
  renameSync(`${path}.copy`, path)
}

t.test('a file that is back at the next look counts as present', async t => {
  const { file, places } = openFile(t)
  for (let time = 0; time < 3; time++) {
    renameSync(file, `${file}.old`)
    t.equal(await look(places, 1), undefined)
    renameSync(`${file}.old`, file)
    t.equal(await look(places, 1), undefined)
  }
  writeFileSync(join(file, '..', 'raay.db.other'), '')
  t.equal(await look(places, 2), undefined)
})

t.test('a renamed directory and a file that never existed are reported', async t => {
  const { file, places } = openFile(t)
  const directory = join(file, '..')
  renameSync(directory, `${directory}-2`)
  t.match(await look(places, 2), /^raay.db was deleted or renamed, raay.db-wal was/)
  renameSync(`${directory}-2`, directory)
  t.equal(await look(places, 1), undefined)
  t.match(await look(new FilePlaces([join(directory, 'none')]), 2), 'none was deleted or renamed')
})

t.test('checkpoints, backups and other connections raise no alarm', async t => {
  const { file, database, places } = openFile(t)
  for (let round = 0; round < 3; round++) {
    database.exec(ACCOUNT)
    t.equal(await look(places, 2), undefined, 'a commit')
    checkpoint(database)
    t.equal(await look(places, 2), undefined, 'a checkpoint that empties the log')
    copyTo(file, join(file, '..', 'backups', `raay-${round}.db`))
    t.equal(await look(places, 2), undefined, 'a backup')
    openReadOnly(file).close()
    const second = openDatabase(file)
    second.exec(ACCOUNT)
    second.close()
    t.equal(await look(places, 2), undefined, 'another connection')
    database.exec('VACUUM')
    t.equal(await look(places, 2), undefined, 'a rewritten file')
  }
})
