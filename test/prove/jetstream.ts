import { handOut } from './children.js'
import type { WorldsReport } from './jetstream-child.js'
import type { SeedRange } from './simulation-child.js'

const CHILD = new URL('./jetstream-child.js', import.meta.url)
const RANGE_SEEDS = 50
const FAILURES_MAX = 5
const PROGRESS_SEEDS = 500

/**
 * Plays exchanges and standbys on simulated NATS servers, in child processes to use every core. Returns true
 * if nothing was wrong and each misfortune came about.
 */
export async function proveJetstream(
  seeds: number,
  from: number,
  say: (line: string) => void,
): Promise<boolean> {
  const sums = new Map<string, number>()
  let [next, done, failures] = [from, 0, 0]
  const take = (): SeedRange | undefined => {
    if (next >= from + seeds || failures >= FAILURES_MAX) return undefined
    const range = { from: next, length: Math.min(RANGE_SEEDS, from + seeds - next) }
    next += range.length
    return range
  }
  await handOut<SeedRange, WorldsReport>(CHILD, take, ({ counts, wrong }, { length }) => {
    for (const each of counts) {
      for (const [what, count] of Object.entries(each)) sums.set(what, (sums.get(what) ?? 0) + count)
    }
    for (const line of wrong) say(line)
    failures += wrong.length
    done += length
    if (done % PROGRESS_SEEDS === 0) say(`${done} of ${seeds} seeds, ${failures} failed`)
  })
  say(Array.from(sums, ([what, count]) => `${what}: ${count}`).join(', '))
  const missing = [...sums].filter(([, count]) => count === 0).map(([what]) => what)
  if (missing.length > 0) say(`never reached: ${missing.join(', ')}`)
  return failures === 0 && missing.length === 0
}
