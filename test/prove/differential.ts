import { parseArgs } from 'node:util'
import { Dice } from '../fixtures/dice.js'
import { runDifferential } from '../fixtures/differential.js'

/**
 * The differential test for as long as one likes: `node dist/test/prove/differential.js --commands
 * 100000000`. Each round starts from the next seed, so that a difference is found again from its own seed
 * alone.
 */
const { values } = parseArgs({ options: { commands: { type: 'string', default: '10000000' } } })
const commands = Number(values.commands)
const ROUND_COMMANDS = 1_000_000

const first = Dice.fromEnvironment().seed
const say = (line: string) => process.stdout.write(`${line}\n`)
for (let done = 0, seed = first; done < commands; seed++) {
  const round = Math.min(ROUND_COMMANDS, commands - done)
  const counts = runDifferential(new Dice(seed), round)
  done += round
  say(`RAAY_SEED=${seed}: ${done} commands, no difference`)
  if (done === commands) say(`${counts}`)
  const missing = counts.missing()
  if (missing.length === 0) continue
  say(`never reached: ${missing.join(', ')}`)
  process.exitCode = 1
}
