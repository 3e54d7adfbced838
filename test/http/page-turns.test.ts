import t from 'tap'
import { nextTurn } from '../../src/http/middleware/page-turns.js'

t.test('pages go on in rounds that have time for them, one in each', async t => {
  const rounds: (() => void)[] = []
  const written: number[] = []
  const schedule = (work: () => void) => rounds.push(work)
  const pages = [0, 1, 2].map(page => nextTurn(schedule)?.then(() => written.push(page)))
  const settle = () => new Promise(resolve => setImmediate(resolve))
  await settle()
  t.same(written, [0])
  t.equal(rounds.length, 1, 'the next waits for its round')
  for (const expected of [
    [0, 1],
    [0, 1, 2],
    [0, 1, 2],
  ]) {
    rounds.shift()?.()
    await settle()
    t.same(written, expected)
  }
  t.equal(rounds.length, 0)
  await Promise.all(pages)
  const next = nextTurn()?.then(() => written.push(3))
  await next
  t.same(written, [0, 1, 2, 3], 'the line is free again')
  await settle()
})

t.test('the line is bounded', async t => {
  const rounds: (() => void)[] = []
  const turns = Array.from({ length: 300 }, () => nextTurn(work => rounds.push(work)))
  t.equal(turns.filter(turn => turn === undefined).length, 300 - 257)
  for (let round = rounds.shift(); round !== undefined; round = rounds.shift()) round()
  await Promise.all(turns)
})
