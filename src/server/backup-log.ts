import type { Logger } from 'pino'
import type { BackupNews } from '../exchange/operations/backup-news.js'
import { failureIn } from '../exchange/operations/backup-news.js'

/** Logs news of backups; a backup that is not in order is an error. */
export function logBackups(log: Logger): (news: BackupNews) => void {
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
