import t from 'tap'
import { Pipeline, ROUND_LENGTH_MAX } from '../../src/server/pipeline.js'

/** Returns a pipeline whose rounds the test runs, and the requests it has started. */
function stage() {
  const rounds: (() => void)[] = []
  const begun: string[] = []
  const pipeline = new Pipeline(round => rounds.push(round))
  return {
    begun,
    add: (name: string) => pipeline.add(() => begun.push(name)),
    addBehind: (name: string) => pipeline.addBehind(() => begun.push(name)),
    /** Runs one round; returns the requests started so far. */
    round: () => {
      const before = begun.length
      rounds.shift()?.()
      return begun.slice(before)
    },
    isIdle: () => rounds.length === 0,
  }
}

const names = (prefix: string, count: number) => Array.from({ length: count }, (_, index) => prefix + index)

t.test('starts a request at once when few arrive together', async t => {
  const { add, begun, round, isIdle } = stage()
  add('a')
  add('b')
  t.same(begun, ['a', 'b'])
  round()
  t.ok(isIdle(), 'no round follows where nothing was begun')
})

t.test('starts no more requests than a round holds, however many connections ask at once', async t => {
  const { add, begun, round, isIdle } = stage()
  const all = names('r', 10 * ROUND_LENGTH_MAX)
  for (const name of all) add(name)
  t.equal(begun.length, ROUND_LENGTH_MAX)
  for (let rounds = 0; begun.length < all.length; rounds++) {
    t.ok(round().length <= ROUND_LENGTH_MAX)
    t.ok(rounds < 10, 'and every round is used')
  }
  t.same(begun, all, 'in the order in which they came')
  round()
  t.ok(isIdle())
})

t.test('does not let a new request overtake waiting ones', async t => {
  const { add, round, begun } = stage()
  for (const name of names('r', ROUND_LENGTH_MAX + 100)) add(name)
  round()
  add('late')
  t.not(begun.at(-1), 'late')
  while (begun.length < ROUND_LENGTH_MAX + 101) round()
  t.equal(begun.at(-1), 'late')
})

t.test('a packet full of requests does not delay other connections by a round', async t => {
  const { add, addBehind, begun, round } = stage()
  for (const name of names('behind', 5000)) addBehind(name)
  add('first')
  t.same(begun, ['first'], 'before all that wait behind others')
  t.equal(round().length, ROUND_LENGTH_MAX)
  for (const name of names('more', 200)) add(name)
  const second = round()
  t.equal(second.length, ROUND_LENGTH_MAX)
  t.equal(second.filter(name => name.startsWith('behind')).length, 16, 'and those behind go on, too')
})

t.test('never starts a request before an earlier one on its connection', async t => {
  const { add, addBehind, begun, round, isIdle } = stage()
  for (const name of names('other', ROUND_LENGTH_MAX)) add(name)
  for (const name of names('x', 300)) {
    add(`${name} first`)
    addBehind(`${name} second`)
  }
  while (!isIdle()) round()
  t.equal(begun.length, ROUND_LENGTH_MAX + 600)
  for (const name of names('x', 300)) {
    t.ok(begun.indexOf(`${name} first`) < begun.indexOf(`${name} second`), name)
  }
})
