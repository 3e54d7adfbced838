import { fileURLToPath } from 'node:url'
import type { Logger } from 'pino'
import type { VerificationReading } from '../api/operator/health-reading.js'
import { fileBytes } from '../store/files/file-bytes.js'
import type { Report } from '../verify/checks.js'
import type { LowOutput } from '../verify/low-process.js'
import { runLow } from '../verify/low-process.js'

const ENTRY = fileURLToPath(new URL('./verify-process.js', import.meta.url))
const HOUR_MS = 3_600_000
/** The delay before the first verification, so that a start has the machine to itself. */
const FIRST_AFTER_MS = 600_000
const LOG_LOOK_MS = 1000
/**
 * A verification reads one snapshot, and until it ends the log cannot restart. It is aborted when the log
 * reaches this size: otherwise it could fill the disk of a busy exchange.
 */
const LOG_BYTES_MAX = 1024 ** 3
const FINDINGS_MAX = 20
const NO_REPORT = 'the verification ended without a report'

export interface VerifyScheduleOptions {
  readonly file: string
  /** Hours between verifications; 0 for none. */
  readonly everyHours: number
  readonly log: Logger
  readonly now: () => number
  readonly firstAfterMs?: number
  readonly logBytesMax?: number
  /** Runs the process of a verification; tests replace it. */
  readonly run?: (args: readonly string[], signal: AbortSignal) => Promise<LowOutput>
}

type Ending = Omit<VerificationReading, 'at' | 'seconds'>

/**
 * Verifies the whole file regularly during trading, as `raay verify` does: in its own process, at the lowest
 * priority, one at a time. A finding raises an alarm but does not stop the exchange: the damage is already
 * done, and the operator decides whether to continue.
 */
export class VerifySchedule {
  readonly #options: VerifyScheduleOptions
  #everyHours: number
  #timer: NodeJS.Timeout | undefined
  #last: VerificationReading | undefined
  /** Aborts the verification that is under way. */
  #abort: AbortController | undefined
  #isStopped = false

  constructor(options: VerifyScheduleOptions) {
    this.#options = options
    this.#everyHours = options.everyHours
  }

  begin(): void {
    if (this.#everyHours > 0) this.#wait(this.#options.firstAfterMs ?? FIRST_AFTER_MS)
  }

  /** Verifies at another interval from now on; a running verification goes on. */
  change(everyHours: number): void {
    if (everyHours === this.#everyHours || this.#isStopped) return
    this.#everyHours = everyHours
    clearTimeout(this.#timer)
    if (this.#abort !== undefined) return
    if (this.#last === undefined) this.begin()
    else this.#waitAfter(this.#last.at)
  }

  /** Returns the result of the last verification; undefined before the first. */
  get last(): VerificationReading | undefined {
    return this.#last
  }

  /** Aborts a running verification and schedules no other. */
  stop(): void {
    this.#isStopped = true
    clearTimeout(this.#timer)
    this.#abort?.abort()
  }

  #wait(ms: number): void {
    this.#timer = setTimeout(() => void this.#run(), ms)
  }

  async #run(): Promise<void> {
    const { now } = this.#options
    const at = now()
    const ended = await this.#verify()
    if (this.#isStopped) return
    this.#last = { at, seconds: (now() - at) / 1000, ...ended }
    this.#log(this.#last)
    this.#waitAfter(at)
  }

  /** @param at the begin of the last verification */
  #waitAfter(at: number): void {
    if (this.#everyHours === 0) return
    const everyMs = this.#everyHours * HOUR_MS
    // A clock that was set back meanwhile must not put the next one off for ever.
    this.#wait(Math.min(Math.max(0, at + everyMs - this.#options.now()), everyMs))
  }

  /** Runs a verification and resolves to its result; never rejects. */
  async #verify(): Promise<Ending> {
    const { file, logBytesMax = LOG_BYTES_MAX, run = runApart } = this.#options
    const abort = new AbortController()
    this.#abort = abort
    let isTooLong = false
    const look = async () => {
      const { wal, journalWal } = await fileBytes(file)
      if (Math.max(wal, journalWal) <= logBytesMax) return
      isTooLong = true
      abort.abort()
    }
    // A look that fails proves nothing about the length; the next one tells.
    const tryLook = () => void look().catch(() => {})
    tryLook()
    const looks = setInterval(tryLook, LOG_LOOK_MS)
    try {
      const { output, complaint } = await run([file], abort.signal)
      if (isTooLong) return failed('given up, for a write-ahead log became too long meanwhile')
      if (output === '') return failed(complaint.slice(0, 500) || NO_REPORT)
      const { ok, checks } = JSON.parse(output) as Report
      const findings = checks.flatMap(check => check.findings.map(finding => `${check.name}: ${finding}`))
      const count = checks.reduce((sum, check) => sum + check.count, 0)
      return { result: ok ? 'ok' : 'broken', findings: findings.slice(0, FINDINGS_MAX), count }
    } catch (error) {
      return failed(`${NO_REPORT}: ${error instanceof Error ? error.message : error}`)
    } finally {
      clearInterval(looks)
      this.#abort = undefined
    }
  }

  #log({ result, seconds, findings, count }: VerificationReading): void {
    const { log, file } = this.#options
    if (result === 'ok') log.info({ seconds }, 'verified: the file is in order')
    else if (result === 'failed') log.warn({ seconds, findings }, 'the file could not be verified')
    else {
      const advice = `look at it with raay verify --data ${file}, and restore a backup that is in order`
      log.error({ seconds, findings, count }, `the file is NOT in order: ${advice}`)
    }
  }
}

const runApart = (args: readonly string[], signal: AbortSignal) => runLow(ENTRY, args, signal)
const failed = (finding: string) => ({ result: 'failed' as const, findings: [finding], count: 1 })
