import { existsSync, mkdirSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { Test } from 'tap'
import t from 'tap'
import { ACCESS_FILE } from '../../src/access/accounts/access-schema.js'
import { prepareFile } from '../../src/exchange/recovery/recovery.js'
import { SITE_FILE } from '../../src/site/site-schema.js'
import { openCompanion } from '../../src/store/companions/companion-database.js'
import { examineCompanion } from '../../src/store/companions/companion-fault.js'
import { openReadOnly } from '../../src/store/database.js'
import { companionPath } from '../../src/store/files/companion-files.js'
import { schemaVersion } from '../../src/store/schema.js'
import { SCHEMA_VERSION } from '../../src/store/tables-schema.js'
import { verifyFile } from '../../src/verify/verify-file.js'
import { imagesDuring, onFullDisk } from '../fixtures/step-images.js'
import { layOutStored } from '../fixtures/stored-files.js'
import { wrong } from '../fixtures/wrong.js'

const COMPANIONS = [ACCESS_FILE, SITE_FILE]

/** Lays out the files of the first version in a new directory; returns the path of the tables. */
function layOut(t: Test, name: string): string {
  const directory = join(t.testdirName, name)
  mkdirSync(directory)
  return layOutStored(directory)
}

/** The rows of a file's tables, by name; of the search's index only what verification reads of it. */
function rowsOf(file: string): unknown {
  const database = openReadOnly(file)
  try {
    const names = database.prepare<unknown[], string>(
      "SELECT name FROM main.sqlite_schema WHERE type = 'table' AND name NOT GLOB 'market_words*' ORDER BY name",
    )
    return names
      .pluck()
      .all()
      .map(name => [name, database.prepare(`SELECT * FROM main.${name}`).raw().all()])
  } finally {
    database.close()
  }
}

const contentOf = (file: string) =>
  ['raay.db', 'journal.db'].map(name => {
    const path = join(dirname(file), name)
    return existsSync(path) ? rowsOf(path) : undefined
  })

t.test('a kill at any point of the steps from the first version on loses nothing', t => {
  t.testdir({ images: {} })
  const file = layOut(t, 'live')
  const images = imagesDuring(dirname(file), join(t.testdirName, 'images'), () => prepareFile(file))
  const whole = contentOf(file)
  const versions = new Set<number>()
  for (const image of images) {
    const left = join(image, 'raay.db')
    versions.add(versionOf(left))
    prepareFile(left)
    t.same(contentOf(left), whole, basename(image))
    t.same(wrong(verifyFile(left)), [], basename(image))
  }
  const passed = Array.from({ length: SCHEMA_VERSION - 9 }, (_, step) => 10 + step)
  t.same([...versions], passed, 'kills between every two steps')
  t.end()
})

function versionOf(file: string): number {
  const database = openReadOnly(file)
  try {
    return schemaVersion(database)
  } finally {
    database.close()
  }
}

t.test('a kill at any point of the steps of a companion loses nothing', t => {
  t.testdir({ images: {} })
  for (const kind of COMPANIONS) {
    const file = layOut(t, kind.companion)
    const path = companionPath(file, kind.companion)
    mkdirSync(join(t.testdirName, 'images', kind.companion))
    const open = (at: string) => openCompanion(at, kind).close()
    const images = imagesDuring(dirname(file), join(t.testdirName, 'images', kind.companion), () => {
      open(path)
    })
    const whole = rowsOf(path)
    t.ok(images.length >= 2, `${images.length} different moments`)
    for (const image of images) {
      const left = join(image, basename(path))
      open(left)
      t.same(rowsOf(left), whole, left)
      t.equal(examineCompanion({ path: left }, kind).kind, 'sound')
    }
  }
  t.end()
})

t.test('a disk that is full at any step leaves files that the next start brings to the end', t => {
  t.testdir({})
  const whole = layOut(t, 'whole')
  prepareFile(whole)
  let steps = 0
  for (let isFull = true; isFull; steps++) {
    const file = layOut(t, `full${steps}`)
    isFull = onFullDisk(steps, () => {
      try {
        prepareFile(file)
      } catch (error) {
        t.match(String(error), /the disk is full, and nothing is lost/, `step ${steps}`)
      }
    })
    prepareFile(file)
    t.same(contentOf(file), contentOf(whole), `step ${steps}`)
  }
  t.ok(steps > SCHEMA_VERSION - 10, `${steps} steps`)
  t.end()
})
