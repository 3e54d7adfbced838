import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import t from 'tap'
import { WriteLock } from '../../src/store/write-lock.js'

const TAKER = new URL('../fixtures/lock-taker.js', import.meta.url)
const WORDS = 2 * Int32Array.BYTES_PER_ELEMENT
const ROUNDS = 20_000

/** Lets threads count under the lock. Returns their total count. */
async function countInTurns(lockMemory: SharedArrayBuffer, threads: number): Promise<number | undefined> {
  const counter = new SharedArrayBuffer(WORDS)
  const workerData = { lockMemory, counter, rounds: ROUNDS }
  const workers = Array.from({ length: threads }, () => new Worker(TAKER, { workerData }))
  await Promise.all(workers.map(worker => once(worker, 'exit')))
  return new Int32Array(counter)[0]
}

t.test('two threads never hold the lock at once', async t => {
  t.equal(await countInTurns(new WriteLock().memory, 3), 3 * ROUNDS)
})

t.test('ticket numbers can wrap around', async t => {
  const { memory } = new WriteLock()
  new Int32Array(memory).fill(0x7fff_ffff - ROUNDS)
  t.equal(await countInTurns(memory, 2), 2 * ROUNDS)
})

t.test('a lone holder never waits', async t => {
  const lock = new WriteLock()
  for (let round = 0; round < 3; round++) {
    lock.acquire()
    lock.release()
  }
  t.same([...new Int32Array(lock.memory)], [3, 3])
})
