import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { fileURLToPath } from 'node:url'
import type { Report } from '../../src/verify/checks.js'
import { verifyFile } from '../../src/verify/verify-file.js'
import { median, thousands } from './figures.js'
import { journalDay } from './journalled-day.js'
import { ratioText } from './measuring/comparison.js'
import type { OtherBuild } from './measuring/other-build.js'

const BIN = fileURLToPath(new URL('../../../bin/raay.js', import.meta.url))
const ORDERS = 200_000
const ROUNDS = 3

interface Side {
  readonly name: string
  readonly bin: string
  readonly data: string
  readonly perSecond: number[]
}

/** Measures `raay verify` on a day of trading: a new process each time, startup included. */
export async function benchVerify(other: OtherBuild | undefined): Promise<void> {
  const sides: Side[] = []
  try {
    sides.push(await traded('this build', BIN, journalDay))
    const module = await other?.load<{ journalDay: typeof journalDay }>('test/bench/journalled-day.js')
    if (other && module) sides.push(await traded(other.commit, other.bin, module.journalDay))
    for (let round = 0; round < ROUNDS; round++) {
      for (const side of sides) side.perSecond.push(ORDERS / secondsOf(side))
    }
    const [own] = sides as [Side]
    const start = performance.now()
    const { ok, orders, openOrders, sequence } = verifyFile(join(own.data, 'raay.db'))
    const alone = orders / ((performance.now() - start) / 1000)
    if (!ok) throw new Error('the day is in order')
    console.log(`raay verify: ${orders} orders (${openOrders} open) in ${sequence} batches, ${ROUNDS} rounds`)
    for (const { name, perSecond } of sides) {
      const best = thousands(Math.max(...perSecond))
      console.log(`  ${name.padEnd(12)} ${thousands(median(perSecond))} journalled orders/s, ${best} at best`)
    }
    for (const { name, perSecond } of sides.slice(1)) {
      console.log(`  ÷ ${name.padEnd(10)} ${ratioText(own.perSecond, perSecond)}`)
    }
    console.log(`  in one thread ${thousands(alone)} journalled orders/s`)
  } finally {
    for (const { data } of sides) rmSync(data, { recursive: true })
  }
}

/** Lets a build's own code trade for a day on a new data directory. */
async function traded(name: string, bin: string, trade: typeof journalDay): Promise<Side> {
  const data = mkdtempSync(join(tmpdir(), 'raay-bench-'))
  await trade(join(data, 'raay.db'), ORDERS)
  return { name, bin, data, perSecond: [] }
}

function secondsOf({ bin, data }: Side): number {
  const { stdout, stderr } = spawnSync(process.execPath, [bin, 'verify', '--json', '--data', data])
  if (stderr.length > 0) throw new Error(String(stderr))
  const report = JSON.parse(String(stdout)) as Report & { readonly seconds: number }
  if (!report.ok) throw new Error('the day is in order')
  return report.seconds
}
