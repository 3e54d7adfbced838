import { arch, cpus, platform } from 'node:os'
import { benchBatch } from './batch.js'
import { benchBook } from './book.js'
import { benchEndToEnd } from './end-to-end.js'
import { benchFanOut } from './fan-out.js'
import { benchReads } from './reads.js'
import { benchRecovery } from './recovery.js'
import { benchSettlement } from './settlement.js'
import { benchVerify } from './verify.js'

/** `npm run bench [-- book end-to-end …]`: runs all benchmarks, or those named. */
const BENCHES: Readonly<Record<string, () => unknown>> = {
  book: benchBook,
  'end-to-end': benchEndToEnd,
  batch: benchBatch,
  reads: benchReads,
  'fan-out': benchFanOut,
  recovery: benchRecovery,
  settlement: benchSettlement,
  verify: benchVerify,
}

const named = process.argv.slice(2)
const unknown = named.find(name => !(name in BENCHES))
if (unknown !== undefined) {
  console.error(`there is no benchmark "${unknown}"; there are ${Object.keys(BENCHES).join(', ')}`)
  process.exit(2)
}
console.log(
  `${cpus().length} × ${cpus()[0]?.model.trim()}, ${platform()} ${arch()}, Node ${process.version}\n`,
)
for (const [name, bench] of Object.entries(BENCHES)) {
  if (named.length > 0 && !named.includes(name)) continue
  await bench()
  console.log('')
}
