import t from 'tap'
import { RaayError } from '../../src/client/raay-error.js'
import type { Listener } from '../../src/client/watch.js'
import { Watch } from '../../src/client/watch.js'

function start(keeps: 'each' | 'latest' = 'each', listener?: Listener<number>) {
  let closes = 0
  const watch = new Watch<number, string>({
    keeps,
    listener,
    state: () => 'as it stands',
    onClose: () => closes++,
  })
  return { watch, closes: () => closes }
}

const wrong = new RaayError(404, 'Resource not found', 'Event not found')

t.test('a loop gets each update in order, including earlier ones', async t => {
  const { watch, closes } = start()
  watch.tell(1)
  watch.tell(2)
  const seen: number[] = []
  for await (const update of watch) {
    seen.push(update)
    if (update === 2) setImmediate(() => watch.tell(3))
    if (update === 3) break
  }
  t.same(seen, [1, 2, 3])
  t.equal(closes(), 1, 'leaving the loop ends the watch')
  watch.tell(4)
  t.same(await watch.next(), { done: true, value: undefined })
  t.equal(watch.state, 'as it stands')
})

t.test('a slow loop gets only the latest of updates that replace each other', async t => {
  const { watch } = start('latest')
  for (const update of [1, 2, 3]) watch.tell(update)
  t.equal((await watch.next()).value, 3)
  const next = watch.next()
  watch.tell(4)
  t.equal((await next).value, 4)
})

t.test('several readers get different updates', async t => {
  const { watch } = start()
  const both = Promise.all([watch.next(), watch.next()])
  watch.tell(1)
  watch.tell(2)
  t.same(
    (await both).map(({ value }) => value),
    [1, 2],
  )
})

t.test('closing ends a waiting loop, and drops unread updates', async t => {
  const { watch, closes } = start()
  const next = watch.next()
  watch.close()
  watch.close()
  t.same(await next, { done: true, value: undefined })
  t.equal(closes(), 1)
  const { watch: other } = start()
  other.tell(1)
  other.close()
  t.same(await other.next(), { done: true, value: undefined })
})

t.test('an error arrives once, after the updates before it', async t => {
  const { watch, closes } = start()
  watch.tell(1)
  watch.fail(wrong)
  watch.fail(new RaayError(500, 'Another', 'too late'))
  watch.tell(2)
  t.equal((await watch.next()).value, 1)
  await t.rejects(watch.next(), wrong)
  t.same(await watch.next(), { done: true, value: undefined })
  t.equal(closes(), 1)
})

t.test('an error reaches callers waiting for an update or for the beginning', async t => {
  const { watch } = start()
  const ready = watch.ready()
  const next = watch.next()
  watch.fail(wrong)
  await t.rejects(next, wrong)
  await t.rejects(ready, wrong)
  await t.rejects(watch.ready(), { name: 'Closed' })
})

t.test('is ready once it has begun, and never after it is closed', async t => {
  const { watch } = start()
  const ready = watch.ready()
  watch.begin()
  watch.begin()
  await ready
  await watch.ready()
  const { watch: other } = start()
  const never = other.ready()
  other.close()
  await t.rejects(never, { code: 499, name: 'Closed', message: 'the watch is closed' })
  await t.rejects(other.ready(), { name: 'Closed' })
})

t.test('a listener gets each update at once, and nothing is queued for a loop', async t => {
  const heard: unknown[] = []
  const listener = { onUpdate: (n: number) => heard.push(n), onError: (e: RaayError) => heard.push(e) }
  const { watch } = start('latest', listener)
  watch.tell(1)
  watch.tell(2)
  t.same(heard, [1, 2])
  watch.fail(wrong)
  t.same(heard, [1, 2, wrong])
  watch.tell(3)
  t.equal(heard.length, 3)
})

t.test('a listener that throws keeps receiving updates, and its error surfaces', async t => {
  const heard: number[] = []
  const strange: unknown[] = []
  const hear = (error: unknown) => strange.push(error)
  process.on('unhandledRejection', hear)
  const onUpdate = (n: number) => {
    heard.push(n)
    if (n === 1) throw new Error('a bug of the page')
  }
  const { watch } = start('each', { onUpdate, onError: () => {} })
  watch.tell(1)
  watch.tell(2)
  await new Promise(resolve => setImmediate(resolve))
  process.off('unhandledRejection', hear)
  t.same(heard, [1, 2])
  t.match(strange, [{ message: 'a bug of the page' }])
})

t.test('a loop that never reads fails with an error, and its queue stays bounded', async t => {
  const { watch, closes } = start()
  for (let n = 0; n <= 100_000; n++) watch.tell(n)
  t.equal(closes(), 1)
  let read = 0
  await t.rejects(
    async () => {
      for await (const _ of watch) read++
    },
    { name: 'Too Slow', message: /read faster/ },
  )
  t.equal(read, 100_001)
})
