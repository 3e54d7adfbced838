import type { Logger } from 'pino'
import type { ObjectReplica } from '../replication/objects/object-replica.js'
import type { Sources } from '../exchange/sources.js'
import type { Config } from './config/config.js'

interface ReplicaParts {
  /** The tables of the exchange, which is open. */
  readonly file: string
  readonly config: Pick<Config, 'replica' | 'replicaKeepMs'>
  readonly version: string
  readonly log: Logger
  readonly now: Sources['now']
  readonly fail: (error: Error) => void
}

/**
 * Starts what copies the journal to another place; undefined without one, and then its code is not loaded.
 * Rejects if the place cannot be used, or another exchange has taken over from there.
 */
export async function openStoreReplica(parts: ReplicaParts): Promise<ObjectReplica | undefined> {
  const { file, config, version, log, now, fail } = parts
  const { replica: settings, replicaKeepMs: keepMs } = config
  if (settings === undefined) return undefined
  const { ObjectReplica } = await import('../replication/objects/object-replica.js')
  const told = (failure: string | undefined) => {
    if (failure === undefined) log.info('the journal is copied again')
    else
      log.error({ reason: failure }, 'the journal is not copied, and a loss of this machine would take more')
  }
  return ObjectReplica.open({
    file,
    settings,
    keepMs,
    version,
    now,
    told,
    warn: message => log.warn(message),
    fail,
  })
}
