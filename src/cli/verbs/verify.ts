import { statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { SETTINGS } from '../../server/config.js'
import { wrongFlag } from '../../server/wrong-flag.js'
import type { Report } from '../../verify/checks.js'
import { nativeMismatch } from '../doctor/native-guard.js'
import { isPainting } from '../terminal/paint.js'
import { VerifyProgress } from './verify-progress.js'
import { reportText } from './verify-report.js'

const CANNOT = 1
const WRONG_USE = 2

/** `raay verify`: replays the journal and compares every row with it. Exit codes: 0 in order, 1 not. */
export async function verify(argv: readonly string[]): Promise<void> {
  const flags = readFlags(argv)
  if (typeof flags === 'string') return end(flags, WRONG_USE)
  const file = fileAt(resolve(flags.data))
  const mismatch = nativeMismatch()
  if (mismatch !== undefined) return end(mismatch, CANNOT)
  const { stdout } = process
  const progress = flags.json ? undefined : new VerifyProgress(file, stdout, stdout.isTTY === true)
  try {
    // Loaded late, for it loads the database's binding.
    const { verifyFileInTwoThreads } = await import('../../verify/verify-file.js')
    const start = performance.now()
    const report: Report = await verifyFileInTwoThreads(file, told => progress?.tell(told))
    const seconds = (performance.now() - start) / 1000
    progress?.end()
    stdout.write(flags.json ? jsonText(file, report, seconds) : reportText(report, seconds, isPainting()))
    if (!report.ok) process.exitCode = CANNOT
  } catch (error) {
    progress?.end()
    end(error instanceof Error ? error.message : String(error), CANNOT)
  }
}

/** The file itself, as of a backup, or the one in a data directory. It is not opened by this. */
function fileAt(path: string): string {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true ? path : join(path, 'raay.db')
}

interface Flags {
  readonly data: string
  readonly json: boolean
}

/** The flags, or what is wrong with them. */
function readFlags(argv: readonly string[]): Flags | string {
  const options = { data: { type: 'string' }, json: { type: 'boolean' } } as const
  try {
    const { data, json } = parseArgs({ args: [...argv], options, allowPositionals: false }).values
    const { variable, fallback } = SETTINGS.data
    return { data: data ?? (process.env[variable] || fallback), json: json === true }
  } catch (error) {
    return `${wrongFlag(error, Object.keys(options))}; raay help verify lists the flags`
  }
}

function jsonText(file: string, report: Report, seconds: number): string {
  return `${JSON.stringify({ file, seconds: Math.round(seconds * 1000) / 1000, ...report })}\n`
}

function end(message: string, code: number): void {
  process.stderr.write(`raay: ${message}\n`)
  process.exitCode = code
}
