import { join } from 'node:path'
import type { Logger } from 'pino'
import { examineApart } from '../backup/examine-apart.js'
import { openStore } from '../backup/stores/open-store.js'
import type { Exchange } from '../exchange/exchange.js'
import type { BackupOptions } from '../exchange/exchange-options.js'
import type { Sources } from '../exchange/sources.js'
import { logBackups } from './backup-log.js'
import { BackupSchedule } from './backup-schedule.js'
import type { Config } from './config/config.js'
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

/** Returns the work that a server repeats after hours, not begun yet. */
export function schedulesOf(file: string, { backups }: Exchange, { config, log }: Given, { now }: Sources) {
  const { verifyEveryHours: everyHours, backupPlan: plan } = config
  const failed = (err: unknown) => log.error({ err }, 'a scheduled backup failed')
  return {
    verifying: new VerifySchedule({ file, everyHours, log, now }),
    backingUp: new BackupSchedule({ plan, backups, now, failed }),
  }
}
