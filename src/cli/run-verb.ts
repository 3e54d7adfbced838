import { ConfigError } from '../server/config/setting-values.js'
import { Failure, UsageError } from './exit-errors.js'
import { isHelpShown } from './make-command.js'
import { printable } from './terminal/printable.js'

const FAILED = 1
const WRONG_USE = 2

/**
 * Runs a verb. Prints an error meant for the user on stderr as one line, and sets the exit code: 1 for a
 * failure, 2 for wrong use. Rejects with any other error.
 */
export async function runVerb(run: () => Promise<unknown>): Promise<void> {
  process.stdout.on('error', endWithoutReader)
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

/** Ends the process quietly when a reader such as `head` has closed the pipe. */
function endWithoutReader(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error
  process.exit()
}
