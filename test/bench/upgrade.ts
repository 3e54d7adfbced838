import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import type { TimeMs } from '../../src/core/units.js'
import { upgradeData } from '../../src/server/upgrade/upgrade-data.js'
import { sizeOfFile } from '../../src/store/files/file-bytes.js'
import { thousands } from './figures.js'
import { olderFile } from './older-file.js'

const ORDERS = 1_000_000

/** Measures the upgrade of a file of the first version, with its backup, part by part. */
export async function benchUpgrade(): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'raay-upgrade-'))
  try {
    const file = await olderFile(directory, ORDERS)
    const megabytes = Math.round(sizeOfFile(file) / 1_000_000)
    console.log(`upgrade of ${thousands(ORDERS)} orders of version 1, ${megabytes} MB`)
    const begun = performance.now()
    let [what, since] = ['', begun]
    const next = (name: string) => {
      if (name === what) return
      if (what !== '') console.log(`  ${seconds(performance.now() - since)}  ${what}`)
      ;[what, since] = [name, performance.now()]
    }
    const now = () => Date.now() as TimeMs
    const told = (progress: { readonly what: string }) => next(progress.what)
    await upgradeData(file, { version: 'bench', now, makesBackup: true, told })
    next('')
    console.log(`  ${seconds(performance.now() - begun)}  in all`)
  } finally {
    rmSync(directory, { recursive: true })
  }
}

const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`.padStart(7)
