import { join } from 'node:path'
import type { Test } from 'tap'
import t from 'tap'
import type { Sequence } from '../../src/core/units.js'
import { fetchReplica } from '../../src/replication/objects/fetch-replica.js'
import { joinReplica, meetReplica } from '../../src/replication/objects/join-replica.js'
import { ObjectLog } from '../../src/replication/objects/object-log.js'
import { MARKER, readMarker, replicaStore } from '../../src/replication/objects/replica-store.js'
import type { HeldMark } from '../../src/replication/held-mark.js'
import { JournalReader } from '../../src/replication/journal-reader.js'
import { openReadOnly } from '../../src/store/database.js'
import { IdFile, idText } from '../../src/store/files/id-file.js'
import { changed } from '../fixtures/backup-world.js'
import { Dice } from '../fixtures/dice.js'
import { LossyStore } from '../fixtures/lossy-store.js'
import { roomyDirectory } from '../fixtures/server/server-directory.js'
import { TestExchange } from '../fixtures/test-exchange.js'

function lastIn(file: string): Sequence {
  const database = openReadOnly(file)
  try {
    const last = database.prepare<unknown[], Sequence>('SELECT max(sequence) FROM main.journal').pluck().get()
    return last ?? (0 as Sequence)
  } finally {
    database.close()
  }
}

/** The note of an exchange about its replica. */
class KeptMark {
  noted: HeldMark | undefined

  read(log: string): Sequence | undefined {
    return log === this.noted?.log ? this.noted.sequence : undefined
  }

  write(mark: HeldMark): boolean {
    this.noted = mark
    return true
  }
}

/** An exchange that is to be replicated to a store in memory. */
async function openJoining(t: Test) {
  const test = await TestExchange.open(t)
  await test.create()
  const store = new LossyStore(new Dice(1))
  const exchange = idText(new IdFile(test.file).read() ?? 0)
  const journal = new JournalReader(test.file)
  t.teardown(() => journal.close())
  const keys = { recipients: [], identities: [] }
  const own = (sequence: Sequence) => journal.hashOf(sequence)
  const newLog = () => new ObjectLog({ store, exchange, keys, own })
  const log = newLog()
  const joining = {
    ...{ store: replicaStore(store), log, journal, exchange, file: test.file, version: '1.0.0' },
    ...{ mark: { read: () => undefined, write: () => true }, stage: join(t.testdirName, 'staging') },
    now: () => test.now,
  }
  return { test, store, journal, log, newLog, joining }
}

t.test('a disk that is unmounted during a restore fails it, and ends no log in its place', async t => {
  const { test, store, journal, log, joining } = await openJoining(t)
  let end = await joinReplica(joining, await meetReplica(joining))
  const begun = end.sequence
  for (let count = 0; count < 4; count++) {
    await test.playAll(['asha buy 1 @ 6', 'ben buy 1 @ 3'])
    const lines = journal.linesAfter(end, Number.MAX_SAFE_INTEGER)
    t.match(await log.append(lines, end), { kind: 'appended' })
    end = journal.end
  }
  const marker = await readMarker(replicaStore(store))
  if (marker === undefined) throw new Error('there is no marker')
  const files = new Map(store.files)
  const restore = (steps: number) => {
    let left = steps
    store.mount(true)
    store.files.clear()
    for (const [name, contents] of files) store.files.set(name, contents)
    const step = () => {
      if (left-- === 0) store.mount(false)
    }
    const counted = changed(store, {
      list: async beginning => {
        step()
        return store.list(beginning)
      },
      get: async name => {
        step()
        return store.get(name)
      },
      has: async name => {
        step()
        return store.has(name)
      },
      putNew: (name, contents) => store.putNew(name, contents),
    })
    return fetchReplica(replicaStore(counted), marker, {
      ...{ folder: roomyDirectory(t), identities: [], takesOver: true },
    }).then(lastIn, (error: Error) => error)
  }
  t.equal(await restore(1000), end.sequence)
  t.ok(end.sequence > begun)
  let steps = 0
  for (; ; steps++) {
    const found = await restore(steps)
    if (store.isMounted) break
    t.type(found, Error, `after ${steps} steps`)
    t.same([...store.files.keys()], [], 'nothing is written into the mount point')
  }
  t.ok(steps > 12, `${steps} steps`)
})

t.test('a copy that the disk of its exchange does not note has not begun', async t => {
  for (const refused of [1, 2]) {
    const { store, joining } = await openJoining(t)
    const notes: unknown[] = []
    const write = (mark: unknown) => notes.push(mark) !== refused
    const full = { ...joining, mark: { read: () => undefined, write } }
    await t.rejects(joinReplica(full, await meetReplica(full)), {
      name: 'Error',
      message: 'the disk of the exchange does not take the note that memory has its copy',
    })
    const hasMarker = store.files.has(MARKER)
    t.equal(hasMarker, refused === 2)
    const files = [...store.files.keys()]
    const end = await joinReplica(full, await meetReplica(full))
    const { sequence } = end
    const [place, begun] = [
      { log: /^place:[0-9a-f]{16}$/, sequence },
      { log: /^begun:/, sequence },
    ]
    t.match(notes, refused === 1 ? [begun, begun, place] : [begun, place, place])
    t.same([...store.files.keys()], hasMarker ? files : [...files, MARKER], 'with the backup put there first')
  }
})

t.test('a crash while a copy is begun, and its disk is away after it: no other one is begun', async t => {
  for (const crash of ['before the marker', 'after the marker']) {
    const { store, joining, newLog } = await openJoining(t)
    let isCrashed = false
    let noted: HeldMark | undefined
    const mark = {
      read: (log: string) => (log === noted?.log ? noted.sequence : undefined),
      write: (next: HeldMark) => {
        if (store.files.has(MARKER) && !isCrashed) throw new Error('crash')
        noted = next
        return true
      },
    }
    const putNew = (name: string, contents: Uint8Array) => {
      if (name === MARKER && crash === 'before the marker' && !isCrashed) throw new Error('crash')
      return store.putNew(name, contents)
    }
    const crashing = {
      ...joining,
      mark,
      store: replicaStore(changed(store, { putNew, has: name => store.has(name) })),
    }
    const meeting = await meetReplica(crashing)
    await t.rejects(joinReplica(crashing, meeting), { message: 'crash' })
    isCrashed = true
    const files = [...store.files.keys()]
    store.mount(false)
    const message = /^memory had the copy of this exchange, and is empty: mount its disk, or delete/
    const restarted = { ...crashing, log: newLog() }
    await t.rejects(meetReplica(restarted), { name: 'ReplicaRefusal', message })
    await t.rejects(joinReplica(crashing, meeting), { name: 'Error', message }, 'nor by another try')
    t.equal(store.files.size, 0)
    store.mount(true)
    await joinReplica(restarted, await meetReplica(restarted))
    t.same([...store.files.keys()], files.includes(MARKER) ? files : [...files, MARKER])
    t.match(noted, { log: /^place:/ })
  }
})

t.test('a disk that goes before the marker is put: no copy begins under its mount point', async t => {
  const { store, joining } = await openJoining(t)
  const mark = new KeptMark()
  const putNew = (name: string, contents: Uint8Array) => {
    if (name === MARKER && store.files.size > 0) store.mount(false)
    return store.putNew(name, contents)
  }
  const unplugged = replicaStore(changed(store, { putNew, has: name => store.has(name) }))
  const meeting = await meetReplica({ ...joining, mark })
  await t.rejects(joinReplica({ ...joining, mark, store: unplugged }, meeting), {
    message: /^memory had the copy of this exchange, and is empty: mount its disk/,
  })
  t.equal(store.files.size, 0, 'later starts recognise the mount point')
  store.mount(true)
  t.notOk(store.files.has(MARKER))
  await joinReplica({ ...joining, mark }, meeting)
  t.ok(store.files.has(MARKER))
  t.match(mark.noted, { log: /^place:/ })
})

t.test('a marker that was left under a mount point is no copy', async t => {
  const { store, joining, newLog } = await openJoining(t)
  const mark = new KeptMark()
  const meeting = await meetReplica({ ...joining, mark })
  let left: Uint8Array | undefined
  const putNew = (name: string, contents: Uint8Array) => {
    if (name === MARKER) left = contents
    return name === MARKER ? Promise.reject(new Error('crash')) : store.putNew(name, contents)
  }
  const crashing = replicaStore(changed(store, { putNew, has: name => store.has(name) }))
  await t.rejects(joinReplica({ ...joining, mark, store: crashing }, meeting), { message: 'crash' })
  const leave = async () => {
    store.mount(false)
    await store.putNew(MARKER, left as Uint8Array)
  }
  const message = /^memory had the copy of this exchange, and is empty: mount its disk, or delete/
  await leave()
  const restarted = { ...joining, mark, log: newLog() }
  await t.rejects(meetReplica(restarted), { name: 'ReplicaRefusal', message }, 'that of one begun')
  store.mount(true)
  await joinReplica(restarted, await meetReplica(restarted))
  t.match(mark.noted, { log: /^place:/ })
  t.match(await meetReplica({ ...restarted, log: newLog() }), { marker: {} }, 'the copy itself is one')
  await leave()
  await t.rejects(meetReplica({ ...restarted, log: newLog() }), { message }, 'nor that of one there is')
})
