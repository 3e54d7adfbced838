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
 * Resolves when it has ended, however it ended; a signal kills it.
 */
export async function runLow(
  script: string,
  args: readonly string[],
  signal: AbortSignal,
): Promise<LowOutput> {
  const child = spawn(process.execPath, [script, ...args], { stdio: ['ignore', 'pipe', 'pipe'] })
  const kill = () => child.kill('SIGKILL')
  if (signal.aborted) kill()
  signal.addEventListener('abort', kill)
  lowerPriority(child)
  try {
    const [output, complaint] = await Promise.all([textOf(child.stdout), textOf(child.stderr), ended(child)])
    return { output, complaint: complaint.trim() }
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

function ended(child: ChildProcess): Promise<void> {
  return new Promise(resolve => {
    child.once('close', () => resolve())
    child.once('error', () => resolve())
  })
}

async function textOf(stream: NodeJS.ReadableStream): Promise<string> {
  let text = ''
  for await (const chunk of stream) if (text.length < OUTPUT_LENGTH_MAX) text += String(chunk)
  return text
}
