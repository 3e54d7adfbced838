import { openCompanion } from '../../store/companion-database.js'
import type { Database } from '../../store/database.js'
import { ACCESS_FILE } from './access-schema.js'

/**
 * Opens the file of accounts, sessions and keys, or creates an empty one. Throws with a message for the
 * operator if the file is corrupted, belongs to a newer version or is something else.
 */
export function openAccessDatabase(path: string): Database {
  return openCompanion(path, ACCESS_FILE)
}
