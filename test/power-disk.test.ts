import t from 'tap'
import { Dice } from './fixtures/dice.js'
import { Disk } from './fixtures/power/disk.js'
import type { Leftover } from './fixtures/power/disk-file.js'
import type { TraceRecord } from './fixtures/power/trace.js'

const SECTOR_BYTES = 512
const ROLLS = 400
const DIRECTORY = 1
const FILE = 'raay.db'
const OTHER = 'raay.db.partial'

/**
 * Writes to one file, and all that a power cut may leave of it: a letter for each sector, `0` for one of
 * zeros, `-` for an empty file, `none` for no file. The first is what stays when nothing else arrives, the
 * last when everything does.
 */
const CASES: readonly (readonly [behaviour: string, steps: string, left: string])[] = [
  ['keeps what was synced', 'open, write 0 ab, sync, sync-names', 'ab'],
  [
    'may lose what was not, sector by sector',
    'open, write 0 ab, sync, sync-names, write 0 cd',
    'ab ad cb cd',
  ],
  ['may keep any state of a sector', 'open, write 0 a, sync, sync-names, write 0 b, write 0 c', 'a b c'],
  ['may grow before its data arrive', 'open, write 0 a, sync, sync-names, write 1 b', 'a a0 ab'],
  ['grows in order', 'open, sync-names, write 0 a, write 1 b', '- 0 00 0b a a0 ab'],
  ['loses its end as a whole', 'open, write 0 abc, sync, sync-names, truncate 1', 'abc a'],
  [
    'has nothing new behind an end that it has not lost',
    'open, write 0 ab, sync, sync-names, truncate 0, write 0 c',
    'ab - 0 c',
  ],
  [
    'is written ahead of an end that it has not lost',
    'open, write 0 ab, sync, sync-names, truncate 1, write 0 c',
    'ab a cb c',
  ],
  ['is synced as it was when the sync began', 'open, sync-names, write 0 a, begin, write 0 b, end', 'a b'],
  ['has its name for certain after the sync of the directory', 'open, write 0 a, sync', 'none a'],
  ['may come back after it was unlinked', 'open, write 0 a, sync, sync-names, unlink', 'a none'],
  [
    'is gone after the sync of the directory',
    'open, write 0 a, sync, sync-names, unlink, sync-names',
    'none',
  ],
  [
    'may be the one before of the same name',
    'open, write 0 a, sync, sync-names, unlink, open, write 0 b, sync',
    'a none b',
  ],
  [
    'has its new name for certain after the sync of the directory',
    'open-other, write 0 a, sync, sync-names, rename, sync-names',
    'a',
  ],
  ['may lose its new name before', 'open-other, write 0 a, sync, sync-names, rename', 'none a'],
]

for (const [behaviour, steps, left] of CASES) {
  t.test(`a file ${behaviour}`, async t => {
    const expected = left.split(' ')
    const disk = diskAfter(steps)
    t.equal(lettersLeft(disk, 'nothing'), expected[0], 'nothing else arrives')
    t.equal(lettersLeft(disk, 'everything'), expected.at(-1), 'everything arrives')
    const dice = new Dice(1)
    const found = Array.from({ length: ROLLS }, () =>
      lettersLeft(disk, { dice, sectorPercent: 50, isNoisy: false }),
    )
    t.same([...new Set(found)].sort(), [...expected].sort(), 'something arrives')
  })
}

t.test('a rename is there whole or not at all', async t => {
  const disk = diskAfter('open, write 0 a, sync, sync-names')
  disk.take({ kind: 'renamed', position: 10, name: FILE, newName: 'new' })
  t.same([...disk.filesAfterCut('nothing').keys()], [FILE], 'nothing else arrives')
  t.same([...disk.filesAfterCut('everything').keys()], ['new'], 'everything arrives')
  const leftover: Leftover = { dice: new Dice(1), sectorPercent: 50, isNoisy: false }
  const left = Array.from({ length: ROLLS }, () => [...disk.filesAfterCut(leftover).keys()].join())
  t.same([...new Set(left)].sort(), ['new', FILE].sort(), 'something arrives: never both names, or none')
  disk.take({ kind: 'synced', position: 11, handle: DIRECTORY, beganAt: 11 })
  t.same([...disk.filesAfterCut('nothing').keys()], ['new'], 'certain after the sync of the directory')
  t.equal(disk.filesAfterCut('nothing').get('new')?.toString('latin1', 0, 1), 'a', 'with what it holds')
})

t.test('a sector that did not arrive may hold noise, a synced one never does', async t => {
  const disk = diskAfter('open, write 0 a, sync, sync-names, write 1 b')
  const dice = new Dice(1)
  const found = Array.from({ length: ROLLS }, () =>
    disk.filesAfterCut({ dice, sectorPercent: 50, isNoisy: true }).get(FILE),
  )
  t.ok(found.every(bytes => bytes?.subarray(0, SECTOR_BYTES).equals(Buffer.alloc(SECTOR_BYTES, 'a'))))
  const second = found.filter(bytes => bytes?.length === 2 * SECTOR_BYTES)
  const arrived = second.filter(bytes =>
    bytes?.subarray(SECTOR_BYTES).equals(Buffer.alloc(SECTOR_BYTES, 'b')),
  )
  t.ok(arrived.length > 0 && arrived.length < second.length)
})

function diskAfter(steps: string): Disk {
  const disk = new Disk()
  let handle = DIRECTORY
  let beganAt = 0
  disk.take({ kind: 'opened', position: 0, handle: DIRECTORY, name: '' })
  for (const [index, step] of steps.split(', ').entries()) {
    const position = index + 1
    const [verb, number = '', letters = ''] = step.split(' ')
    const offset = Number(number) * SECTOR_BYTES
    if (verb?.startsWith('open') === true) handle++
    if (verb === 'begin') beganAt = position
    const records: Record<string, TraceRecord> = {
      open: { kind: 'opened', position, handle, name: FILE },
      'open-other': { kind: 'opened', position, handle, name: OTHER },
      rename: { kind: 'renamed', position, name: OTHER, newName: FILE },
      write: { kind: 'written', position, handle, offset, bytes: sectors(letters) },
      truncate: { kind: 'truncated', position, handle, size: offset },
      sync: { kind: 'synced', position, handle, beganAt: position },
      end: { kind: 'synced', position, handle, beganAt },
      'sync-names': { kind: 'synced', position, handle: DIRECTORY, beganAt: position },
      unlink: { kind: 'unlinked', position, name: FILE },
    }
    const record = records[verb ?? '']
    if (record !== undefined) disk.take(record)
  }
  return disk
}

function sectors(letters: string): Buffer {
  return Buffer.concat(Array.from(letters, letter => Buffer.alloc(SECTOR_BYTES, letter)))
}

function lettersLeft(disk: Disk, leftover: Leftover): string {
  const bytes = disk.filesAfterCut(leftover).get(FILE)
  if (bytes === undefined) return 'none'
  let letters = ''
  for (let at = 0; at < bytes.length; at += SECTOR_BYTES) {
    letters += bytes[at] === 0 ? '0' : bytes.toString('latin1', at, at + 1)
  }
  return letters || '-'
}
