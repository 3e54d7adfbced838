import t from 'tap'
import type { Sequence } from '../../src/core/units.js'
import { JetFeed } from '../../src/replication/jetstream/jet-feed.js'
import type { JournalRow } from '../../src/store/journal.js'
import { BEGINNING } from '../../src/store/journal.js'
import { linesAfter } from '../fixtures/nats/lines.js'

const turn = () => new Promise(resolve => setImmediate(resolve))

/** A log that gives its lines as fast as they are taken. */
function logOf(lines: readonly JournalRow[]) {
  let given = 0
  const read = async function* (from: Sequence) {
    for (const line of lines.slice(from - 1)) {
      given++
      yield line
    }
  }
  return { log: { read }, given: () => given }
}

t.test(
  'lines wait in order while the exchange is busy, and no more of them than there is room for',
  async t => {
    const lines = linesAfter(BEGINNING, 3000).map(line => ({ ...line, commands: 'x'.repeat(5000) }))
    const { log, given } = logOf(lines)
    const handed: (readonly JournalRow[])[] = []
    const feed = new JetFeed(log, 0 as Sequence, rows => handed.push(rows))
    void feed.run()
    for (let turns = 0; turns < 20; turns++) await turn()
    t.equal(handed.length, 1, 'nothing more before the first lines are followed')
    t.ok(given() < 1000, 'the log is read no further')
    const taken: JournalRow[] = []
    let isDone = false
    const done = feed.until(3000 as Sequence).then(() => {
      isDone = true
    })
    while (taken.length < lines.length) {
      const rows = handed.shift()
      if (rows === undefined) {
        await turn()
        continue
      }
      taken.push(...rows)
      t.notOk(isDone)
      feed.noteFollowed((rows.at(-1) as JournalRow).sequence)
    }
    await done
    t.strictSame(taken, lines)
  },
)

t.test('a feed that was stopped hands nothing over', async t => {
  const { log } = logOf(linesAfter(BEGINNING, 5))
  const handed: (readonly JournalRow[])[] = []
  const feed = new JetFeed(log, 2 as Sequence, rows => handed.push(rows))
  const running = feed.run()
  feed.stop()
  await running
  await turn()
  t.same(handed, [])
})

t.test('what was handed over before the end is waited for, and what came after it is not', async t => {
  const { log } = logOf(linesAfter(BEGINNING, 300))
  const handed: (readonly JournalRow[])[] = []
  const feed = new JetFeed(log, 0 as Sequence, rows => handed.push(rows))
  await feed.run()
  while (handed.length === 0) await turn()
  t.equal(feed.quietMs, 0, 'lines wait')
  feed.stop()
  let isDrained = false
  const drained = feed.drain().then(() => {
    isDrained = true
  })
  await turn()
  t.notOk(isDrained)
  const [rows = []] = handed
  feed.noteFollowed((rows.at(-1) as JournalRow).sequence)
  await drained
  await turn()
  t.equal(handed.length, 1)
})
