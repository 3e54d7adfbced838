import type { ChildProcess } from 'node:child_process'
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { TapTally } from './tap-tally.js'
import { TapReader } from './tap-tally.js'

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

const TOGETHER = fileURLToPath(new URL('together.js', import.meta.url))
const STDERR_LENGTH_MAX = 32_768
const CLOSE_TIMEOUT_MS = 2_000
/** How a process ends in which a test has failed. */
const FAILED_END = 'ended with exit code 1'

/** The tests under way. Each leads a process group, so that the servers it started end with it. */
const running = new Set<ChildProcess>()

/**
 * Runs compiled test files in one process, and reports each as it ends. A file that ends badly (exit code,
 * signal, time, not one assertion) without a failed assertion to show for it counts as one failure. Resolves
 * to the files that such an end has kept from running.
 */
export function runTestFiles(
  files: readonly TestFile[],
  timeoutMs: number,
  report: (report: FileReport) => void,
): Promise<readonly TestFile[]> {
  const run = new FilesUnderWay(files, report)
  const reader = new TapReader(() => {
    timer.refresh()
    run.beginFile(reader.tally)
  })
  const child = startProcess(files, timeoutMs)
  running.add(child)

  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    reader.write(text)
  })
  child.stderr?.setEncoding('utf8').on('data', (text: string) => run.addStderr(text))
  const timer = setTimeout(() => {
    run.trouble = `no end after ${timeoutMs / 1000} s`
    endGroup(child, 'SIGTERM')
    setTimeout(() => endGroup(child, 'SIGKILL'), CLOSE_TIMEOUT_MS).unref()
  }, timeoutMs)

  return new Promise(resolve => {
    child.on('error', error => {
      run.trouble ??= `the test did not start: ${error.message}`
    })
    child.on('exit', (code, signal) => {
      if (signal !== null) run.trouble ??= `ended by ${signal}`
      else if (code !== 0) run.trouble ??= `ended with exit code ${code}`
      // Processes that the test left running hold its pipes open, and would block the wait for their end.
      endGroup(child, 'SIGKILL')
    })
    child.on('close', () => {
      clearTimeout(timer)
      running.delete(child)
      reader.end()
      resolve(run.end(reader.tally))
    })
  })
}

/** The files of one process, of which the first that is left runs. */
class FilesUnderWay {
  trouble: string | undefined
  readonly #left: TestFile[]
  readonly #report: (report: FileReport) => void
  #hasBegun = false
  #hasFailed = false
  #startedAt = performance.now()
  #stderr = ''

  constructor(files: readonly TestFile[], report: (report: FileReport) => void) {
    this.#left = [...files]
    this.#report = report
  }

  addStderr(text: string): void {
    this.#stderr = (this.#stderr + text).slice(-STDERR_LENGTH_MAX)
  }

  /** @param tally that of the file before */
  beginFile(tally: TapTally): void {
    if (this.#hasBegun) this.#conclude(tally, undefined)
    this.#hasBegun = true
  }

  /** Ends the file under way, with the end of the process. Returns the files that have not begun. */
  end(tally: TapTally): readonly TestFile[] {
    // The exit code speaks of all files.
    const isToldBefore = this.#hasFailed && this.#left.length === 1 && tally.failures.length === 0
    const trouble = isToldBefore && this.trouble === FAILED_END ? undefined : this.trouble
    this.#conclude(tally, trouble)
    return this.#left
  }

  #conclude(tally: TapTally, trouble: string | undefined): void {
    const file = this.#left.shift()
    if (file === undefined) return
    const end = trouble ?? (tally.isEmpty ? 'not one assertion' : undefined)
    if (end !== undefined && tally.failures.length === 0) {
      tally.failures.push({ name: 'the whole file', detail: end })
    }
    if (tally.failures.length > 0) this.#hasFailed = true
    const durationMs = performance.now() - this.#startedAt
    this.#report({ file, tally, trouble: end, stderr: this.#stderr, durationMs })
    this.#startedAt = performance.now()
    this.#stderr = ''
  }
}

function startProcess(files: readonly TestFile[], timeoutMs: number): ChildProcess {
  // The first file's name makes the directories of these tests their own.
  return spawn(process.execPath, [TOGETHER, files[0]?.source ?? ''], {
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      RAAY_TEST_FILES: files.map(({ compiled }) => compiled).join('\n'),
      // One bound, not two: tap's own of 30 s would end a file that a busy machine has slowed down.
      TAP_TIMEOUT: String((timeoutMs / 1000) * files.length),
    },
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
