import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openInlineExecutor } from '../../src/shard/inline-executor.js'
import { median, thousands } from './figures.js'
import { ratioText } from './measuring/comparison.js'
import type { OtherBuild } from './measuring/other-build.js'
import { Population } from './populate.js'
import { startRaayOn } from './server-child.js'

const USERS = 100_000
const ORDERS_EACH = 10
const STARTS = 3

interface Side {
  readonly name: string
  readonly bin: string | undefined
  readonly data: string
  readonly hash: string
  readonly seconds: number[]
}

/** Measures startup, which is recovery, with a million resting orders and 100,000 accounts. */
export async function benchRecovery(other: OtherBuild | undefined): Promise<void> {
  const sides: Side[] = []
  try {
    sides.push(await populated('this build', Population))
    const module = await other?.load<{ Population: typeof Population }>('test/bench/populate.js')
    if (other && module) sides.push(await populated(other.commit, module.Population, other.bin))
    for (let start = 0; start < STARTS; start++) {
      for (const { data, bin, seconds } of sides) {
        const begin = performance.now()
        const server = await startRaayOn(data, { bin })
        seconds.push((performance.now() - begin) / 1000)
        // Every other one ends as in a crash.
        await (start % 2 === 0 ? server.kill() : server.stop())
      }
    }
    const [own] = sides as [Side]
    await checkHash(own)
    const orders = thousands(USERS * ORDERS_EACH)
    console.log(`Start with ${orders} resting orders and ${thousands(USERS)} accounts, ${STARTS} starts`)
    for (const { name, seconds } of sides) {
      const all = seconds.map(value => value.toFixed(1)).join(' ')
      console.log(`  ${name.padEnd(12)} ready after ${median(seconds).toFixed(1)} s   (starts: ${all})`)
    }
    for (const { name, seconds } of sides.slice(1)) {
      console.log(`  ÷ ${name.padEnd(10)} ${ratioText(own.seconds, seconds)}`)
    }
    console.log(`  state hash ${own.hash}, the same before and after`)
  } finally {
    for (const { data } of sides) rmSync(data, { recursive: true })
  }
}

/** Fills a new data directory by a build's own code. */
async function populated(name: string, Filler: typeof Population, bin?: string): Promise<Side> {
  const data = mkdtempSync(join(tmpdir(), 'raay-bench-'))
  const population = new Filler(join(data, 'raay.db'))
  await population.begin()
  await population.resting(USERS, ORDERS_EACH)
  const hash = await population.stateHash()
  await population.close()
  return { name, bin, data, hash, seconds: [] }
}

async function checkHash({ data, hash }: Side): Promise<void> {
  const executor = openInlineExecutor(join(data, 'raay.db'), { index: 0, count: 1 })
  const after = await executor.stateHash()
  await executor.close()
  if (after !== hash) throw new Error(`the state hash was ${hash} and is ${after}`)
}
