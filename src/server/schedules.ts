import type { Logger } from 'pino'
import type { Sources } from '../exchange/sources.js'
import { BackupSchedule } from './backup-schedule.js'
import type { LiveConfig } from './live-config.js'
import type { Webhooks } from '../webhooks/webhooks.js'
import { liveWebhooks, troublesOf } from './open-webhooks.js'
import type { ServerFiles } from './server-files.js'
import { EventScheduler } from './site/event-scheduler.js'
import { VerifySchedule } from './verify-schedule.js'

interface ScheduleParts {
  readonly files: Pick<ServerFiles, 'directory' | 'exchange' | 'site' | 'accounts' | 'room'>
  readonly live: LiveConfig
  readonly log: Logger
  readonly now: Sources['now']
}

/** The work that a server repeats. */
export interface Schedules {
  readonly verifying: VerifySchedule
  readonly scheduling: EventScheduler
  readonly backingUp: BackupSchedule
  readonly webhooks: Webhooks
}

/** Returns the work that a server repeats, not begun yet. */
export function schedulesOf({ files, live, log, now }: ScheduleParts): Schedules {
  const { directory, exchange, site, accounts } = files
  const { verifyEveryHours: everyHours, backupPlan: plan } = live.current
  const timeZone = () => live.current.site.timeZone
  const failed = (err: unknown) => log.error({ err }, 'a scheduled backup failed')
  const verifying = new VerifySchedule({ file: directory.file, everyHours, log, now })
  return {
    verifying,
    scheduling: new EventScheduler({ exchange, site, audit: accounts.store.audit, timeZone, log }),
    backingUp: new BackupSchedule({ plan, backups: exchange.backups, now, failed }),
    webhooks: liveWebhooks(files, live, { now, log, troubles: () => troublesOf(files, verifying) }),
  }
}
