import { seedOfEnvironment } from '../fixtures/dice.js'
import type { KillsReport } from '../fixtures/server/same-order-kills.js'
import { handOut } from './children.js'
import type { KillsRound } from './kills-child.js'

const CHILD = new URL('./kills-child.js', import.meta.url)
const ROUND_KILLS = 20
const SHOWN_MAX = 5

/**
 * Sends equal orders twenty at a time to the real server and kills it meanwhile, this many times; two rounds
 * run side by side. Each round has its own data directory and takes the next seed, which decides the orders
 * and after how many responses the kill comes; the scheduling of threads is not repeatable. A round that finds
 * something keeps its data directory. Returns true if every name was one order with one response, and if some
 * kills left the tables behind the journal.
 */
export async function proveKills(kills: number, say: (line: string) => unknown): Promise<boolean> {
  let [next, taken, done, bad, orders, cut, behind] = [seedOfEnvironment(), 0, 0, 0, 0, 0, 0]
  const take = (): KillsRound | undefined => {
    if (taken >= kills) return undefined
    const round = { seed: next++, kills: Math.min(ROUND_KILLS, kills - taken) }
    taken += round.kills
    return round
  }
  const report = (found: KillsReport, { seed, kills: length }: KillsRound) => {
    for (const line of found.wrong.slice(0, SHOWN_MAX)) say(`RAAY_SEED=${seed}: ${line}`)
    bad += found.wrong.length
    orders += found.orders
    cut += found.cutInside + found.cutWhole
    behind += found.leftBehind
    done += length
    const left = `${cut} under way at a kill, ${behind} kills with the tables behind`
    say(`RAAY_SEED=${seed}: ${done} kills, ${orders} orders, ${left}, ${bad} faults`)
  }
  await handOut(CHILD, take, report)
  return bad === 0 && behind > 0
}
