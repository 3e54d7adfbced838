import type { Database } from '../../store/database.js'
import { damageBehind } from '../../store/database.js'

/** A file that the exchange cannot start on; the message says why and what to do. */
export class RecoveryError extends Error {
  override readonly name = 'RecoveryError'
}

export function damaged(damage: string): RecoveryError {
  const advice = 'restore it from a backup; raay verify says more'
  return new RecoveryError(`the data file is damaged (${damage}). Nothing was changed: ${advice}`)
}

/** Works on the file and closes it; turns SQLite's corruption errors into a RecoveryError. */
export function withDatabase<T>(
  open: (file: string) => Database,
  file: string,
  work: (database: Database) => T,
): T {
  try {
    const database = open(file)
    try {
      return work(database)
    } finally {
      database.close()
    }
  } catch (error) {
    const damage = damageBehind(error)
    throw damage === undefined ? error : damaged(damage)
  }
}
