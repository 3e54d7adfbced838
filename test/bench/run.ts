import { arch, cpus, platform } from 'node:os'
import { parsedOrEnd } from '../fixtures/parsed-or-end.js'
import { benchArchive } from './archive.js'
import { benchBackup } from './backup.js'
import { benchBatch } from './batch.js'
import { benchBook } from './book.js'
import { benchDoor } from './door.js'
import { benchEndToEnd } from './end-to-end.js'
import { benchFairness } from './fairness.js'
import { benchFanOut } from './fan-out.js'
import { benchGrowth } from './growth.js'
import { benchGroupSettlement } from './group-settlement.js'
import { benchHouseStorm } from './house-storm.js'
import type { OtherBuild } from './measuring/other-build.js'
import { buildCommit, COMMIT_BEFORE } from './measuring/other-build.js'
import { benchOverload } from './overload.js'
import { benchPages } from './pages/pages.js'
import { benchTasks } from './pages/tasks.js'
import { benchReads } from './reads.js'
import { benchRecovery } from './recovery.js'
import { benchReplication } from './replication.js'
import { benchSettlement } from './settlement.js'
import { benchSize } from './size.js'
import { benchSockets } from './sockets.js'
import { benchStart } from './start.js'
import { benchTables } from './tables.js'
import { benchVerify } from './verify.js'

type Bench = (other: OtherBuild | undefined) => unknown

const BENCHES: Readonly<Record<string, Bench>> = {
  archive: benchArchive,
  book: benchBook,
  'end-to-end': benchEndToEnd,
  door: benchDoor,
  batch: benchBatch,
  sockets: benchSockets,
  overload: benchOverload,
  reads: benchReads,
  pages: benchPages,
  tasks: benchTasks,
  'fan-out': benchFanOut,
  fairness: benchFairness,
  'house-storm': benchHouseStorm,
  recovery: benchRecovery,
  replication: benchReplication,
  settlement: benchSettlement,
  'group-settlement': benchGroupSettlement,
  size: benchSize,
  start: benchStart,
  growth: benchGrowth,
  tables: benchTables,
  verify: benchVerify,
  backup: benchBackup,
}
/** Those that another build takes part in. */
const COMPARED = ['end-to-end', 'recovery', 'start', 'verify']
const NOTHING = 'none'

/**
 * `npm run bench [-- book end-to-end … --against COMMIT]`: runs all benchmarks, or those named, some of them
 * beside the build of another commit; `--against none` goes without.
 */
const { values, positionals } = parsedOrEnd({
  allowPositionals: true,
  options: { against: { type: 'string', default: COMMIT_BEFORE }, help: { type: 'boolean' } },
})
if (values.help) {
  console.log('npm run bench -- [name …] [--against COMMIT|none]: runs the benchmarks named, or all\n')
  console.log(`  ${Object.keys(BENCHES).join('\n  ')}`)
  process.exit(0)
}
const unknown = positionals.find(name => !(name in BENCHES))
if (unknown !== undefined) {
  console.error(`there is no benchmark "${unknown}"; there are ${Object.keys(BENCHES).join(', ')}`)
  process.exit(2)
}
console.log(
  `${cpus().length} × ${cpus()[0]?.model.trim()}, ${platform()} ${arch()}, Node ${process.version}\n`,
)
const chosen = positionals.length === 0 ? Object.keys(BENCHES) : positionals
const isCompared = values.against !== NOTHING && chosen.some(name => COMPARED.includes(name))
const other = isCompared ? buildCommit(values.against, console.log) : undefined
process.on('exit', () => other?.remove())
// Each server that a benchmark starts is ended with the process.
process.setMaxListeners(50)
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(1))
for (const name of chosen) {
  await BENCHES[name]?.(other)
  console.log('')
}
