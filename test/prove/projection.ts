import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Dice, seedOfEnvironment } from '../fixtures/dice.js'
import { runProjection } from '../fixtures/merged/run-projection.js'

const ROUND_COMMANDS = 50_000

/**
 * Compares the tables written for many batches at once with those written batch by batch, at any length.
 * Each round starts from the next seed. Throws at the first difference.
 */
export function proveProjection(commands: number, say: (line: string) => void): boolean {
  const first = seedOfEnvironment()
  for (let done = 0, seed = first; done < commands; seed++) {
    const round = Math.min(ROUND_COMMANDS, commands - done)
    const directory = mkdtempSync(join(tmpdir(), 'raay-projection-'))
    try {
      const counts = runProjection(new Dice(seed), round, directory)
      done += round
      say(`RAAY_SEED=${seed}: ${done} commands, the same rows`)
      if (done >= commands) say(Array.from(counts, ([what, count]) => `${what}: ${count}`).join(', '))
    } finally {
      rmSync(directory, { recursive: true })
    }
  }
  return true
}
