import type { ChildProcess } from 'node:child_process'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { CallError } from '../client.js'

/** The same from a checkout and from an installed package. */
const ROOT = fileURLToPath(new URL('../../../../', import.meta.url))
const START_TIMEOUT_MS = 60_000
const STOP_TIMEOUT_MS = 20_000

/** An exchange of one's own for a while. */
export interface OwnExchange {
  readonly url: string
  readonly data: string
  /** Stops it and leaves nothing of it behind. */
  end(): Promise<void>
}

/**
 * Starts an exchange in a process of its own, on a free port and in a new directory below the one named. It
 * takes none of the variables that a real one is set up with. Throws CallError.
 */
export async function startOwnExchange(directory: string): Promise<OwnExchange> {
  const data = newDirectory(directory)
  const env = Object.entries(process.env).filter(([name]) => !name.startsWith('RAAY_'))
  const argv = [join(ROOT, 'bin/raay.js'), 'start', '--port', '0', '--data', data]
  const child = spawn(process.execPath, argv, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: Object.fromEntries(env),
  })
  const end = async () => {
    await stop(child)
    rmSync(data, { recursive: true, force: true })
  }
  try {
    return { url: await readyUrl(child), data, end }
  } catch (error) {
    await end()
    throw error
  }
}

function newDirectory(directory: string): string {
  try {
    return mkdtempSync(join(directory, 'raay-bench-'))
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new CallError(`${directory} cannot take the temporary data: ${reason}`)
  }
}

/** Asks it to stop, and after a while no longer asks. */
async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  const timer = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS)
  await ended
  clearTimeout(timer)
}

/** The address in the line that says it is ready. What it logs is read, so that its pipe never fills. */
function readyUrl(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = ''
    let log = ''
    const fail = (why: string) => reject(new CallError(`the exchange for the bench ${why}: ${log.trim()}`))
    const timer = setTimeout(() => fail('did not start'), START_TIMEOUT_MS)
    child.stderr?.on('data', chunk => {
      log = `${log}${String(chunk)}`.slice(-1000)
    })
    child.stdout?.on('data', chunk => {
      text += String(chunk)
      const [, url] = /ready on (http:\S+)/.exec(text) ?? []
      if (url === undefined) return
      clearTimeout(timer)
      resolve(url)
    })
    child.once('exit', () => {
      clearTimeout(timer)
      fail('ended')
    })
  })
}
