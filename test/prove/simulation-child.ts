import type { KeptSeed } from '../simulation/kept-seeds.js'
import { FailingSeed, runSeed } from '../simulation/run-seed.js'
import { RareBranches } from '../simulation/workload/rare-branches.js'
import { answerTasks } from './children.js'

/** The parent process's request. */
export interface SeedRange {
  readonly from: number
  readonly length: number
}

export interface RangeReport {
  readonly counts: Readonly<Record<string, number>>
  readonly failed: readonly (KeptSeed & { readonly story: string })[]
}

/** Plays the ranges of seeds that the parent process sends, one after the other. */
answerTasks<SeedRange, RangeReport>(async ({ from, length }) => {
  const branches = new RareBranches()
  const failed: RangeReport['failed'][number][] = []
  for (let seed = from; seed < from + length; seed++) {
    try {
      await runSeed(seed, branches)
    } catch (error) {
      const broke = error instanceof FailingSeed ? error.broke : String(error)
      failed.push({ seed, broke, story: String(error) })
    }
  }
  return { counts: branches.toJSON(), failed }
})
