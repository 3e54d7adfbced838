import type { ReplicationReading } from '../../api/operator/health-reading.js'
import type { Check, DoctorReport } from '../../api/operator/operator-shape.js'
import type { Exchange } from '../../exchange/exchange.js'
import type { Companion } from '../../store/files/companion-files.js'
import type { Config } from '../config/config.js'
import type { HostStanding } from '../health/host-standing.js'
import { openFilesMax } from '../open-files.js'
import { backupCheck, backupsUnreadable } from './backup-check.js'
import { certificateCheck } from './certificate-check.js'
import { fail, ok, warn } from './check.js'
import { companionCheck } from './companion-check.js'
import { fileSystemCheck, spaceCheck } from './disk-checks.js'
import { clockCheck, openFilesCheck } from './machine-checks.js'
import { modeCheck } from './mode-check.js'
import { nodeLifeCheck } from './runtime-checks.js'
import { replicationChecks } from './replication-check.js'
import { standbyChecks } from './standby-check.js'
import { useChecks } from './use-checks.js'
import type { DeskMarket } from '../../exchange/markets/desk-market.js'

/** However often operators ask, the checks are made once in this time. */
const KEPT_MS = 10_000

export interface DoctorOptions {
  /** The data directory. */
  readonly directory: string
  readonly config: Pick<Config, 'network'>
  readonly exchange: Pick<Exchange, 'health' | 'backups' | 'house'>
  readonly standing: HostStanding
  /** Returns how far the log of an exchange that leads is; undefined without one. */
  readonly replication: () => ReplicationReading | undefined
  readonly companions: Readonly<Record<Companion, { readonly doubt: string | undefined }>>
  readonly now: () => number
  /** A monotonic clock in milliseconds. */
  readonly watch: () => number
}

/**
 * Examines the machine and the files of a running exchange. What `raay doctor` finds before a start is left
 * out: the lock, the port, the driver. The checks take a few milliseconds; callers within ten seconds share
 * their result.
 */
export class Doctor {
  readonly #options: DoctorOptions
  #report: Promise<DoctorReport> | undefined
  #keptUntil = Number.NEGATIVE_INFINITY

  constructor(options: DoctorOptions) {
    this.#options = options
  }

  examine(): Promise<DoctorReport> {
    const at = this.#options.watch()
    if (this.#report === undefined || at >= this.#keptUntil) {
      this.#keptUntil = at + KEPT_MS
      this.#report = this.#examine()
    }
    return this.#report
  }

  async #examine(): Promise<DoctorReport> {
    const { directory, config, exchange, companions, standing, replication, now } = this.#options
    const at = now()
    const { users, openOrders } = await exchange.health()
    const { tls } = config.network
    const rows: readonly (readonly [string, () => readonly Check[]])[] = [
      ['node', () => [nodeLifeCheck(at)]],
      ['clock', () => [clockCheck(at)]],
      ['files', () => [openFilesCheck(openFilesMax())]],
      ['modes', () => [modeCheck(directory)]],
      ['space', () => [spaceCheck(directory)]],
      ['disk', () => [fileSystemCheck(directory)]],
      ['access', () => [companionCheck('accounts', companions.accounts.doubt)]],
      ['site', () => [companionCheck('site', companions.site.doubt)]],
      ['standby', () => standbyChecks(standing)],
      ['replication', () => replicationChecks(standing.read().leads ? replication() : undefined)],
      ['house quotes', () => [houseCheck(exchange.house.funding.unquoted)]],
      ['growth', () => useChecks(directory, at, { accounts: users, openOrders })],
      ['tls', () => (tls === undefined ? [] : [certificateCheck(tls, at)])],
    ]
    const checks = rows.flatMap(([name, check]) => checksOf(name, check))
    checks.push(await this.#backups(at))
    const isReady = checks.every(({ result }) => result !== 'fail')
    return { ok: isReady, checkedAt: new Date(at).toISOString(), checks }
  }

  async #backups(at: number): Promise<Check> {
    try {
      return backupCheck(await this.#options.exchange.backups.list(), true, at)
    } catch (error) {
      return backupsUnreadable(error)
    }
  }
}

/** A check that cannot be made is a finding of its own. */
function checksOf(name: string, check: () => readonly Check[]): readonly Check[] {
  try {
    return check()
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return [fail(name, `could not be checked: ${reason}`, 'run raay doctor on the machine')]
  }
}

const NAMED_MAX = 5

/** Checks that new events got the house quotes that --house-liquidity gives them. */
function houseCheck(unquoted: readonly DeskMarket[]): Check {
  if (unquoted.length === 0) return ok('house quotes', 'every new event that should have some got them')
  const named = unquoted.slice(-NAMED_MAX).map(({ terms }) => terms.code)
  const others = unquoted.length > named.length ? `, and ${unquoted.length - named.length} more` : ''
  const found = `created without since the start: ${named.join(', ')}${others}`
  return warn('house quotes', found, 'the log says why; fund them with raay event liquidity')
}
