import type { ChildProcess } from 'node:child_process'
import { spawn } from 'node:child_process'
import { TapTally } from './tap-tally.js'

export interface TestFile {
  /** test/… .test.ts */
  readonly source: string
  /** dist/test/… .test.js */
  readonly compiled: string
}

export interface FileReport {
  readonly file: TestFile
  readonly tally: TapTally
  /** How the process ended, if badly. */
  readonly trouble: string | undefined
  /** The last part of what the test wrote to stderr. */
  readonly stderr: string
  readonly durationMs: number
}

const STDERR_LENGTH_MAX = 32_768
const CLOSE_TIMEOUT_MS = 2_000

/** The tests under way. Each leads a process group, so that the servers it started end with it. */
const running = new Set<ChildProcess>()

/**
 * Runs one compiled test file in a process of its own. A file that ends badly (exit code, signal, time, not
 * one assertion) without a failed assertion to show for it counts as one failure.
 */
export function runTestFile(file: TestFile, timeoutMs: number): Promise<FileReport> {
  const startedAt = performance.now()
  const tally = new TapTally()
  const child = spawn(process.execPath, ['--enable-source-maps', file.compiled], {
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    // One bound, not two: tap's own of 30 s would end a file that a busy machine has slowed down.
    env: { ...process.env, TAP_TIMEOUT: String(timeoutMs / 1000) },
  })
  running.add(child)
  let stderr = ''
  let trouble: string | undefined

  child.stdout.setEncoding('utf8').on('data', (text: string) => tally.write(text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr = (stderr + text).slice(-STDERR_LENGTH_MAX)
  })
  const timer = setTimeout(() => {
    trouble = `no end after ${timeoutMs / 1000} s`
    endGroup(child, 'SIGTERM')
    setTimeout(() => endGroup(child, 'SIGKILL'), CLOSE_TIMEOUT_MS).unref()
  }, timeoutMs)

  return new Promise(resolve => {
    child.on('error', error => {
      trouble ??= `the test did not start: ${error.message}`
    })
    child.on('exit', (code, signal) => {
      if (signal !== null) trouble ??= `ended by ${signal}`
      else if (code !== 0) trouble ??= `ended with exit code ${code}`
      // Processes that the test left running hold its pipes open, and would block the wait for their end.
      endGroup(child, 'SIGKILL')
    })
    child.on('close', () => {
      clearTimeout(timer)
      running.delete(child)
      tally.end()
      if (tally.isEmpty) trouble ??= 'not one assertion'
      if (trouble !== undefined && tally.failures.length === 0) {
        tally.failures.push({ name: 'the whole file', detail: trouble })
      }
      resolve({ file, tally, trouble, stderr, durationMs: performance.now() - startedAt })
    })
  })
}

/** Ends every running test, for a runner that is asked to stop. */
export function endRunningTests(): void {
  for (const child of running) endGroup(child, 'SIGKILL')
}

function endGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return
  try {
    process.kill(-child.pid, signal)
  } catch {
    // The group is already gone.
  }
}
