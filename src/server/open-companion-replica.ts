import type { Logger } from 'pino'
import type { Identity } from '../backup/encryption/age-keys.js'
import type { Exchange } from '../exchange/exchange.js'
import type { Sources } from '../exchange/sources.js'
import type { CompanionReplica } from '../replication/companions/companion-replica.js'
import type { Config } from './config/config.js'

export interface CompanionReplicaParts {
  /** The tables of the exchange, which is open; accounts and site are not. */
  readonly file: string
  readonly config: Pick<Config, 'replica' | 'replication'>
  readonly exchange: Pick<Exchange, 'leads' | 'applied'>
  /** The secret keys that open an encrypted replica. */
  readonly identities: readonly Identity[]
  readonly log: Logger
  readonly now: Sources['now']
  readonly fail: (error: Error) => void
}

/**
 * Brings accounts and site to what their log has, and starts what sends or takes their changes; undefined for
 * an exchange that is not replicated. Rejects if the log cannot be used.
 */
export async function openCompanionReplica(
  parts: CompanionReplicaParts,
): Promise<CompanionReplica | undefined> {
  const { file, config, exchange, identities, log, now, fail } = parts
  const { replica, replication } = config
  const place =
    replication === undefined
      ? replica && ({ kind: 'store', settings: replica } as const)
      : ({ kind: 'stream', settings: replication } as const)
  if (place === undefined) return undefined
  const { CompanionReplica } = await import('../replication/companions/companion-replica.js')
  const { leads, applied } = exchange
  const { epoch } = applied.epoch
  const warn = (message: string) => log.warn(message)
  return CompanionReplica.open({ file, place, identities, isStandby: !leads, epoch, now, warn, fail })
}
