import { join } from 'node:path'
import type { Logger } from 'pino'
import { examineApart } from '../backup/examine-apart.js'
import { openStore } from '../backup/stores/open-store.js'
import type { Exchange } from '../exchange/exchange.js'
import type { BackupOptions } from '../exchange/exchange-options.js'
import type { Sources } from '../exchange/sources.js'
import type { AccountOptions } from '../http/auth/auth-door.js'
import type { SiteStore } from '../site/site-store.js'
import { logBackups } from './backup-log.js'
import { BackupSchedule } from './backup-schedule.js'
import type { Config } from './config/config.js'
import type { LiveConfig } from './live-config.js'
import { EventScheduler } from './site/event-scheduler.js'
import { VerifySchedule } from './verify-schedule.js'

interface Given {
  readonly config: Config
  readonly version: string
  readonly log: Logger
}

/** Opens the store of an exchange's backups; each is examined in a process of its own, and logged. */
export async function backupsOf(
  directory: string,
  { config, version, log }: Given,
  { now }: Sources,
): Promise<BackupOptions> {
  const store = await openStore(config.backups, { folder: join(directory, 'backups'), now })
  return { store, version, examine: examineApart, told: logBackups(log) }
}

interface Served {
  readonly exchange: Exchange
  readonly site: SiteStore
  readonly accounts: Pick<AccountOptions, 'store'>
  readonly live: LiveConfig
}

/** Returns the work that a server repeats, not begun yet. */
export function schedulesOf(
  file: string,
  { exchange, site, accounts, live }: Served,
  { config, log }: Given,
  { now }: Sources,
) {
  const { backups } = exchange
  const { audit } = accounts.store
  const timeZone = () => live.current.site.timeZone
  const { verifyEveryHours: everyHours, backupPlan: plan } = config
  const failed = (err: unknown) => log.error({ err }, 'a scheduled backup failed')
  return {
    verifying: new VerifySchedule({ file, everyHours, log, now }),
    scheduling: new EventScheduler({ exchange, site, audit, timeZone, log }),
    backingUp: new BackupSchedule({ plan, backups, now, failed }),
  }
}
