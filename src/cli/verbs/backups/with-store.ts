import { join, resolve } from 'node:path'
import type { BackupStore } from '../../../backup/backup-store.js'
import type { Identity } from '../../../backup/encryption/age-keys.js'
import { readBackups } from '../../../server/config/backup-config.js'
import { directoryOf } from '../../../server/config/config.js'
import { configSources, openConfig } from '../../../server/config/open-config.js'
import type { SettingValues } from '../../../server/config/setting-values.js'
import { ConfigError } from '../../../server/config/setting-values.js'
import { nativeMismatch } from '../../doctor/native-guard.js'
import { Failure, UsageError } from '../../exit-errors.js'
import type { Command } from '../../make-command.js'
import { jsonOption, option } from '../../options.js'
import { settingOption, settingsGiven } from '../../settings-options.js'

export interface JsonOption {
  readonly json?: true
}

/** The settings of backups, and the store that they name. */
export interface OpenStore {
  readonly store: BackupStore
  /** The data directory. */
  readonly directory: string
  /** The directory in which files of other stores are put meanwhile. */
  readonly stage: string
  readonly values: SettingValues
  /** The secret keys that open encrypted backups. */
  readonly identities: readonly Identity[]
}

/** Adds the options that say where the backups are, and how to print them. */
export function addStore(made: Command): Command {
  return made
    .addOption(settingOption('data'))
    .addOption(settingOption('config'))
    .addOption(settingOption('backup-to'))
    .addOption(settingOption('backup-s3-endpoint'))
    .addOption(settingOption('backup-s3-region'))
    .addOption(jsonOption())
}

/** Adds the option that opens encrypted backups. */
export function addIdentity(made: Command): Command {
  return made.addOption(option('--identity <file>', 'your secret key, if the backup is encrypted'))
}

/** Runs a function on the store of backups that options, variables and the file of settings name. */
export async function withStore<Result>(
  made: Command,
  use: (open: OpenStore) => Promise<Result>,
): Promise<Result> {
  const mismatch = nativeMismatch()
  if (mismatch !== undefined) throw new Failure(mismatch)
  const { values } = await openConfig(configSources(settingsGiven(made), process.env))
  const settings = readBackups(values)
  const directory = resolve(directoryOf(values))
  const folder = join(directory, 'backups')
  // Imported late because it loads the database's native binding.
  const { openStore } = await import('../../../backup/stores/open-store.js')
  const { STAGING } = await import('../../../backup/stage-folder.js')
  try {
    const identities = await identitiesIn(made)
    const store = await openStore(settings, { folder, now: Date.now, identities })
    return await use({ store, directory, stage: join(directory, STAGING), values, identities })
  } catch (error) {
    if (error instanceof ConfigError || error instanceof UsageError) throw error
    throw new Failure(error instanceof Error ? error.message : String(error))
  }
}

async function identitiesIn(made: Command) {
  const { identity } = made.opts<{ readonly identity?: string }>()
  if (identity === undefined) return []
  const { readIdentityFile } = await import('../../../backup/encryption/identity-file.js')
  return readIdentityFile(identity)
}
