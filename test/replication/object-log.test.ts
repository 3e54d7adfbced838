import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, renameSync, rmdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Test } from 'tap'
import t from 'tap'
import { DirectoryStore } from '../../src/backup/stores/directory-store.js'
import type { Sequence, TimeMs } from '../../src/core/units.js'
import { objectName, readHead } from '../../src/replication/objects/journal-object.js'
import { forkOf } from '../../src/replication/objects/fork-of.js'
import { ObjectLog } from '../../src/replication/objects/object-log.js'
import { Shipper } from '../../src/replication/objects/shipper.js'
import { TrimmedError } from '../../src/replication/replication-error.js'
import type { JournalRow } from '../../src/store/journal.js'

const FIRST = 1 as Sequence

const hashOf = (sequence: number) => createHash('sha256').update(`line ${sequence}`).digest()
const endAt = (sequence: number) => ({ sequence: sequence as Sequence, hash: hashOf(sequence) })

function lines(from: number, to: number): JournalRow[] {
  return Array.from({ length: to - from + 1 }, (_, index) => {
    const sequence = (from + index) as Sequence
    return { sequence, shard: 0, at: sequence as number as TimeMs, commands: '[]', hash: hashOf(sequence) }
  })
}

/** A log in a directory, as the exchange sees it that writes it, and as one does that takes over. */
function openLogs(t: Test, directory = t.testdir()) {
  const store = new DirectoryStore(directory, { mustExist: true })
  const open = (own: (sequence: number) => Buffer | undefined) =>
    new ObjectLog({ store, exchange: '0123abcd', keys: { recipients: [], identities: [] }, own })
  return { store, leader: open(hashOf), heir: open(() => undefined) }
}

t.test('a take-over from a backup that is ahead of the log ends the exchange that writes it', async t => {
  const { leader, heir } = openLogs(t)
  t.match(await leader.append(lines(1, 5), endAt(0)), { kind: 'appended' })
  t.equal(await heir.fence(endAt(10), 'heir', FIRST), 'ended')
  t.match(await leader.append(lines(6, 12), endAt(5)), {
    kind: 'fenced',
    reason: /taken over behind batch 10/,
  })
  const last = await leader.last()
  t.match(last && leader.judge(last), { kind: 'fenced' }, 'and after a restart')
  t.equal(await heir.fence(endAt(10), 'heir', FIRST), 'ended', 'its own, tried again')
  t.equal(await heir.fence(endAt(10), 'another', FIRST), 'ended by another')
})

t.test('what was put though its answer was lost is looked for, and not put again', async t => {
  const { store, leader } = openLogs(t)
  const putNew = store.putNew.bind(store)
  let puts = 0
  store.putNew = async (name, contents) => {
    puts++
    await putNew(name, contents)
    throw new Error('timeout')
  }
  const journal = { linesAfter: ({ sequence }: { sequence: number }) => lines(sequence + 1, 3) }
  const shipper = new Shipper({ log: leader, journal, from: endAt(0) })
  t.match(await shipper.ship(), { kind: 'unknown' })
  t.match(await shipper.ship(), { kind: 'mine', end: endAt(3) })
  t.equal(puts, 1)
  await store.delete(objectName(FIRST))
  t.match(
    await shipper.look(),
    { kind: 'unknown', reason: /no longer has journal-/ },
    'and missed if it goes',
  )
})

t.test('lists the files that it is asked for', async t => {
  const { store, leader } = openLogs(t)
  await leader.append(lines(1, 1), endAt(0))
  await store.putNew('raay-replica.json', Buffer.from('{}'))
  t.same(
    (await store.list('raay-')).map(({ name }) => name),
    ['raay-replica.json'],
  )
  t.same(await leader.names(), [objectName(FIRST)])
  t.same([(await store.list()).length, (await store.list('eplica')).length], [2, 0])
})

t.test('a take-over of a log without objects ends it, too', async t => {
  const { leader, heir } = openLogs(t)
  t.equal(await heir.fence(endAt(3), 'heir', FIRST), 'ended')
  t.match(await leader.append(lines(1, 5), endAt(0)), { kind: 'fenced' })
})

t.test('a take-over that has not read all lines reads on', async t => {
  const { leader, heir } = openLogs(t)
  await leader.append(lines(1, 5), endAt(0))
  t.equal(await heir.fence(endAt(4), 'heir', FIRST), 'more lines')
  t.equal(await heir.fence(endAt(5), 'heir', FIRST), 'ended')
})

t.test(
  'an exchange without anything to append hears of one that leads, and of a store that fails',
  async t => {
    const { leader, heir } = openLogs(t)
    const shipper = new Shipper({ log: leader, journal: { linesAfter: () => [] }, from: endAt(5) })
    t.equal(await shipper.look(), undefined)
    // It has decided nothing, and the other one has begun to lead with a line of its own.
    const [line] = lines(6, 6)
    await heir.append([{ ...(line as JournalRow), hash: hashOf(60) }], endAt(5))
    t.match(await shipper.look(), {
      kind: 'fenced',
      reason: /has batch 6, and this exchange has another one/,
    })
    const failing = {
      append: leader.append,
      behind: async () => ({ kind: 'unknown', reason: 'down' }) as const,
    }
    const deaf = new Shipper({ log: failing, journal: { linesAfter: () => [] }, from: endAt(5) })
    const found = [await deaf.look(), await deaf.look()].at(-1)
    t.ok(deaf.pauseAfter(found) > deaf.pauseAfter(undefined), 'asks less often')
  },
)

t.test('a disk that is not mounted is waited for, whatever is in its place', async t => {
  const place = join(t.testdir(), 'replica')
  const away = `${place}-away`
  for (const [isEmpty, what] of [
    [false, 'no directory'],
    [true, 'an empty directory'],
  ] as const) {
    mkdirSync(place)
    const { leader, heir } = openLogs(t, place)
    const fails = {
      kind: 'unknown',
      reason: isEmpty ? /no longer has journal-.*: mount/ : /is not there: mount/,
    }
    await leader.append(lines(1, 5), endAt(0))
    const journal = { linesAfter: ({ sequence }: { sequence: number }) => lines(sequence + 1, 9) }
    const shipper = new Shipper({ log: leader, journal, from: endAt(5) })
    for await (const _ of heir.read(0 as Sequence)) _.slice()
    renameSync(place, away)
    if (isEmpty) mkdirSync(place)
    for (let attempt = 0; attempt < 2; attempt++) {
      t.match(await leader.append(lines(6, 9), endAt(5)), fails, what)
      t.match(await shipper.ship(), fails, 'and tried again')
      t.match(await shipper.look(), fails, 'also while nothing is decided')
      await t.rejects(
        heir.checkKept(endAt(5)),
        { name: 'Error', message: fails.reason },
        'a standby waits, too',
      )
    }
    t.same(isEmpty ? readdirSync(place) : existsSync(place), isEmpty ? [] : false, 'nothing is written')
    if (isEmpty) rmdirSync(place)
    renameSync(away, place)
    t.match(await shipper.ship(), { kind: 'appended', end: endAt(9) })
    await heir.checkKept(endAt(5))
    renameSync(place, `${place}-${isEmpty}`)
  }
})

t.test('a disk that is unmounted while it is read has not been trimmed', async t => {
  const place = join(t.testdir(), 'replica')
  const away = `${place}-away`
  mkdirSync(place)
  const { leader, heir, store } = openLogs(t, place)
  for (const from of [0, 5, 10]) await leader.append(lines(from + 1, from + 5), endAt(from))
  const isAway = { name: 'Error', message: /no longer has journal-.*: mount its disk|is not there: mount/ }
  for (const isEmpty of [true, false]) {
    const read = heir.read(0 as Sequence)
    t.match(await read.next(), { value: lines(1, 5) })
    renameSync(place, away)
    if (isEmpty) mkdirSync(place)
    await t.rejects(read.next(), isAway, 'the rest is not there')
    await t.rejects(heir.read(5 as Sequence).next(), isAway, 'nor is it the end')
    await t.rejects(heir.last(), isAway)
    await t.rejects(heir.fence(endAt(15), 'heir', FIRST), isAway, 'and nobody takes over there')
    t.same(isEmpty ? readdirSync(place) : existsSync(place), isEmpty ? [] : false)
    if (isEmpty) rmdirSync(place)
    renameSync(away, place)
  }
  const read = heir.read(0 as Sequence)
  await read.next()
  for (const name of (await leader.names()).slice(0, 2)) await store.delete(name)
  await t.rejects(read.next(), TrimmedError, 'later ones are there')
  t.equal(await heir.fence(endAt(15), 'heir', FIRST), 'ended')
})

t.test('the last object is gone, and later ones are there: another exchange goes on', async t => {
  const { leader, heir } = openLogs(t)
  await leader.append(lines(1, 5), endAt(0))
  for await (const _ of heir.read(0 as Sequence)) _.slice()
  const { leader: another, store } = openLogs(t, t.testdirName)
  for (const from of [5, 6, 7]) await another.append(lines(from + 1, from + 1), endAt(from))
  for (const name of readdirSync(t.testdirName).sort().slice(0, 2)) await store.delete(name)
  t.match(await leader.behind(endAt(5)), { kind: 'fenced', reason: /gone on without this exchange/ })
  await t.rejects(heir.checkKept(endAt(5)), TrimmedError)
})

t.test('an object in a newer format says so', t => {
  const name = 'journal-0000000000000001.raay'
  const head = (format: unknown) => Buffer.from(`${JSON.stringify({ raay: 'journal', format, from: 1 })}\n`)
  const message = `${name} has format 3, this program knows 2: start a newer Raay`
  t.throws(() => readHead(name, head(3)), { message })
  for (const format of [0, 1.5, '3', null]) {
    t.throws(() => readHead(name, head(format)), { message: `${name} is no object of a journal` })
  }
  t.end()
})

t.test('a journal that a log without objects began with goes on from it', async t => {
  const { leader, heir } = openLogs(t)
  const journal = { end: endAt(3), hashOf }
  t.equal(await forkOf(heir, journal), undefined)
  await leader.append(lines(4, 5), endAt(3))
  t.equal(await forkOf(heir, journal), undefined)
  await t.rejects(forkOf(heir, { end: endAt(3), hashOf: () => undefined }), /no batch in common/)
})
