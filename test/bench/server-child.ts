import type { ChildProcess } from 'node:child_process'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const START_TIMEOUT_MS = 60_000

/** A server in its own process, apart from the one that generates the load. */
export interface ServerChild {
  readonly url: string
  stop(): Promise<void>
  /** Kills it, as in a crash. */
  kill(): Promise<void>
  /** Returns its main thread's processor time; NaN if the system does not report it. */
  mainThreadMs(): number
}

const BIN = fileURLToPath(new URL('../../../bin/raay.js', import.meta.url))

/** Starts the real exchange on a data directory; `bin` may be that of another build. */
export function startRaayOn(data: string, bin = BIN): Promise<ServerChild> {
  return startChild([bin, 'start', '--port', '0', '--data', data])
}

/** Starts the real exchange on a fresh data directory. */
export async function startRaay(bin?: string): Promise<ServerChild> {
  const data = mkdtempSync(join(tmpdir(), 'raay-bench-'))
  const server = await startRaayOn(data, bin)
  return {
    ...server,
    stop: async () => {
      await server.stop()
      rmSync(data, { recursive: true })
    },
  }
}

/** Starts the no-op handler of the same stack. */
export function startNoOp(): Promise<ServerChild> {
  return startChild([fileURLToPath(new URL('./no-op-server.js', import.meta.url))])
}

async function startChild(args: readonly string[]): Promise<ServerChild> {
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  const url = await readUrl(child)
  const end = async (signal: NodeJS.Signals) => {
    if (child.exitCode !== null || child.signalCode !== null) return
    child.kill(signal)
    await once(child, 'exit')
  }
  const mainThreadMs = () => threadMs(child.pid)
  return { url, stop: () => end('SIGTERM'), kill: () => end('SIGKILL'), mainThreadMs }
}

/** The 14th and 15th field of a thread's line, counted in hundredths of a second (proc(5)). */
function threadMs(pid: number | undefined): number {
  try {
    const line = readFileSync(`/proc/${pid}/task/${pid}/stat`, 'utf8')
    const [user, system] = line.slice(line.lastIndexOf(')')).split(' ').slice(12, 14)
    return (Number(user) + Number(system)) * 10
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
      const url = /ready on (http:\S+)/.exec(text)?.[1]
      if (url === undefined) return
      clearTimeout(timer)
      resolve(url)
    })
    child.once('exit', code => reject(new Error(`the server ended with code ${code}`)))
  })
}
