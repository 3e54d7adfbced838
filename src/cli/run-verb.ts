import { ConfigError } from '../server/config/setting-values.js'
import { Failure, UsageError } from './exit-errors.js'
import { isHelpShown } from './make-command.js'
import { printable } from './terminal/printable.js'

const FAILED = 1
const WRONG_USE = 2

/**
 * Runs a verb. Prints an error meant for the user on stderr as one line, and sets the exit code: 1 for a
 * failure, 2 for wrong use. Rejects with any other error. Where stdout cannot be written the work goes on to
 * its end all the same: a restore must not stop half-way because `head` has read enough.
 */
export async function runVerb(run: () => Promise<unknown>): Promise<void> {
  process.stdout.on('error', noteUnwritten)
  try {
    await run()
  } catch (error) {
    if (isHelpShown(error)) return
    const isWrongUse = error instanceof UsageError || error instanceof ConfigError
    if (!(isWrongUse || error instanceof Failure)) throw error
    process.stderr.write(`raay: ${printable(error.message)}\n`)
    process.exitCode = isWrongUse ? WRONG_USE : FAILED
  }
}

/** Makes an action of a command that prints what the function returns. */
export function printing<Args extends readonly unknown[]>(run: (...args: Args) => Promise<string>) {
  return async (...args: Args): Promise<void> => {
    process.stdout.write(await run(...args))
  }
}

/** Writes a value as one line of JSON, for programs. */
export const json = (value: unknown) => `${JSON.stringify(value)}\n`

let isUnwritten = false

/** Reports once that the output is lost, as on a full disk; a reader that has gone wants no more of it. */
function noteUnwritten(error: NodeJS.ErrnoException): void {
  if (error.code === 'EPIPE' || isUnwritten) return
  isUnwritten = true
  process.stderr.write(`raay: stdout cannot be written: ${error.message}\n`)
  process.exitCode = FAILED
}

/** Writes a part of an output, however slow its reader is; resolves to false if it cannot be written. */
export function written(output: NodeJS.WritableStream, part: string | Uint8Array): Promise<boolean> {
  return new Promise(resolve => output.write(part, error => resolve(error == null)))
}

/** Resolves when nobody reads an output any more. */
export function readerGone(output: NodeJS.EventEmitter): Promise<void> {
  return new Promise(resolve => output.once('error', () => resolve()))
}
