import t from 'tap'
import { handOut } from '../prove/children.js'
import type { RangeReport, SeedRange } from '../prove/simulation-child.js'
import { keptSeeds } from './kept-seeds.js'
import { runSeed } from './run-seed.js'
import { RareBranches } from './workload/rare-branches.js'

const SEEDS = 200
const RANGE = 10
const SIMULATION_CHILD = new URL('../prove/simulation-child.js', import.meta.url)
/** RAAY_SEED=17 plays that one seed instead. */
const chosen = Number(process.env.RAAY_SEED) || undefined

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
  const last = chosen ?? SEEDS
  let next = chosen ?? 1
  const take = (): SeedRange | undefined => {
    if (next > last) return undefined
    const range = { from: next, length: Math.min(RANGE, last + 1 - next) }
    next += range.length
    return range
  }
  await handOut<SeedRange, RangeReport>(SIMULATION_CHILD, take, ({ counts, failed }) => {
    branches.add(counts)
    for (const { story } of failed) t.fail(story, { stack: '', at: null, source: '' })
    if (failed.length > 0) next = last + 1
  })
  if (chosen !== undefined) return
  t.same(branches.missing(), [], 'every rare branch was reached')
})
