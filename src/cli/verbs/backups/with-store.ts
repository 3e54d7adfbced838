import { join, resolve } from 'node:path'
import type { BackupStore } from '../../../backup/backup-store.js'
import { nativeMismatch } from '../../doctor/native-guard.js'
import { Failure } from '../../exit-errors.js'
import type { Command } from '../../make-command.js'
import { jsonOption } from '../../options.js'
import { settingOption } from '../../settings-options.js'

/** The options of every action that works on a store. */
export interface StoreOptions {
  readonly data: string
  readonly backupTo?: string
  readonly json?: true
}

/** Adds the options that say where the backups are, and how to print them. */
export function addStore(made: Command): Command {
  return made.addOption(settingOption('data')).addOption(settingOption('backup-to')).addOption(jsonOption())
}

/**
 * Runs a function on the store of backups.
 *
 * @param use gets the store, and the directory in which files of other stores are put meanwhile
 */
export async function withStore<Result>(
  { data, backupTo = '' }: StoreOptions,
  use: (store: BackupStore, stage: string) => Promise<Result>,
): Promise<Result> {
  const mismatch = nativeMismatch()
  if (mismatch !== undefined) throw new Failure(mismatch)
  // Imported late because it loads the database's native binding.
  const { openStore } = await import('../../../backup/stores/open-store.js')
  const folder = join(resolve(data), 'backups')
  try {
    return await use(openStore(backupTo, folder), folder)
  } catch (error) {
    throw new Failure(error instanceof Error ? error.message : String(error))
  }
}
