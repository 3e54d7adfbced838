import { Simulation } from './simulation.js'
import type { RareBranches } from './workload/rare-branches.js'

/** A seed that broke a rule; the message says how to reproduce it, and what led to it. */
export class FailingSeed extends Error {
  override readonly name = 'FailingSeed'
  readonly seed: number
  /** The rule in a line. */
  readonly broke: string

  constructor(seed: number, simulation: Simulation, cause: unknown) {
    const why = cause instanceof Error ? (cause.stack ?? cause.message) : String(cause)
    const story = simulation.world.log.join('\n  ')
    super(`seed ${seed}: ${why}\nIt had come so far:\n  ${story}`, { cause })
    this.seed = seed
    this.broke = cause instanceof Error ? (cause.message.split('\n')[0] ?? '') : String(cause)
  }
}

/** Plays one seed to its end. Throws a `FailingSeed` if it breaks a rule. */
export async function runSeed(seed: number, branches: RareBranches): Promise<void> {
  const simulation = new Simulation(seed, branches)
  const { world } = simulation
  const unseen = (error: unknown) => world.violations.push(error)
  process.on('unhandledRejection', unseen)
  try {
    await simulation.run()
    world.assertNoViolation()
  } catch (error) {
    // An error that could not be thrown where it happened came first.
    throw new FailingSeed(seed, simulation, world.violations[0] ?? error)
  } finally {
    world.abandon()
    process.off('unhandledRejection', unseen)
  }
}
