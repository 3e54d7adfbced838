import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { openInlineExecutor } from '../../src/shard/inline-executor.js'
import { median, thousands } from './figures.js'
import { Population } from './populate.js'
import { startRaayOn } from './server-child.js'

const USERS = 100_000
const ORDERS_EACH = 10
const STARTS = 5

/** Measures startup, which is recovery, with a million resting orders and 100,000 accounts. */
export async function benchRecovery(): Promise<void> {
  const data = mkdtempSync(join(tmpdir(), 'raay-bench-'))
  const file = join(data, 'raay.db')
  try {
    const population = new Population(file)
    await population.begin()
    await population.resting(USERS, ORDERS_EACH)
    const before = await population.stateHash()
    await population.close()

    const times: number[] = []
    for (let start = 0; start < STARTS; start++) {
      const begin = performance.now()
      const server = await startRaayOn(data)
      times.push(performance.now() - begin)
      // Every other one ends as in a crash.
      await (start % 2 === 0 ? server.kill() : server.stop())
    }
    const executor = openInlineExecutor(file, { index: 0, count: 1 })
    const after = await executor.stateHash()
    await executor.close()
    if (before !== after) throw new Error(`the state hash was ${before} and is ${after}`)
    const orders = thousands(USERS * ORDERS_EACH)
    console.log(`Start with ${orders} resting orders and ${thousands(USERS)} accounts, ${STARTS} starts`)
    const seconds = times.map(time => (time / 1000).toFixed(1))
    console.log(`  ready after ${(median(times) / 1000).toFixed(1)} s   (starts: ${seconds.join(' ')})`)
    console.log(`  state hash ${after}, the same before and after`)
  } finally {
    rmSync(data, { recursive: true })
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await benchRecovery()
