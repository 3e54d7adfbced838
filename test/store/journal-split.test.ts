import { copyFileSync, existsSync, mkdirSync, readdirSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Test } from 'tap'
import t from 'tap'
import { prepareFile } from '../../src/exchange/recovery/recovery.js'
import { openReadOnly } from '../../src/store/database.js'
import { readIdIn } from '../../src/store/files/exchange-id.js'
import { IdFile } from '../../src/store/files/id-file.js'
import { journalPath } from '../../src/store/files/journal-path.js'
import { hasJournal } from '../../src/store/files/journal-split.js'
import { schemaVersion } from '../../src/store/schema.js'
import { SCHEMA_VERSION } from '../../src/store/tables-schema.js'
import { verifyFile } from '../../src/verify/verify-file.js'
import { damagedCopy } from '../fixtures/damaged-copy.js'
import { imagesDuring, onFullDisk } from '../fixtures/step-images.js'
import { layOutStored } from '../fixtures/stored-files.js'
import { TestExchange } from '../fixtures/test-exchange.js'
import { wrong } from '../fixtures/wrong.js'

const DAY = ['asha buy 10 @ 6', 'ben sell 6 @ 6', 'cora sell 4 @ 5', 'cora buy 3 @ 7', 'asha sell 3 @ 7']

const test = await TestExchange.open(t)
await test.create()
await test.playAll(DAY)
const backup = test.crashImage(join(test.file, '..', 'backup.db'))
await test.playAll(DAY)
await test.close()

/** Lays out a data directory as it is before a start, and returns its file of tables. */
type LayOut = (directory: string) => string

const STARTS: Readonly<Record<string, LayOut>> = {
  'files of the first version': layOutStored,
  'a file without an id': directory => {
    const file = join(directory, 'raay.db')
    renameSync(
      damagedCopy(test.file, database => database.pragma('application_id = 0')),
      file,
    )
    return file
  },
  'a backup': directory => {
    copyFileSync(backup, join(directory, 'raay.db'))
    return join(directory, 'raay.db')
  },
  'a backup beside the newer journal': directory => {
    copyFileSync(backup, join(directory, 'raay.db'))
    copyFileSync(journalPath(test.file), join(directory, 'journal.db'))
    copyFileSync(test.file.replace('.db', '.id'), join(directory, 'raay.id'))
    return join(directory, 'raay.db')
  },
  'the tables of an earlier moment': directory => {
    const file = join(directory, 'raay.db')
    copyFileSync(backup, file)
    prepareFile(file)
    copyFileSync(journalPath(test.file), join(directory, 'journal.db'))
    return file
  },
  'a new exchange': directory => join(directory, 'raay.db'),
  'an empty file': directory => {
    writeFileSync(join(directory, 'raay.db'), '')
    return join(directory, 'raay.db')
  },
}

/** Returns all rows of tables and journal, after checking that the two files are a pair. */
function contentOf(t: Test, file: string): Record<string, unknown> {
  const database = openReadOnly(file)
  try {
    t.notOk(hasJournal(database), 'the journal has a file of its own')
    t.equal(schemaVersion(database), SCHEMA_VERSION)
    const names = database
      .prepare<unknown[], string>("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
      .pluck()
      .all()
    const rows = [...names, 'whole_journal'].map(name => [
      name,
      database.prepare(`SELECT * FROM ${name}`).all(),
    ])
    return Object.fromEntries(rows)
  } finally {
    database.close()
    const id = readIdIn(file)
    t.not(id, 0)
    t.same([readIdIn(journalPath(file)), new IdFile(file).read()], [id, id], 'one id')
    t.same(leftovers(file), [], 'no unfinished files')
  }
}

function leftovers(file: string): string[] {
  const directory = join(file, '..')
  const backups = join(directory, 'backups')
  const names = [...readdirSync(directory), ...(existsSync(backups) ? readdirSync(backups) : [])]
  return names.filter(name => name.includes('.partial'))
}

function emptyDirectory(t: Test, name: string): string {
  const path = join(t.testdirName, name)
  mkdirSync(path, { recursive: true })
  return path
}

for (const [what, layOut] of Object.entries(STARTS)) {
  t.test(`a start with ${what} can be killed before any step, and the next one completes it`, async t => {
    t.testdir()
    const directory = emptyDirectory(t, 'live')
    const file = layOut(directory)
    const images = imagesDuring(directory, emptyDirectory(t, 'images'), () => prepareFile(file))
    const whole = contentOf(t, file)
    t.same(wrong(verifyFile(file)), [])
    t.ok(images.length >= 3, `${images.length} different moments`)
    for (const image of images) {
      const left = join(image, 'raay.db')
      prepareFile(left)
      t.same(contentOf(t, left), whole, image)
    }
  })
}

t.test('a start on a full disk fails, says so, and loses nothing', async t => {
  for (const what of ['a file without an id', 'a backup', 'a backup beside the newer journal'] as const) {
    t.testdir()
    const layOut = STARTS[what] as LayOut
    const expected = layOut(emptyDirectory(t, 'whole'))
    prepareFile(expected)
    const whole = contentOf(t, expected)
    let steps = 0
    for (let isFull = true; isFull; steps++) {
      const file = layOut(emptyDirectory(t, `full${steps}`))
      const message = /the disk is full, and nothing is lost: free some space and start again/
      isFull = onFullDisk(steps, () => {
        try {
          prepareFile(file)
        } catch (error) {
          t.match(String(error), message, `${what}, step ${steps}`)
        }
      })
      t.same(leftovers(file), [], 'the room of an unfinished copy is given back')
      prepareFile(file)
      t.same(contentOf(t, file), whole)
    }
    t.ok(steps > 5, `${what}: ${steps} steps`)
  }
})
