import { relative, resolve } from 'node:path'
import type { Logger } from 'pino'
import type { Exchange } from '../exchange/exchange.js'
import type { Sources } from '../exchange/sources.js'
import type { LogTrimming } from '../replication/log-trimming.js'
import type { Replica } from '../replication/replica.js'
import { IdFile, idText } from '../store/files/id-file.js'
import type { Config } from './config/config.js'

interface TrimmingParts {
  /** The tables of the exchange, which leads. */
  readonly file: string
  /** The data directory. */
  readonly directory: string
  readonly config: Pick<Config, 'backups' | 'replicaKeepMs'>
  readonly exchange: Pick<Exchange, 'backups'>
  /** The log on NATS; undefined without one. */
  readonly replica: Replica | undefined
  readonly log: Logger
  readonly now: Sources['now']
}

/** Starts what deletes old batches from a log on NATS; undefined, and its code not loaded, without one. */
export async function startTrimming(parts: TrimmingParts): Promise<LogTrimming | undefined> {
  const { file, config, exchange, replica, log, now } = parts
  if (replica === undefined) return undefined
  const { LogTrimming } = await import('../replication/log-trimming.js')
  const trimming = new LogTrimming({
    ...{ replica, keepMs: config.replicaKeepMs, now, exchange: idText(new IdFile(file).read() ?? 0) },
    backups: async () => (isElsewhere(parts) ? exchange.backups.list() : []),
    warn: message => log.warn(message),
  })
  trimming.start()
  return trimming
}

/** Returns false for backups in the data directory: what takes the journal may take them with it. */
function isElsewhere({ config, directory: data }: Pick<TrimmingParts, 'config' | 'directory'>): boolean {
  const { s3, directory } = config.backups
  if (s3 !== undefined) return true
  return directory !== undefined && /^\.\.(\/|$)/.test(relative(resolve(data), resolve(directory)))
}
