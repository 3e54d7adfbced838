import t from 'tap'
import { keptSeeds } from './kept-seeds.js'
import { runSeed } from './run-seed.js'
import { RareBranches } from './workload/rare-branches.js'

const SEEDS = 200
/** RAAY_SEED=17 plays that one seed instead. */
const chosen = process.env.RAAY_SEED === undefined ? undefined : Number(process.env.RAAY_SEED)

t.test('seeds that failed before pass', async t => {
  for (const { seed, broke } of keptSeeds()) {
    await t.resolves(runSeed(seed, new RareBranches()), `seed ${seed}: ${broke}`)
  }
})

t.test('the same seed produces the same run', async t => {
  const [first, second] = [new RareBranches(), new RareBranches()]
  await runSeed(7, first)
  await runSeed(7, second)
  t.same(first.toJSON(), second.toJSON())
})

t.test('no rule is broken, whatever crashes and whenever', async t => {
  const branches = new RareBranches()
  const first = chosen ?? 1
  const last = chosen ?? SEEDS
  for (let seed = first; seed <= last; seed++) {
    try {
      await runSeed(seed, branches)
    } catch (error) {
      t.fail(String(error), { stack: '', at: null, source: '' })
      break
    }
  }
  if (chosen !== undefined) return
  t.same(branches.missing(), [], 'every rare branch was reached')
})
