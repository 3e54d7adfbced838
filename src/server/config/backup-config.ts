import type { StoreSettings } from '../../backup/stores/open-store.js'
import type { S3Settings } from '../../backup/stores/s3/s3-place.js'
import { isS3Address, readS3Address } from '../../backup/stores/s3/s3-place.js'
import { isNatsUrl } from '../../replication/jetstream/nats-place.js'
import type { SettingValues } from './setting-values.js'
import { ConfigError } from './setting-values.js'

/** The region that stores without regions of their own expect in signatures. */
const REGION = 'us-east-1'

/** Reads where backups are kept, and to whom they are encrypted. Throws ConfigError. */
export function readBackups(values: SettingValues): StoreSettings {
  return readPlace(values, values.read('backup-to'), values.nameOf('backup-to'))
}

/**
 * Reads a place for files: a directory, or a bucket, whose store and key are those of backups.
 *
 * @param name the setting or option that gives it
 */
export function readPlace(values: SettingValues, to: string | undefined, name: string): StoreSettings {
  const recipients = values.read('backup-recipient') ?? []
  const s3 = to !== undefined && isS3Address(to) ? readS3(values, to, name) : undefined
  return { directory: s3 === undefined ? to : undefined, s3, recipients }
}

/** Reads the directory or bucket that the journal is replicated to; undefined for another log. */
export function readReplica(values: SettingValues, isDemo: boolean): StoreSettings | undefined {
  const [to, name] = [values.read('replicate-to'), values.nameOf('replicate-to')]
  if (to === undefined || isNatsUrl(to)) return undefined
  if (isDemo) throw new ConfigError(`${name} is ${to}, but a demo is not replicated`)
  const { origin, text, shownName } = values.of('replication')
  if (origin !== 'default' && text === 'sync') {
    throw new ConfigError(
      `${shownName} is sync, but answers cannot wait for ${to}: replicate to nats://… instead`,
    )
  }
  return readPlace(values, to, name)
}

function readS3(values: SettingValues, to: string, name: string): S3Settings {
  const address = readS3Address(to)
  if (address === undefined) {
    throw new ConfigError(`${name} is ${to}: give an address such as s3://bucket/folder`)
  }
  const region = values.read('backup-s3-region')
  const endpoint = values.read('backup-s3-endpoint') ?? (region && `https://s3.${region}.amazonaws.com`)
  const keyId = values.read('backup-s3-key-id')
  const secret = values.read('backup-s3-secret')
  const missing = (['endpoint', 'key-id', 'secret'] as const).filter(
    part => ({ endpoint, 'key-id': keyId, secret })[part] === undefined,
  )
  if (endpoint === undefined || keyId === undefined || secret === undefined) {
    const names = missing.map(part => values.nameOf(`backup-s3-${part}`)).join(', ')
    throw new ConfigError(`${name} is ${to}, which also needs ${names}`)
  }
  return { place: { endpoint, region: region ?? REGION, ...address }, credentials: { keyId, secret } }
}
