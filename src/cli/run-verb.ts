import { ConfigError } from '../server/config.js'
import { CallError } from './client.js'
import { printable } from './terminal/printable.js'

const CANNOT = 1
const WRONG_USE = 2

/**
 * Prints what a verb answers. What it throws for its user to read goes to stderr as one line, with an exit
 * code: 1 refused or not reached, 2 wrong use.
 */
export async function answering(run: () => Promise<string>): Promise<void> {
  process.stdout.on('error', endWhereNobodyReads)
  try {
    process.stdout.write(await run())
  } catch (error) {
    if (!(error instanceof ConfigError || error instanceof CallError)) throw error
    process.stderr.write(`raay: ${printable(error.message)}\n`)
    process.exitCode = error instanceof ConfigError ? WRONG_USE : CANNOT
  }
}

/** One value as one line, for programs. */
export const json = (value: unknown) => `${JSON.stringify(value)}\n`

/** `raay event list | head` has what it wanted: that is no fault of anyone. */
function endWhereNobodyReads(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error
  process.exit()
}
