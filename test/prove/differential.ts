import { Dice, seedOfEnvironment } from '../fixtures/dice.js'
import { runDifferential } from '../fixtures/naive/differential.js'

const ROUND_COMMANDS = 1_000_000

/**
 * Runs the differential test at any length. Each round starts from the next seed, so that a difference
 * can be reproduced from its own seed alone. Returns true if every branch was reached.
 */
export function proveDifferential(commands: number, say: (line: string) => void): boolean {
  const first = seedOfEnvironment()
  let isWhole = true
  for (let done = 0, seed = first; done < commands; seed++) {
    const round = Math.min(ROUND_COMMANDS, commands - done)
    const counts = runDifferential(new Dice(seed), round)
    done += round
    say(`RAAY_SEED=${seed}: ${done} commands, no difference`)
    if (done === commands) say(`${counts}`)
    const missing = counts.missing()
    if (missing.length === 0) continue
    say(`never reached: ${missing.join(', ')}`)
    isWhole = false
  }
  return isWhole
}
