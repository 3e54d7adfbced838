import { once } from 'node:events'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { Test } from 'tap'
import t from 'tap'
import { ACCESS_FILE } from '../../src/access/accounts/access-schema.js'
import { Follower } from '../../src/follower/follower.js'
import { lastBatch } from '../../src/store/audit/last-sequence.js'
import { Companion } from '../../src/store/companions/companion.js'
import { openDatabase, openScratch } from '../../src/store/database.js'
import { Population } from '../bench/populate.js'

/** Lets another thread have a file's lock to write while `work` asks for it, and for a moment more. */
async function whileKept(t: Test, file: string, isLogged: boolean, work: () => void): Promise<void> {
  const memory = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)
  const keeper = new Worker(new URL('./lock-keeper.js', import.meta.url), {
    workerData: { file, isLogged, memory },
  })
  t.teardown(() => keeper.terminate())
  await once(keeper, 'message')
  const asked = new Int32Array(memory)
  const ended = once(keeper, 'exit')
  Atomics.store(asked, 0, 1)
  Atomics.notify(asked, 0)
  work()
  await ended
}

t.test('a file gets its log once another thread, which gives it one or writes, lets it', async t => {
  const file = join(t.testdir(), 'journal.db')
  const scratch = openScratch(file)
  scratch.exec('CREATE TABLE journal (sequence)')
  scratch.close()
  await whileKept(t, file, false, () => {
    const database = openDatabase(file)
    t.equal(database.pragma('journal_mode', { simple: true }), 'wal')
    database.close()
  })
})

t.test('the follower waits for a reader that has the lock to write for a moment', async t => {
  const file = join(t.testdir(), 'raay.db')
  const population = new Population(file)
  await population.begin()
  await population.deep(10)
  const database = openDatabase(file)
  t.teardown(() => database.close())
  const follower = new Follower(database)
  const end = lastBatch(database).sequence
  t.ok(follower.reached < end)
  await whileKept(t, file, true, () => {
    while (follower.reached < end) follower.follow(end)
  })
  t.equal(follower.reached, end)
  await population.close()
})

t.test('a change of a companion that first reads waits, too', async t => {
  const path = join(t.testdir(), 'access.db')
  const companion = new Companion({ path }, ACCESS_FILE)
  t.teardown(() => companion.close())
  const { id } = companion.prepare('SELECT id FROM exchange').get() as { readonly id: number }
  const change = companion.transaction(() => {
    companion.prepare('SELECT id FROM exchange').get()
    companion.prepare('UPDATE exchange SET id = ?').run(id + 1)
  })
  await whileKept(t, path, true, change)
  t.same(companion.prepare('SELECT id FROM exchange').get(), { id: id + 1 })
})
