import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { fileURLToPath } from 'node:url'
import type { TimeMs } from '../../src/core/units.js'
import { archiveOld } from '../../src/exchange/recovery/archive-old.js'
import { archivesIn } from '../../src/store/archive/archive-path.js'
import { backUp } from '../../src/store/files/backup-file.js'
import { sizeOfFile } from '../../src/store/files/file-bytes.js'
import { thousands } from './figures.js'
import { journalYear } from './journalled-year.js'
import { startRaayOn } from './server-child.js'

const BIN = fileURLToPath(new URL('../../../bin/raay.js', import.meta.url))
const ORDERS = Number(process.env.RAAY_BENCH_ORDERS ?? 1_000_000)
const KEPT_DAYS = 90
const DAY = 86_400_000

/** Measures a year of a small exchange, before and after what is older than 90 days has moved to the archive. */
export async function benchArchive(): Promise<void> {
  const data = mkdtempSync(join(tmpdir(), 'raay-bench-'))
  process.once('exit', () => rmSync(data, { recursive: true, force: true }))
  const end = Date.now()
  await timed(`making a year of ${thousands(ORDERS)} orders`, () =>
    journalYear(join(data, 'raay.db'), ORDERS, end),
  )
  await measure(data, 'before')
  const limit = (end - KEPT_DAYS * DAY) as TimeMs
  const stages: string[] = []
  let since = performance.now()
  const told = (stage: string) => {
    stages.push(`${secondsSince(since)}, then ${stage}`)
    since = performance.now()
  }
  const moved = await timed('raay archive --older-than 90d', () =>
    archiveOld(data, { limit, isDryRun: false, told }),
  )
  console.log(`    ${stages.join(' ')} ${secondsSince(since)}`)
  console.log(`    moved ${JSON.stringify(moved?.counts)} of ${moved?.markets} events`)
  await measure(data, 'after')
  const backups = readdirSync(join(data, 'backups'))
  console.log(
    `  backups: ${backups.map(name => `${name} ${megabytes(join(data, 'backups', name))}`).join(', ')}`,
  )
}

async function measure(data: string, when: string): Promise<void> {
  const names = ['raay.db', 'journal.db', ...archivesIn(data)]
  console.log(`  ${when}: ${names.map(name => `${name} ${megabytes(join(data, name))}`).join(', ')}`)
  await timed(`${when}: a start`, async () => {
    const server = await startRaayOn(data)
    console.log(`    memory ${memoryOf(data)}`)
    await server.stop()
  })
  await timed(`${when}: raay verify`, () => {
    const { status, stdout } = spawnSync(process.execPath, [BIN, 'verify', '--data', data, '--json'])
    const { ok, stateHash } = JSON.parse(stdout.toString()) as { ok: boolean; stateHash: string }
    if (status !== 0 || !ok) throw new Error(`${when}: the files do not verify`)
    console.log(`    state hash ${stateHash}`)
  })
  await timed(`${when}: a backup`, () => backUp(join(data, 'raay.db'), join(data, 'backups', `${when}.db`)))
}

/** Returns the resident memory of the server on a data directory. */
function memoryOf(data: string): string {
  for (const name of readdirSync('/proc').filter(text => /^\d+$/.test(text))) {
    try {
      if (!readFileSync(`/proc/${name}/cmdline`, 'utf8').includes(`start\0--port\x000\0--data\0${data}`))
        continue
      return /VmRSS:\s+(\d+ kB)/.exec(readFileSync(`/proc/${name}/status`, 'utf8'))?.[1] ?? 'unknown'
    } catch {
      // The process has ended meanwhile.
    }
  }
  return 'unknown'
}

async function timed<Result>(what: string, work: () => Result | Promise<Result>): Promise<Result> {
  const begun = performance.now()
  const result = await work()
  console.log(`  ${what}: ${secondsSince(begun)}`)
  return result
}

const secondsSince = (begun: number) => `${((performance.now() - begun) / 1000).toFixed(1)} s`
const megabytes = (path: string) => `${(sizeOfFile(path) / 1_000_000).toFixed(0)} MB`
