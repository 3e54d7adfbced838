import type { ChildProcess } from 'node:child_process'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Costs } from './measuring/costs.js'
import { MAIN, readCosts } from './measuring/costs.js'

const START_TIMEOUT_MS = 180_000
const LOG_SHOWN_MAX = 4000

/** A server in its own process, apart from the one that generates the load. */
export interface ServerChild {
  readonly url: string
  readonly pid: number
  /** Its data directory; undefined if it keeps nothing. */
  readonly data: string | undefined
  stop(): Promise<void>
  /** Kills it, as in a crash. */
  kill(): Promise<void>
  /** Returns what it has cost so far; undefined if the system does not report it. */
  costs(): Costs | undefined
  /** Returns its main thread's processor time; NaN if the system does not report it. */
  mainThreadMs(): number
  /** Returns its resident memory in MB; NaN where there is no /proc. */
  residentMb(): number
  /** Returns the number of SQL statements executed so far; 0 unless it counts them. */
  statements(): number
}

export interface RaayOptions {
  /** The bin/raay.js of another build. */
  readonly bin?: string | undefined
  /** Makes it count its SQL statements, which slows it down. */
  readonly countsStatements?: boolean
  /** By default `start`. */
  readonly verb?: 'start' | 'standby'
  /** Further options of the verb. */
  readonly settings?: readonly string[]
}

const BIN = fileURLToPath(new URL('../../../bin/raay.js', import.meta.url))
const NO_OP = fileURLToPath(new URL('./no-op-server.js', import.meta.url))
const RAW_SOCKETS = fileURLToPath(new URL('./raw-socket-server.js', import.meta.url))
const THREAD_NAMES = fileURLToPath(new URL('./measuring/thread-names.cjs', import.meta.url))
const STATEMENT_COUNTS = fileURLToPath(new URL('./measuring/statement-counts.cjs', import.meta.url))

/** Starts the real exchange on a data directory. */
export function startRaayOn(data: string, options: RaayOptions = {}): Promise<ServerChild> {
  const { bin = BIN, countsStatements = false, verb = 'start', settings = [] } = options
  const preloaded = countsStatements ? ['--require', STATEMENT_COUNTS] : []
  return startChild([...preloaded, bin, verb, '--port', '0', '--data', data, ...settings], data)
}

/** Starts the real exchange on a fresh data directory. */
export async function startRaay(options?: RaayOptions): Promise<ServerChild> {
  const data = mkdtempSync(join(tmpdir(), 'raay-bench-'))
  const remove = () => rmSync(data, { recursive: true, force: true })
  const server = await startRaayOn(data, options).catch(error => {
    remove()
    throw error
  })
  process.once('exit', remove)
  return {
    ...server,
    stop: async () => {
      await server.stop()
      process.off('exit', remove)
      remove()
    },
  }
}

/** Starts the no-op handler of the same stack. */
export function startNoOp(): Promise<ServerChild> {
  return startChild([NO_OP])
}

/** Starts the bare `ws` server that sends each message by itself. */
export function startRawSockets(): Promise<ServerChild> {
  return startChild([RAW_SOCKETS])
}

async function startChild(args: readonly string[], data?: string): Promise<ServerChild> {
  const [names, counts] = [mkdtempSync(join(tmpdir(), 'raay-')), mkdtempSync(join(tmpdir(), 'raay-'))]
  const child = spawn(process.execPath, ['--require', THREAD_NAMES, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, RAAY_BENCH_THREADS: names, RAAY_BENCH_STATEMENTS: counts },
  })
  // It must not outlive a bench that fails or is interrupted.
  const abandon = () => {
    child.kill('SIGKILL')
    forget()
  }
  process.once('exit', abandon)
  let log = ''
  child.stderr?.on('data', chunk => {
    log = `${log}${chunk}`.slice(-LOG_SHOWN_MAX)
  })
  const forget = () => {
    process.off('exit', abandon)
    for (const directory of [names, counts]) rmSync(directory, { recursive: true, force: true })
  }
  const url = await readUrl(child).catch(error => {
    abandon()
    throw new Error(`${error.message}\n${log}`)
  })
  const end = async (signal: NodeJS.Signals) => {
    forget()
    if (child.exitCode !== null) throw new Error(`a server has ended by itself\n${log}`)
    if (child.signalCode !== null) return
    child.kill(signal)
    await once(child, 'exit')
  }
  const pid = child.pid as number
  const costs = () => readCosts(pid, names)
  return {
    url,
    pid,
    data,
    stop: () => end('SIGTERM'),
    kill: () => end('SIGKILL'),
    costs,
    residentMb: () => residentMbOf(pid),
    mainThreadMs: () => (costs()?.cpuUs.get(MAIN) ?? Number.NaN) / 1000,
    statements: () =>
      readdirSync(counts).reduce((sum, file) => sum + Number(readFileSync(join(counts, file), 'utf8')), 0),
  }
}

function residentMbOf(pid: number): number {
  try {
    const [, kilobytes] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
    return Number(kilobytes) / 1024
  } catch {
    return Number.NaN
  }
}

function readUrl(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('the server did not start')), START_TIMEOUT_MS)
    let text = ''
    child.stdout?.on('data', chunk => {
      text += String(chunk)
      const url = /(?:ready|standby) on (http:\S+)/.exec(text)?.[1]
      if (url === undefined) return
      clearTimeout(timer)
      resolve(url)
    })
    child.once('exit', code => reject(new Error(`the server ended with code ${code}`)))
  })
}
