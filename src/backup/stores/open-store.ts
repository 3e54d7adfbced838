import type { BackupStore } from '../backup-store.js'
import { DirectoryStore } from './directory-store.js'

/** Opens the store of a `--backup-to` setting; an empty one is the folder for backups in a data directory. */
export function openStore(setting: string, folder: string): BackupStore {
  return new DirectoryStore(setting || folder)
}
