import { Dice } from '../fixtures/dice.js'
import { playJetstream } from '../fixtures/jetstream/jetstream-world.js'
import type { WorldCounts } from '../fixtures/jetstream/jetstream-world.js'
import { answerTasks } from './children.js'
import type { SeedRange } from './simulation-child.js'

export interface WorldsReport {
  readonly counts: readonly WorldCounts[]
  readonly wrong: readonly string[]
}

/** Plays the ranges of seeds that the parent process sends, one after the other. */
answerTasks<SeedRange, WorldsReport>(async ({ from, length }) => {
  const [counts, wrong]: [WorldCounts[], string[]] = [[], []]
  for (let seed = from; seed < from + length; seed++) {
    const played = await playJetstream(new Dice(seed))
    counts.push(played.counts)
    if (played.wrong !== undefined) wrong.push(`RAAY_SEED=${seed}: ${played.wrong}`)
  }
  return { counts, wrong }
})
