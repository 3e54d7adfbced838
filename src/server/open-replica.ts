import { existsSync } from 'node:fs'
import type { Logger } from 'pino'
import { prepareFile } from '../exchange/recovery/recovery.js'
import type { ReplicationSettings } from '../replication/replica-messages.js'
import type { Replica } from '../replication/replica.js'
import type { DataDirectory } from '../store/files/data-directory.js'
import { IdFile } from '../store/files/id-file.js'
import { journalPath } from '../store/files/journal-path.js'

interface ReplicaParts {
  readonly directory: DataDirectory
  readonly settings: ReplicationSettings | undefined
  readonly keepMs: number
  readonly log: Logger
  readonly now: () => number
  readonly fail: (error: Error) => void
  /** Follows the log instead of leading. */
  readonly isStandby: boolean
  /** Called if another exchange asks this one to make way. */
  readonly asked: (by: string) => void
}

/**
 * Brings the journal and its log together before the tables follow the journal; undefined if it has no log.
 * Releases the directory and rejects if the log cannot be used.
 */
export async function openReplica(parts: ReplicaParts): Promise<Replica | undefined> {
  const { directory, settings, log, ...given } = parts
  if (settings === undefined) return undefined
  const { file } = directory
  try {
    const isPrepared = existsSync(journalPath(file)) && new IdFile(file).read() !== undefined
    if (!isPrepared) prepareFile(file)
    const { Replica } = await import('../replication/replica.js')
    const troubled = (reason: string | undefined) => {
      if (reason === undefined) log.info('the log takes batches again')
      else log.error({ reason }, 'the log takes no batches: it is tried again and again')
    }
    const warn = (message: string) => log.warn(message)
    const replica = await Replica.open({ file, settings, warn, troubled, ...given })
    const { to, mode } = settings
    const through = replica.replicatedThrough
    if (parts.isStandby) log.info({ to, through }, 'follows the log')
    else log.info({ to, mode, through }, 'the log holds the journal')
    return replica
  } catch (error) {
    directory.release()
    throw error
  }
}
