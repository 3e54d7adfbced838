import t from 'tap'
import { Dice } from '../fixtures/dice.js'
import { runDifferential } from '../fixtures/naive/differential.js'

const COMMANDS = 100_000

t.test('the fast book matches the naive book', async t => {
  const dice = Dice.fromEnvironment(t)
  const counts = runDifferential(dice, COMMANDS)
  t.same(counts.missing(), [], 'every rare branch was reached')
})

t.test('the same seed produces the same run', async t => {
  const [first, second] = [1, 1].map(seed => `${runDifferential(new Dice(seed), 10_000)}`)
  t.equal(first, second)
})
