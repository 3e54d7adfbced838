import { Dice, seedOfEnvironment } from '../fixtures/dice.js'
import { sendThroughKills } from '../fixtures/server/same-order-kills.js'

const ROUND_KILLS = 20
const SHOWN_MAX = 5

/**
 * Sends equal orders twenty at a time to the real server and kills it meanwhile, this many times. Each
 * round has its own data directory and takes the next seed, which decides the orders and after how
 * many responses the kill comes; the scheduling of threads is not repeatable. Returns true if every
 * name was one order with one response.
 */
export async function proveKills(kills: number, say: (line: string) => unknown): Promise<boolean> {
  let [bad, orders, cut] = [0, 0, 0]
  for (let done = 0, seed = seedOfEnvironment(); done < kills; seed++) {
    const ends: (() => unknown)[] = []
    const round = { teardown: (end: () => unknown) => void ends.unshift(end) }
    const length = Math.min(ROUND_KILLS, kills - done)
    try {
      const report = await sendThroughKills(round, new Dice(seed), length)
      for (const line of report.wrong.slice(0, SHOWN_MAX)) say(`RAAY_SEED=${seed}: ${line}`)
      bad += report.wrong.length
      orders += report.orders
      cut += report.cutInside + report.cutWhole
    } finally {
      for (const end of ends) await end()
    }
    done += length
    say(`RAAY_SEED=${seed}: ${done} kills, ${orders} orders, ${cut} under way at a kill, ${bad} faults`)
  }
  return bad === 0
}
