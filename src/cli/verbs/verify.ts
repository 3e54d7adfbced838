import type { Report } from '../../verify/checks.js'
import { nativeMismatch } from '../doctor/native-guard.js'
import { Failure } from '../exit-errors.js'
import { dataFileAt } from '../input/data-file.js'
import type { Command } from '../make-command.js'
import { command, note } from '../make-command.js'
import { jsonOption } from '../options.js'
import { json, printing } from '../run-verb.js'
import { settingOption } from '../settings-options.js'
import { isPainting } from '../terminal/paint.js'
import { VerifyProgress } from './verify-progress.js'
import { reportText } from './verify-report.js'

const BROKEN = 1

interface VerifyOptions {
  readonly data: string
  readonly json?: true
}

/** `raay verify`: replays the journal and compares every row of every table with the result. */
export function verifyCommand(): Command {
  const made = command('verify', 'check the tables against the journal, or a backup', [
    'raay verify --data /srv/raay',
    'raay verify --data /srv/raay --json',
    'raay verify --data data/backups/raay-20261121T180000.000Z.db',
  ])
  note(
    made,
    `Replays the whole journal into an empty state and compares every row of every table with the result.
It only reads, as of one moment, so an exchange may keep running on the same files.

Exit codes: 0 in order, 1 not in order or not readable, 2 wrong use.`,
  )
  return made.addOption(settingOption('data')).addOption(jsonOption()).action(printing(verify))
}

async function verify(options: VerifyOptions): Promise<string> {
  const file = dataFileAt(options.data)
  const mismatch = nativeMismatch()
  if (mismatch !== undefined) throw new Failure(mismatch)
  const { stdout } = process
  const progress = options.json ? undefined : new VerifyProgress(file, stdout, stdout.isTTY === true)
  try {
    const start = performance.now()
    const report = await reportOn(file, progress)
    const seconds = (performance.now() - start) / 1000
    if (!report.ok) process.exitCode = BROKEN
    progress?.end()
    if (!options.json) return reportText(report, seconds, isPainting())
    return json({ file, seconds: Math.round(seconds * 1000) / 1000, ...report })
  } finally {
    progress?.end()
  }
}

async function reportOn(file: string, progress: VerifyProgress | undefined): Promise<Report> {
  // Imported late because it loads the database's native binding.
  const { verifyFileInTwoThreads } = await import('../../verify/verify-file.js')
  try {
    return await verifyFileInTwoThreads(file, done => progress?.update(done))
  } catch (error) {
    throw new Failure(error instanceof Error ? error.message : String(error))
  }
}
