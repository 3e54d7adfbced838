import { createHash } from 'node:crypto'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import type { Sequence, TimeMs } from '../../src/core/units.js'
import { ObjectPacks } from '../../src/replication/companions/object-packs.js'
import { objectFrom } from '../../src/replication/objects/journal-object.js'
import { ObjectLog } from '../../src/replication/objects/object-log.js'
import { newestBase } from '../../src/replication/objects/fetch-replica.js'
import { ObjectStandby } from '../../src/replication/objects/object-standby.js'
import { MARKER, replicaStore } from '../../src/replication/objects/replica-store.js'
import {
  readStandbyMarks,
  standbyMarkName,
  writeStandbyMark,
} from '../../src/replication/objects/standby-mark.js'
import { trimReplica } from '../../src/replication/objects/trim-replica.js'
import { TrimmedError } from '../../src/replication/replication-error.js'
import type { JournalRow } from '../../src/store/journal.js'
import { BEGINNING, chainHash } from '../../src/store/journal.js'
import { Dice } from '../fixtures/dice.js'
import { LossyStore } from '../fixtures/lossy-store.js'
import { putBackup } from '../fixtures/verified-backup.js'

const EXCHANGE = '0123abcd'
const KEYS = { recipients: [], identities: [] }
const NOW = 1_000_000
const KEEP = 1000
const LINES = 100

const JOURNAL: readonly JournalRow[] = chained([], LINES + 30, 'leader')

/** Returns lines behind others, up to a number. */
function chained(before: readonly JournalRow[], length: number, by: string): JournalRow[] {
  const lines = [...before]
  while (lines.length < length) {
    const { hash } = lines.at(-1) ?? BEGINNING
    const sequence = (lines.length + 1) as Sequence
    const row = {
      sequence,
      shard: 0,
      at: sequence as number as TimeMs,
      commands: JSON.stringify([{ type: 'CREATE_ORDER', by }]),
    }
    lines.push({ ...row, hash: chainHash(hash, row) })
  }
  return lines
}

const endAt = (sequence: number) => JOURNAL[sequence - 1] ?? BEGINNING

/** A replica with objects of ten lines each, and a log as its leader has it. */
async function openReplica() {
  const store = new LossyStore(new Dice(1))
  const open = (own: readonly JournalRow[] = JOURNAL) =>
    new ObjectLog({ store, exchange: EXCHANGE, keys: KEYS, own: sequence => own[sequence - 1]?.hash })
  const leader = open()
  for (let from = 0; from < LINES; from += 10) {
    await leader.append(JOURNAL.slice(from, from + 10), endAt(from))
  }
  const left = () =>
    [...store.files.keys()].flatMap(name => objectFrom(name) ?? []).sort((one, other) => one - other)
  const backUp = (sequence: number, ok: boolean | null = true, hash = endAt(sequence).hash) =>
    putBackup(store, {
      exchange: EXCHANGE,
      end: { sequence: sequence as Sequence, hash },
      number: sequence,
      ok,
    })
  /** Trims it while all lines up to one are old enough. */
  const warnings: string[] = []
  const warn = (message: string) => warnings.push(message)
  const trim = (old = LINES, isStopped = () => false, through = LINES, now = NOW) =>
    trimReplica({
      ...{ store: replicaStore(store), exchange: EXCHANGE, keepMs: KEEP, now: () => now, isStopped, warn },
      through: () => through as Sequence,
      journal: {
        hashOf: sequence => JOURNAL[sequence - 1]?.hash,
        lastBefore: at => (at === now - KEEP ? old : 0) as Sequence,
      },
    })
  return { store, open, leader, left, backUp, trim, warnings }
}

/** The mark of a standby, written some time ago. */
const markAt = (sequence: number, ago: number, name = 'standby-0123456789abcdef.json') =>
  ({ name, sequence: sequence as Sequence, at: NOW - ago }) as const

t.test('keeps what no verified backup has, what is new, and what a standby that is alive needs', async t => {
  const { store, left, backUp, trim } = await openReplica()
  t.match(await trim(), { from: 1, bytes: Number }, 'without a backup')
  backUp(95, null)
  backUp(94, false)
  backUp(93, true, createHash('sha256').update('another chain').digest())
  await trim()
  t.equal(left().length, 10, 'nor with one that is not verified, was found broken, or is of another chain')
  backUp(55)
  await trim(25)
  t.same(left()[0], 21, 'the object with line 25 has younger lines')
  backUp(97)
  await trim(LINES, () => false, 96)
  t.same(left()[0], 51, 'a backup that is ahead of the replica counts for nothing')
  await writeStandbyMark(store, markAt(72, KEEP))
  await writeStandbyMark(store, markAt(60, KEEP + 1, 'standby-fedcba9876543210.json'))
  const kept = await trim()
  t.same(left(), [71, 81, 91], 'no farther than the standby that is alive')
  t.equal(kept.from, 71)
  const sizes = [...store.files].flatMap(([name, { length }]) =>
    objectFrom(name) === undefined ? [] : [length],
  )
  t.equal(
    kept.bytes,
    sizes.reduce((sum, size) => sum + size, 0),
  )
  t.notOk(store.files.has('standby-fedcba9876543210.json'), 'the mark of one that is gone is deleted')
  store.files.set('standby-0123456789abcdef.json', Buffer.from('{"raay":'))
  await trim()
  t.equal(left()[0], 71, 'a mark that cannot be read is of a standby that needs all')
  store.files.delete('standby-0123456789abcdef.json')
  backUp(100)
  await trim()
  t.same(left(), [81, 91], 'the last two are always kept')
})

t.test('a mark that is damaged, or dated in the future, keeps batches no longer than others', async t => {
  const name = 'standby-0123456789abcdef.json'
  for (const [text, needs, why] of [
    ['{"raay":', 1, /is damaged/],
    [JSON.stringify({ raay: 'standby', sequence: 45, at: NOW + 1e12 }), 41, /dated in the future/],
  ] as const) {
    const { store, left, backUp, trim, warnings } = await openReplica()
    backUp(100)
    store.files.set(name, Buffer.from(text))
    await trim()
    t.same([left()[0], warnings.length], [needs, 1])
    t.match(warnings[0], why)
    await trim(LINES, () => false, LINES, NOW + KEEP)
    t.same([left()[0], warnings.length], [needs, 1], 'it counts like one from then')
    await trim(LINES, () => false, LINES, NOW + KEEP + 1)
    t.same(left(), [81, 91])
    t.notOk(store.files.has(name))
  }
  const { store, left, backUp, trim, warnings } = await openReplica()
  backUp(100)
  await writeStandbyMark(store, markAt(45, -3_600_000))
  await trim()
  t.same([left()[0], warnings], [41, []], 'clocks may differ a little')
  t.match(await readStandbyMarks(store), [{ at: NOW + 3_600_000 }])
})

t.test('standbys in containers, with equal hosts and paths, have marks of their own', async t => {
  const one = t.testdir()
  const name = standbyMarkName(one)
  t.match(name, /^standby-[0-9a-f]{16}\.json$/)
  t.equal(standbyMarkName(one), name, 'a restart keeps it')
  const id = join(one, 'raay.standby')
  rmSync(id)
  const another = standbyMarkName(one)
  t.not(another, name)
  writeFileSync(id, 'torn')
  t.notOk([name, another].includes(standbyMarkName(one)))
})

t.test('looks at no more names than it needs: a busy exchange has some hundred thousand objects', async t => {
  const { store, open, backUp, trim } = await openReplica()
  backUp(65)
  const asked: (string | undefined)[] = []
  const list = store.list.bind(store)
  store.list = async beginning => {
    asked.push(beginning)
    return list(beginning)
  }
  await open().last()
  await readStandbyMarks(store)
  store.files.set(MARKER, Buffer.alloc(0))
  await new ObjectPacks(store, 'accounts').last()
  t.same(asked, ['journal-', 'standby-', 'companion-accounts-'])
  await trim()
  t.equal(asked.filter(beginning => beginning === undefined).length, 1, 'once for its backups')
})

t.test('killed between two deletions, it leaves a replica that a restore can follow', async t => {
  for (let deletions = 0; deletions <= 6; deletions++) {
    const { open, left, backUp, trim } = await openReplica()
    backUp(65)
    let count = deletions
    await trim(LINES, () => count-- === 0)
    t.equal(left()[0], 10 * deletions + 1)
    const read: number[] = []
    for await (const rows of open().read(65 as Sequence)) read.push(...rows.map(({ sequence }) => sequence))
    t.same([read[0], read.length, read.at(-1)], [66, 35, 100])
    await trim()
    t.equal(left()[0], 61, 'the next time it goes on')
  }
})

t.test('an exchange that slept is fenced by the object before the name that it takes', async t => {
  for (const isRestarted of [false, true]) {
    const { store, open, left, backUp, trim } = await openReplica()
    const journal = chained(JOURNAL.slice(0, 20), 24, 'sleeper')
    const sleeper = open(journal)
    // It has put the object before, or was started again since, and has not looked.
    if (!isRestarted) for await (const _ of sleeper.read(15 as Sequence)) break
    backUp(85)
    await trim()
    t.equal(left()[0], 81)
    const putNew = store.putNew.bind(store)
    store.putNew = async (name, contents) => {
      store.putNew = putNew
      await putNew(name, contents)
      throw new Error('the answer is lost')
    }
    const [before, lines] = [endAt(20), journal.slice(20)]
    t.match(await sleeper.append(lines, before), { kind: 'unknown' })
    t.match(await sleeper.append(lines, before), { kind: 'fenced', reason: /gone on without this exchange/ })
    t.equal(left()[0], 81, 'what it put is deleted')
  }
})

t.test('a standby that slept longer than batches are kept says so, and never leads', async t => {
  const { leader, open, left, backUp, trim } = await openReplica()
  const failures: Error[] = []
  const follower = {
    taken: 0,
    follow: async (rows: readonly JournalRow[]) => {
      follower.taken += rows.length
    },
    heard: () => undefined,
    lead: async (put: (row: JournalRow) => Promise<void>) =>
      put(chained(JOURNAL.slice(0, LINES), LINES + 1, 'standby')[LINES] as JournalRow),
  }
  const standbyFrom = (sequence: number) =>
    new ObjectStandby({
      ...{ log: open([]), follower, from: endAt(sequence), lookMs: 1, pauseMs: 0 },
      fail: error => failures.push(error),
    })
  const sleeper = standbyFrom(0)
  await sleeper.look()
  t.equal(follower.taken, LINES)
  // The exchange that leads goes on for a week.
  for (const from of [100, 110, 120]) await leader.append(JOURNAL.slice(from, from + 10), endAt(from))
  backUp(110)
  await trim(LINES + 30, () => false, LINES + 30)
  t.same(left(), [111, 121], 'it keeps what follows its backup')
  await t.rejects(sleeper.promote(), TrimmedError)
  await t.rejects(standbyFrom(50).look(), TrimmedError, 'nor does one that is started again follow')
  const awake = standbyFrom(110)
  await awake.look()
  t.equal(follower.taken, LINES + 20, 'one that has the last line of the backup does')
  t.same(failures, [])
})

t.test(
  'a standby from a backup that is ahead of the log follows once the log has that, and leads no sooner',
  async t => {
    const { leader, open } = await openReplica()
    const heard: unknown[] = []
    let taken = 0
    const follower = {
      follow: async (rows: readonly JournalRow[]) => {
        taken += rows.length
      },
      heard: (news: unknown) => heard.push(news),
      lead: async () => {
        t.fail('it leads')
      },
    }
    const standby = new ObjectStandby({
      ...{ log: open([]), follower, from: endAt(LINES + 4), lookMs: 1, pauseMs: 0 },
      fail: error => t.fail(error.message),
    })
    standby.start()
    while (heard.length < 2) await new Promise(resolve => setImmediate(resolve))
    t.match(heard[0], { end: undefined, failure: /has not had the last batches/ }, 'it is not ready')
    await t.rejects(standby.promote(), /raay start/)
    for (const from of [LINES, LINES + 10]) await leader.append(JOURNAL.slice(from, from + 10), endAt(from))
    while (taken < 16) await new Promise(resolve => setImmediate(resolve))
    t.equal(standby.end.sequence, LINES + 20)
    await standby.stop()
    t.match(heard.at(-1), { failure: undefined })
  },
)

t.test('begins from no backup of batches that the log lacks, nor of others than it follows', async t => {
  const { store, open, backUp, trim } = await openReplica()
  const marker = { exchange: EXCHANGE, first: 1 as Sequence }
  const base = async () => (await newestBase(replicaStore(store), marker, open())).manifest?.sequence
  backUp(LINES + 4)
  t.equal(await base(), LINES + 4, 'unless there is no other')
  backUp(75)
  t.equal(await base(), 75, 'an exchange that was lost may have made the newer one')
  await trim()
  backUp(70, true, Buffer.alloc(32))
  await trim()
  store.files.delete(
    [...store.files.keys()]
      .filter(name => /^raay-2.*\.json$/.test(name))
      .sort()
      .at(-2) ?? '',
  )
  t.equal(await base(), LINES + 4, 'what precedes the first object is not what that follows')
})
