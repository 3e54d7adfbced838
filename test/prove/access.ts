import { flipBits, killDeciders } from '../fixtures/access-damage.js'
import { Dice, seedOfEnvironment } from '../fixtures/dice.js'

type Say = (line: string) => unknown

const SHOWN_MAX = 5

/** Flips this many bits in the files of accounts that a kill has left. Returns true if nothing was lost silently. */
export function proveFlips(flips: number, say: Say): boolean {
  const seed = seedOfEnvironment()
  const { noticed, harmless, lost } = flipBits(flips, new Dice(seed))
  for (const line of lost.slice(0, SHOWN_MAX)) say(`lost silently: ${line}`)
  say(
    `RAAY_SEED=${seed}: ${flips} flips, ${noticed} noticed, ${harmless} harmless, ${lost.length} lost silently`,
  )
  return lost.length === 0
}

/** Kills a process that decides about accounts, this many times. Returns true if nothing acknowledged was lost. */
export async function proveAccessKills(kills: number, say: Say): Promise<boolean> {
  const seed = seedOfEnvironment()
  const { decisions, wrong } = await killDeciders(kills, new Dice(seed))
  for (const line of wrong.slice(0, SHOWN_MAX)) say(line)
  say(`RAAY_SEED=${seed}: ${kills} kills, ${decisions} accounts, ${wrong.length} faults`)
  return wrong.length === 0
}
