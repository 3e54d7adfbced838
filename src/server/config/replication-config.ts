import { isNatsUrl } from '../../replication/jetstream/nats-place.js'
import type { ReplicationSettings } from '../../replication/replica-messages.js'
import type { SettingValues } from './setting-values.js'
import { ConfigError } from './setting-values.js'

/** Reads where the journal is replicated to; undefined for nowhere. Throws ConfigError. */
export function readReplication(values: SettingValues, isDemo: boolean): ReplicationSettings | undefined {
  const to = values.read('replicate-to')
  if (to === undefined || !isNatsUrl(to)) return undefined
  if (isDemo) throw new ConfigError(`${values.nameOf('replicate-to')} is ${to}, but a demo is not replicated`)
  const [ca, cert, key] = [
    values.read('replicate-ca'),
    values.read('replicate-cert'),
    values.read('replicate-key'),
  ]
  if ((cert === undefined) !== (key === undefined)) {
    throw new ConfigError('--replicate-cert and --replicate-key need each other')
  }
  const mode = values.read('replication')
  const replicas = values.read('replicate-replicas')
  if (mode === 'sync' && replicas < 3) {
    throw new ConfigError(
      `${values.nameOf('replicate-replicas')} is ${replicas}: --replication sync needs at least 3`,
    )
  }
  return {
    to,
    mode,
    login: values.read('replicate-login'),
    systemLogin: values.read('replicate-system-login'),
    tls: {
      ...(ca === undefined ? {} : { ca }),
      ...(cert === undefined || key === undefined ? {} : { cert, key }),
    },
    allowUnsynced: values.read('allow-unsynced-log'),
    replicas,
  }
}
