import { setTimeout as sleep } from 'node:timers/promises'
import type { BackupStore } from '../backup-store.js'
import type { Identity } from '../encryption/age-keys.js'
import { DirectoryStore } from './directory-store.js'
import { EncryptedStore } from './encrypted-store.js'
import type { S3Settings } from './s3/s3-place.js'

/** The settings of the place for backups, and of those who can open them. */
export interface StoreSettings {
  /** Undefined for the folder in the data directory, or with `s3`. */
  readonly directory: string | undefined
  readonly s3: S3Settings | undefined
  /** Public keys of age, not checked yet. */
  readonly recipients: readonly string[]
}

/** The surroundings of a store. */
interface StoreOptions {
  /** The directory of backups if the settings name no other place. */
  readonly folder: string
  readonly now: () => number
  /** Secret keys, to read encrypted files. */
  readonly identities?: readonly Identity[]
  /** A directory that is missing is an error, and is not created. */
  readonly mustExist?: boolean
}

/**
 * Opens the store of an exchange's backups. The code for networks and encryption is loaded only if it is
 * needed. Rejects if a public key is mistyped.
 */
export async function openStore(
  { directory, s3, recipients }: StoreSettings,
  { folder, now, identities = [], mustExist = false }: StoreOptions,
): Promise<BackupStore> {
  const inner =
    s3 === undefined ? new DirectoryStore(directory ?? folder, { mustExist }) : await openS3(s3, now)
  return new EncryptedStore(inner, { recipients: await checked(recipients), identities })
}

async function openS3({ place, credentials }: S3Settings, now: () => number): Promise<BackupStore> {
  const { S3Store } = await import('./s3/s3-store.js')
  return new S3Store(place, credentials, { now, wait: sleep })
}

async function checked(recipients: readonly string[]) {
  if (recipients.length === 0) return []
  const { readRecipient } = await import('../encryption/age-keys.js')
  return recipients.map(text => {
    const recipient = readRecipient(text)
    if (recipient === undefined) throw new Error(`--backup-recipient names ${text}, which is mistyped`)
    return recipient
  })
}
