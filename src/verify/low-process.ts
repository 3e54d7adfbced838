import type { ChildProcess } from 'node:child_process'
import { spawn } from 'node:child_process'
import { constants, setPriority } from 'node:os'

/** The output of a process that has ended, on stdout and on stderr. */
export interface LowOutput {
  readonly output: string
  readonly complaint: string
}

const OUTPUT_LENGTH_MAX = 1024 * 1024

/**
 * Runs a script in a process of its own, at the lowest priority, so that it does not slow down trading.
 * Resolves when it has ended, however it ended; a signal kills it. Rejects if the system has no room for it.
 */
export async function runLow(
  script: string,
  args: readonly string[],
  signal: AbortSignal,
): Promise<LowOutput> {
  const child = spawn(process.execPath, [script, ...args], { stdio: ['ignore', 'pipe', 'pipe'] })
  // Without a free descriptor Node reports the error later, and there are no pipes to read.
  const end = ended(child)
  if (child.stdout === undefined || child.stderr === undefined) return { output: '', complaint: await end }
  const kill = () => child.kill('SIGKILL')
  if (signal.aborted) kill()
  signal.addEventListener('abort', kill)
  lowerPriority(child)
  try {
    const [output, complaint, failure] = await Promise.all([textOf(child.stdout), textOf(child.stderr), end])
    return { output, complaint: complaint.trim() || failure }
  } finally {
    signal.removeEventListener('abort', kill)
  }
}

/** Lowers the process's priority; keeps the usual one if the system does not allow that. */
function lowerPriority({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) setPriority(pid, constants.priority.PRIORITY_LOW)
  } catch {
    // As it is.
  }
}

/** Resolves to why the process could not be started or killed, or to an empty text once it has ended. */
function ended(child: ChildProcess): Promise<string> {
  return new Promise(resolve => {
    child.once('close', () => resolve(''))
    child.once('error', error => resolve(error.message))
  })
}

async function textOf(stream: NodeJS.ReadableStream): Promise<string> {
  let text = ''
  for await (const chunk of stream) if (text.length < OUTPUT_LENGTH_MAX) text += String(chunk)
  return text
}
