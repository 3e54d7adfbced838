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

const BIN = fileURLToPath(new URL('../../../bin/raay.js', import.meta.url))
const ORDERS = 200_000
const ROUNDS = 5

/** Measures `raay verify` on a day of trading: a new process each time, startup included. */
export async function benchVerify(): Promise<void> {
  const data = mkdtempSync(join(tmpdir(), 'raay-bench-'))
  try {
    const file = join(data, 'raay.db')
    await journalDay(file, ORDERS)
    const seconds = Array.from({ length: ROUNDS }, () => secondsOf(data))
    const start = performance.now()
    const { ok, orders, openOrders, sequence } = verifyFile(file)
    const alone = (performance.now() - start) / 1000
    if (!ok) throw new Error('the day is in order')
    console.log(`${orders} orders (${openOrders} open) in ${sequence} batches`)
    const rate = (value: number) => `${thousands(orders / value)} journalled orders/s, ${value.toFixed(2)} s`
    console.log(`raay verify        ${rate(median(seconds))} (best ${rate(Math.min(...seconds))})`)
    console.log(`in one thread      ${rate(alone)}`)
  } finally {
    rmSync(data, { recursive: true })
  }
}

function secondsOf(data: string): number {
  const { stdout, stderr } = spawnSync(process.execPath, [BIN, 'verify', '--json', '--data', data])
  if (stderr.length > 0) throw new Error(String(stderr))
  const report = JSON.parse(String(stdout)) as Report & { readonly seconds: number }
  if (!report.ok) throw new Error('the day is in order')
  return report.seconds
}
