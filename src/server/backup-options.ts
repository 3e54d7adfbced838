import { join, resolve } from 'node:path'
import type { Logger } from 'pino'
import { examineApart } from '../backup/examine-apart.js'
import { openStore } from '../backup/stores/open-store.js'
import type { BackupOptions } from '../exchange/exchange-options.js'
import type { BackupNews } from '../exchange/operations/backup-news.js'
import { failureIn } from '../exchange/operations/backup-news.js'
import type { Sources } from '../exchange/sources.js'
import type { Config } from './config/config.js'

interface StoreOptions {
  /** The data directory. */
  readonly directory: string
  readonly config: Pick<Config, 'backups' | 'replica'>
  readonly version: string
  readonly log: Logger
  readonly now: Sources['now']
}

/** Opens the store of an exchange's backups; each is examined in a process of its own, and logged. */
export async function backupsOf(options: StoreOptions): Promise<BackupOptions> {
  const { directory, config, version, log, now } = options
  const { backups, replica } = config
  // Where the journal is copied to, a directory that is missing is a disk that is not mounted.
  const mustExist =
    backups.directory !== undefined &&
    replica?.directory !== undefined &&
    resolve(backups.directory) === resolve(replica.directory)
  const store = await openStore(backups, { folder: join(directory, 'backups'), now, mustExist })
  return { store, version, examine: examineApart, told: logBackups(log) }
}

/** Logs news of backups; a backup that is not in order is an error. */
function logBackups(log: Logger): (news: BackupNews) => void {
  return news => {
    const failure = failureIn(news)
    if (failure !== undefined) {
      const isBroken = news.kind === 'verified' && 'ok' in news.checked
      if (isBroken) log.error({ name: news.name, checked: news.checked }, failure)
      else log.warn(failure)
    } else if (news.kind === 'made') {
      const { name, bytes, manifest } = news.backup
      log.info({ name, bytes, sequence: manifest.sequence, reason: manifest.reason }, 'made a backup')
    } else if (news.kind === 'verified') log.info({ name: news.name }, 'verified the backup: it is in order')
    else if (news.kind === 'pruned') log.info({ names: news.names }, 'deleted old backups')
  }
}
