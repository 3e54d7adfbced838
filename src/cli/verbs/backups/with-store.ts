import { join, resolve } from 'node:path'
import type { BackupStore } from '../../../backup/backup-store.js'
import type { StoreSettings } from '../../../backup/stores/open-store.js'
import { readBackups } from '../../../server/config/backup-config.js'
import { configSources, openConfig } from '../../../server/config/open-config.js'
import { nativeMismatch } from '../../doctor/native-guard.js'
import { Failure } from '../../exit-errors.js'
import type { Command } from '../../make-command.js'
import { jsonOption, option } from '../../options.js'
import { settingOption } from '../../settings-options.js'

/** The options of every action that works on a store. */
export interface StoreOptions {
  readonly data: string
  readonly backupTo?: string
  readonly backupS3Endpoint?: string
  readonly backupS3Region?: string
  readonly identity?: string
  readonly json?: true
}

/** Adds the options that say where the backups are, and how to print them. */
export function addStore(made: Command): Command {
  return made
    .addOption(settingOption('data'))
    .addOption(settingOption('backup-to'))
    .addOption(settingOption('backup-s3-endpoint'))
    .addOption(settingOption('backup-s3-region'))
    .addOption(jsonOption())
}

/** Adds the option that opens encrypted backups. */
export function addIdentity(made: Command): Command {
  return made.addOption(option('--identity <file>', 'your secret key, if the backup is encrypted'))
}

/**
 * Runs a function on the store of backups.
 *
 * @param use gets the store, and the directory in which files of other stores are put meanwhile
 */
export async function withStore<Result>(
  options: StoreOptions,
  use: (store: BackupStore, stage: string) => Promise<Result>,
): Promise<Result> {
  const mismatch = nativeMismatch()
  if (mismatch !== undefined) throw new Failure(mismatch)
  const settings = await settingsOf(options)
  // Imported late because it loads the database's native binding.
  const { openStore } = await import('../../../backup/stores/open-store.js')
  const folder = join(resolve(options.data), 'backups')
  try {
    return await use(
      await openStore(settings, { folder, now: Date.now, identities: await identitiesIn(options) }),
      folder,
    )
  } catch (error) {
    throw new Failure(error instanceof Error ? error.message : String(error))
  }
}

/** Reads where the backups are as the exchange does: from options, variables and its file of settings. */
async function settingsOf(options: StoreOptions): Promise<StoreSettings> {
  const { data, backupTo, backupS3Endpoint, backupS3Region } = options
  const flags = {
    data,
    ...(backupTo && { 'backup-to': backupTo }),
    ...(backupS3Endpoint && { 'backup-s3-endpoint': backupS3Endpoint }),
    ...(backupS3Region && { 'backup-s3-region': backupS3Region }),
  }
  return readBackups((await openConfig(configSources(flags, process.env))).values)
}

async function identitiesIn({ identity }: StoreOptions) {
  if (identity === undefined) return []
  const { readIdentityFile } = await import('../../../backup/encryption/identity-file.js')
  return readIdentityFile(identity)
}
