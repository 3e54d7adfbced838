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
  readonly log: Logger
  readonly fail: (error: Error) => void
}

/**
 * Brings the journal and its log together before the tables follow the journal; undefined if it has no log.
 * Releases the directory and rejects if the log cannot be used.
 */
export async function openReplica(parts: ReplicaParts): Promise<Replica | undefined> {
  const { directory, settings, log, fail } = parts
  if (settings === undefined) return undefined
  const { file } = directory
  try {
    const isPrepared = existsSync(journalPath(file)) && new IdFile(file).read() !== undefined
    if (!isPrepared) prepareFile(file)
    const { Replica } = await import('../replication/replica.js')
    const replica = await Replica.open({ file, settings, warn: message => log.warn(message), fail })
    const { to, mode } = settings
    log.info({ to, mode, through: replica.replicatedThrough }, 'the log holds the journal')
    return replica
  } catch (error) {
    directory.release()
    throw error
  }
}
