import { keepSeed } from '../simulation/kept-seeds.js'
import { RareBranches } from '../simulation/workload/rare-branches.js'
import { handOut } from './children.js'
import type { RangeReport, SeedRange } from './simulation-child.js'

const CHILD = new URL('./simulation-child.js', import.meta.url)
const RANGE_SEEDS = 20
const FAILURES_MAX = 5
const PROGRESS_SEEDS = 500

/**
 * Simulates this many seeds from the given one on, in child processes to use every core. A seed that
 * fails is printed and kept in the repository. Returns true if no rule was broken and every rare
 * branch was reached.
 */
export async function proveSimulation(
  seeds: number,
  from: number,
  say: (line: string) => void,
): Promise<boolean> {
  const branches = new RareBranches()
  const startedAt = performance.now()
  let next = from
  let done = 0
  let failures = 0
  const take = (): SeedRange | undefined => {
    if (next >= from + seeds || failures >= FAILURES_MAX) return undefined
    const range = { from: next, length: Math.min(RANGE_SEEDS, from + seeds - next) }
    next += range.length
    return range
  }
  const report = ({ counts, failed }: RangeReport, { length }: SeedRange) => {
    branches.add(counts)
    for (const { seed, broke, story } of failed) {
      failures++
      keepSeed({ seed, broke })
      say(`FAILED ${story}`)
    }
    const before = done
    done += length
    if (Math.floor(before / PROGRESS_SEEDS) === Math.floor(done / PROGRESS_SEEDS) && done < seeds) return
    say(`${done} of ${seeds} seeds, ${failures} failed, ${elapsed(startedAt)}`)
  }
  await handOut(CHILD, take, report)
  say(`${branches}`)
  const missing = branches.missing()
  if (missing.length > 0) say(`never reached: ${missing.join('; ')}`)
  say(`${done} seeds from ${from}, ${branches.crashes} crashes, ${failures} failed, ${elapsed(startedAt)}`)
  return failures === 0 && missing.length === 0
}

const elapsed = (startedAt: number) => `${((performance.now() - startedAt) / 1000).toFixed(0)} s`
