import { dirname } from 'node:path'
import type { CheckReport, Report } from '../../verify/checks.js'
import { nativeMismatch } from '../doctor/native-guard.js'
import { Failure } from '../exit-errors.js'
import { dataFileAt } from '../input/data-file.js'
import type { Command } from '../make-command.js'
import { command, note } from '../make-command.js'
import { jsonOption } from '../options.js'
import { json, printing } from '../run-verb.js'
import { settingOption } from '../settings-options.js'
import { isPainting } from '../terminal/paint.js'
import type { Progress } from '../../verify/verification.js'
import type { Output } from '../terminal/progress-line.js'
import { ProgressLine } from '../terminal/progress-line.js'

const BROKEN = 1
const FINDINGS_SHOWN = 20
const COLORS = { ok: '32', broken: '31', skipped: '33' } as const
const NAME_WIDTH = 13

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
It only reads, as of one moment, so an exchange may keep running on the same files: it then uses one core,
otherwise two.

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
  // Imported late because they load the database's native binding.
  const { verifyFile, verifyFileInTwoThreads } = await import('../../verify/verify-file.js')
  const { runningAddress } = await import('../../store/files/running-address.js')
  // Beside a running exchange one thread leaves the other cores to trading.
  const verify = runningAddress(dirname(file)) === undefined ? verifyFileInTwoThreads : verifyFile
  try {
    return await verify(file, done => progress?.update(done))
  } catch (error) {
    throw new Failure(error instanceof Error ? error.message : String(error))
  }
}

/** Formats the result of a verification: totals, each check, the first findings. */
export function reportText(report: Report, seconds: number, isColored: boolean): string {
  const { orders, commands, sequence, journalSequence, accounts, markets } = report
  const { openOrders, stateHash, checks, ok } = report
  const rate = count(Math.round(orders / seconds))
  const ahead = journalSequence - sequence
  const more = ahead > 0 ? `, and ${count(ahead)} in the journal that the tables do not include yet` : ''
  const counts = [
    `${count(sequence)} batches, ${count(commands)} commands${more}`,
    `${count(accounts)} accounts, ${count(markets)} events`,
    `${count(orders)} orders (${count(openOrders)} open), state ${stateHash ?? 'unknown'}`,
  ]
  const lines = checks.map(check => checkLine(check, isColored))
  const found = checks.flatMap(({ name, findings }) => findings.map(finding => `  ${name}: ${finding}`))
  const all = checks.reduce((sum, check) => sum + check.count, 0)
  const shown = found.slice(0, FINDINGS_SHOWN)
  const rest = all > shown.length ? [`  … and ${count(all - shown.length)} more`] : []
  const verdict = ok
    ? paint('The file is in order', COLORS.ok, isColored)
    : paint('The file is NOT in order', COLORS.broken, isColored)
  const end = `${verdict}: ${seconds.toFixed(1)} s, ${rate} journalled orders/s.`
  return `${[...counts, '', ...lines, '', ...shown, ...rest, ...(ok ? [] : ['']), end].join('\n')}\n`
}

function checkLine({ name, rule, result, count: found }: CheckReport, isColored: boolean): string {
  const word = result === 'broken' ? `${count(found)} wrong` : result
  return `  ${name.padEnd(NAME_WIDTH)} ${paint(word.padEnd(9), COLORS[result], isColored)} ${rule}`
}

const paint = (text: string, color: string, isColored: boolean) =>
  isColored ? `\u001b[${color}m${text}\u001b[0m` : text

const count = (value: number) => value.toLocaleString('en')

/** Shows the progress of a verification. */
export class VerifyProgress {
  readonly #file: string
  readonly #output: Output
  readonly #line: ProgressLine
  #start = 0

  constructor(file: string, output: Output, isTerminal: boolean) {
    this.#file = file
    this.#output = output
    this.#line = new ProgressLine(output, isTerminal)
  }

  update(progress: Progress): void {
    if (progress.stage !== 'journal') return
    if (this.#start === 0) this.#begin()
    const { done, total } = progress
    const share = total === 0 ? 1 : done / total
    this.#line.update(share, () => this.#text(progress, share))
  }

  /** Clears the bar, so that further output starts on a new line. */
  end(): void {
    this.#line.end()
  }

  /** Starts the clock: until now the file was being opened. */
  #begin(): void {
    this.#start = performance.now()
    this.#output.write(`Verifying ${this.#file}\n`)
  }

  #text({ done, total, orders }: Extract<Progress, { stage: 'journal' }>, share: number): string {
    const seconds = (performance.now() - this.#start) / 1000
    const rate = seconds > 0 ? Math.round(orders / seconds) : 0
    const left = share > 0 ? (seconds * (1 - share)) / share : 0
    const counted = `batch ${done.toLocaleString('en')} of ${total.toLocaleString('en')}`
    const pace = `${orders.toLocaleString('en')} orders, ${rate.toLocaleString('en')}/s`
    return `${counted}, ${pace}, ${share < 1 ? `${left.toFixed(1)} s left` : 'comparing'}`
  }
}
