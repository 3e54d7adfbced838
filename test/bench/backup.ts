import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { readOperatorKey } from '../../src/access/operator-key.js'
import type { StoredBackup } from '../../src/backup/backup-list.js'
import { listBackups } from '../../src/backup/backup-list.js'
import { examineCopy } from '../../src/backup/examination.js'
import { restoreBackup } from '../../src/backup/restore-backup.js'
import { DirectoryStore } from '../../src/backup/stores/directory-store.js'
import { RaayClient } from '../../src/client/node-client.js'
import { prepareFile } from '../../src/exchange/recovery/recovery.js'
import { openReadOnly } from '../../src/store/database.js'
import { verifyFile } from '../../src/verify/verify-file.js'
import { closedLoop } from './closed-loop.js'
import { median, quantile, thousands } from './figures.js'
import { HttpLine } from './http-line.js'
import { createEvent, orderBodies } from './orders.js'
import { startRaay } from './server-child.js'

const BACKUPS = 20
const EVENTS = 8
const USERS = 1000
const FILL_SECONDS = 2
const FILL_CONNECTIONS = 50
const BODIES = 20_000
/** The steady load: each line sends an order this often. */
const LINES = 10
const PAUSE_MS = 15
const QUIET_SECONDS = 1
const POLL_MS = 50

/** The p99 of orders in milliseconds, without a backup, while one is copied, and while it is verified. */
interface Round {
  readonly quiet: number
  readonly copying: number
  readonly verifying: number
}

/**
 * Makes backups under a steady load and restores each elsewhere: how much slower orders are meanwhile, and
 * whether each is the exchange as of its batch.
 */
export async function benchBackup(): Promise<void> {
  const server = await startRaay({ settings: ['--backup-every', '0', '--verify-every', '0'] })
  const { url, data = '' } = server
  try {
    const codes: [string, ...string[]] = [await createEvent(url, 'Backup 1')]
    while (codes.length < EVENTS) codes.push(await createEvent(url, `Backup ${codes.length + 1}`))
    const bodies = orderBodies(BODIES, codes, USERS)
    const { answers } = await closedLoop(url, bodies, FILL_CONNECTIONS, FILL_SECONDS)
    const client = new RaayClient({ url, adminToken: readOperatorKey(data) })
    const load = await SteadyLoad.open(url, bodies)
    const rounds: Round[] = []
    while (rounds.length < BACKUPS) rounds.push(await roundOf(client.operator, load))
    const sent = load.end()
    client.close()
    console.log(
      `Backups: ${BACKUPS} of ${thousands(answers)} orders and more, at ${thousands(sent)} orders/s`,
    )
    show(rounds)
    await restoreAll(data)
  } finally {
    await server.stop()
  }
}

async function roundOf(operator: RaayClient['operator'], load: SteadyLoad): Promise<Round> {
  load.take()
  await sleep(QUIET_SECONDS * 1000)
  const quiet = load.take()
  const { name } = await operator.makeBackup()
  const copying = load.take()
  for (;;) {
    const { verification } = (await operator.fetchBackups()).find(backup => backup.name === name) ?? {}
    if (verification?.ok === false) throw new Error(`${name}: ${verification.findings[0]}`)
    if (verification?.ok === true) return { quiet, copying, verifying: load.take() }
    await sleep(POLL_MS)
  }
}

function show(rounds: readonly Round[]): void {
  const quiet = median(rounds.map(round => round.quiet))
  console.log(`  p99 without a backup   ${quiet.toFixed(1)} ms (medians of ${rounds.length} rounds)`)
  for (const stage of ['copying', 'verifying'] as const) {
    const p99 = median(rounds.map(round => round[stage]))
    const ratio = median(rounds.map(round => round[stage] / round.quiet))
    console.log(`  p99 while ${stage.padEnd(12)} ${p99.toFixed(1)} ms, ÷ without ${ratio.toFixed(2)}`)
  }
}

/** Restores each backup elsewhere, starts it as far as its tables, and compares it with the original. */
async function restoreAll(data: string): Promise<void> {
  const store = new DirectoryStore(join(data, 'backups'))
  const backups = await listBackups(store)
  if (backups.length !== BACKUPS) throw new Error(`there are ${backups.length} backups`)
  const start = performance.now()
  for (const backup of backups) {
    const directory = mkdtempSync(join(tmpdir(), 'raay-bench-'))
    try {
      const options = { directory, overwrite: false, now: Date.now, examine: examineCopy }
      await restoreBackup(store, backup, options)
      const file = join(directory, 'raay.db')
      prepareFile(file)
      const { ok, sequence } = verifyFile(file)
      const isThere = ok && sequence === backup.manifest?.sequence && hasBatch(data, backup)
      if (!isThere) throw new Error(`${backup.name} is not the exchange as of its batch`)
    } finally {
      rmSync(directory, { recursive: true })
    }
  }
  const seconds = (performance.now() - start) / 1000 / BACKUPS
  console.log(
    `  ${BACKUPS} restored and equal at their batches, ${seconds.toFixed(1)} s each with two verifications`,
  )
}

/** Returns whether the journal of the original has the last batch of a backup, with its hash. */
function hasBatch(data: string, { manifest }: StoredBackup): boolean {
  const database = openReadOnly(join(data, 'raay.db'))
  try {
    const select = 'SELECT lower(hex(hash)) FROM whole_journal WHERE sequence = ?'
    return database.prepare(select).pluck().get(manifest?.sequence) === manifest?.journal_hash
  } finally {
    database.close()
  }
}

/** Orders at a steady rate over some lines, each after the answer to the last. */
class SteadyLoad {
  readonly #requests: readonly Buffer[]
  readonly #start = performance.now()
  #latencies: number[] = []
  #sent = 0
  #isEnded = false

  private constructor(lines: readonly HttpLine[], requests: readonly Buffer[]) {
    this.#requests = requests
    for (const line of lines) void this.#converse(line)
  }

  static async open(url: string, bodies: readonly string[]): Promise<SteadyLoad> {
    const lines = await Promise.all(Array.from({ length: LINES }, () => HttpLine.open(url)))
    return new SteadyLoad(
      lines,
      bodies.map(body => HttpLine.request(url, '/order/initiate', body)),
    )
  }

  /** Returns the p99 of the orders answered since the last call. */
  take(): number {
    const latencies = this.#latencies.sort((a, b) => a - b)
    this.#latencies = []
    return quantile(latencies, 0.99)
  }

  /** Ends it; returns the orders per second. */
  end(): number {
    this.#isEnded = true
    return (this.#sent / (performance.now() - this.#start)) * 1000
  }

  async #converse(line: HttpLine): Promise<void> {
    while (!this.#isEnded) {
      const start = performance.now()
      const answer = await line.ask(this.#requests[this.#sent++ % this.#requests.length] as Buffer)
      if (!answer.includes('HTTP/1.1 201 ')) throw new Error(`an order was answered ${answer.toString()}`)
      this.#latencies.push(performance.now() - start)
      await sleep(Math.max(0, PAUSE_MS - (performance.now() - start)))
    }
    line.end()
  }
}
