import type { StoreSettings } from '../../backup/stores/open-store.js'
import type { S3Settings } from '../../backup/stores/s3/s3-place.js'
import { isS3Address, readS3Address } from '../../backup/stores/s3/s3-place.js'
import type { SettingValues } from './setting-values.js'
import { ConfigError } from './setting-values.js'

/** The region that stores without regions of their own expect in signatures. */
const REGION = 'us-east-1'

/** Reads where backups are kept, and to whom they are encrypted. Throws ConfigError. */
export function readBackups(values: SettingValues): StoreSettings {
  const to = values.read('backup-to')
  const recipients = values.read('backup-recipient') ?? []
  const s3 = to !== undefined && isS3Address(to) ? readS3(values, to) : undefined
  return { directory: s3 === undefined ? to : undefined, s3, recipients }
}

function readS3(values: SettingValues, to: string): S3Settings {
  const address = readS3Address(to)
  if (address === undefined) {
    throw new ConfigError(
      `${values.nameOf('backup-to')} is ${to}: give an address such as s3://bucket/folder`,
    )
  }
  const region = values.read('backup-s3-region')
  const endpoint = values.read('backup-s3-endpoint') ?? (region && `https://s3.${region}.amazonaws.com`)
  const keyId = values.read('backup-s3-key-id')
  const secret = values.read('backup-s3-secret')
  const missing = (['endpoint', 'key-id', 'secret'] as const).filter(
    name => ({ endpoint, 'key-id': keyId, secret })[name] === undefined,
  )
  if (endpoint === undefined || keyId === undefined || secret === undefined) {
    const names = missing.map(name => values.nameOf(`backup-s3-${name}`)).join(', ')
    throw new ConfigError(`${values.nameOf('backup-to')} is ${to}, which also needs ${names}`)
  }
  return { place: { endpoint, region: region ?? REGION, ...address }, credentials: { keyId, secret } }
}
