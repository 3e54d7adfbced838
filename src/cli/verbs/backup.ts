import { parseArgs } from 'node:util'
import { ConfigError } from '../../server/config.js'
import { CallError, call, serverAt } from '../client.js'
import { printable } from '../terminal/printable.js'

const CANNOT = 1
const WRONG_USE = 2
const TIMEOUT_MS = 3_600_000
const BYTES_PER_MB = 1_000_000

interface Made {
  readonly file: string
  readonly bytes: number
  readonly sequence: number
}

/** `raay backup`: has a running exchange copy its file. Exit codes: 0 made, 1 not, 2 wrong use. */
export async function backup(argv: readonly string[]): Promise<void> {
  try {
    const { url, json } = readFlags(argv)
    const made = (await call(
      serverAt(url, process.env),
      'POST',
      '/admin/backup',
      undefined,
      TIMEOUT_MS,
    )) as Made
    process.stdout.write(json ? `${JSON.stringify(made)}\n` : `${lineOf(made)}\n`)
  } catch (error) {
    if (!(error instanceof ConfigError || error instanceof CallError)) throw error
    process.stderr.write(`raay: ${printable(error.message)}\n`)
    process.exitCode = error instanceof ConfigError ? WRONG_USE : CANNOT
  }
}

function lineOf({ file, bytes, sequence }: Made): string {
  return `${printable(file)} (${(bytes / BYTES_PER_MB).toFixed(1)} MB), as of batch ${sequence}`
}

function readFlags(argv: readonly string[]) {
  const options = { url: { type: 'string' }, json: { type: 'boolean' } } as const
  try {
    const { url, json } = parseArgs({ args: [...argv], options, allowPositionals: false }).values
    return { url, json: json === true }
  } catch (error) {
    const reason = error instanceof Error ? error.message.split('. ')[0] : String(error)
    throw new ConfigError(`${reason}; raay help backup lists the flags`)
  }
}
