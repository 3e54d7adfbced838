import type { ChildProcess } from 'node:child_process'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { Failure } from '../exit-errors.js'
import { PROGRAM } from '../program.js'

const START_TIMEOUT_MS = 60_000
const STOP_TIMEOUT_MS = 20_000

/** A temporary exchange. */
export interface OwnExchange {
  readonly url: string
  readonly data: string
  /** Stops it and deletes its data. */
  end(): Promise<void>
}

/**
 * Starts an exchange in a process of its own, on a free port, with its data in a new directory below this
 * one. It ignores the variables that configure a real exchange. Throws Failure.
 */
export async function startOwnExchange(directory: string): Promise<OwnExchange> {
  const data = newDirectory(directory)
  const env = Object.entries(process.env).filter(([name]) => !name.startsWith('RAAY_'))
  const argv = [PROGRAM, 'start', '--port', '0', '--data', data]
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
    throw new Failure(`cannot create the temporary data in ${directory}: ${reason}`)
  }
}

/** Stops the process, by force if it does not end in time. */
async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  const timer = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS)
  await ended
  clearTimeout(timer)
}

/** Resolves to the address that the exchange prints when ready. Reads its log, lest the pipe fill up. */
function readyUrl(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = ''
    let log = ''
    const fail = (why: string) => reject(new Failure(`the temporary exchange ${why}: ${log.trim()}`))
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
