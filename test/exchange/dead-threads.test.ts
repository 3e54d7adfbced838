import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import type { Worker } from 'node:worker_threads'
import t from 'tap'
import { TestExchange } from '../fixtures/test-exchange.js'

/** Collects the threads that are started while a function runs. */
async function threadsOf<Result>(run: () => Promise<Result>): Promise<readonly [Result, Worker[]]> {
  const threads: Worker[] = []
  const note = (thread: Worker) => threads.push(thread)
  process.on('worker', note)
  try {
    return [await run(), threads]
  } finally {
    process.off('worker', note)
  }
}

t.test(
  'the death of any thread that serves orders or reads stops the exchange, and loses nothing',
  async t => {
    const root = t.testdir()
    const reasons: string[] = []
    for (let index = 0, count = 1; index < count; index++) {
      const directory = join(root, String(index))
      mkdirSync(directory)
      const file = join(directory, 'raay.db')
      const [test, threads] = await threadsOf(() =>
        TestExchange.open(t, { threads: true, shardCount: 1, file }),
      )
      count = threads.length
      await test.create()
      await test.playAll(['asha buy 10 @ 6', 'ben sell 4 @ 6'])
      const book = test.book()
      await threads[index]?.terminate()
      while (test.failures.length === 0) await turn()
      const reason = String(test.failures[0]?.message)
      reasons.push(reason)
      const image = await TestExchange.open(t, { file: test.crashImage(join(directory, 'image.db')) })
      t.equal(image.book(), book, reason)
      t.ok(image.exchange.moneyIsAllThere())
      await image.close()
      // Where the process would have ended, a dead thread cannot be asked to finish.
      await test.close().catch(() => undefined)
    }
    const names = reasons.map(reason => reason.replace(': the worker thread exited unexpectedly, code 1', ''))
    t.same(names.sort(), ['follower', 'history', 'lookups', 'shard 0'])
  },
)

t.test('the death of the thread that copies fails the backup alone', async t => {
  const test = await TestExchange.open(t, { threads: true })
  await test.create()
  const end = (thread: Worker) => void thread.terminate()
  process.once('worker', end)
  const failed = await test.exchange.backups.make('asked')
  t.match(failed, { failed: /./ })
  t.same(test.failures, [])
  t.equal(await test.playAll(['asha buy 10 @ 6', 'ben sell 4 @ 6']), 'filled 4')
  test.now += 1000
  t.match(await test.exchange.backups.make('asked'), { name: /^raay-/ }, 'and the next one is made')
})
