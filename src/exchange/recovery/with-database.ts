import type { Database } from '../../store/database.js'
import { damageBehind, isDiskFull } from '../../store/database.js'
import { damaged, RecoveryError } from './recovery-error.js'

const DISK_FULL =
  'the disk is full, and nothing is lost: free some space and start again. The first start with a backup, ' +
  'or with the file of an older version, needs about twice the size of that file beside it'

/** Works on the file and closes it; turns errors of corruption or of a full disk into a RecoveryError. */
export function withDatabase<T>(
  open: (file: string) => Database,
  file: string,
  work: (database: Database) => T,
): T {
  return withAdvice(() => {
    const database = open(file)
    try {
      return work(database)
    } finally {
      database.close()
    }
  })
}

/** Works on the files; turns errors of corruption or of a full disk into a RecoveryError. */
export function withAdvice<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (isDiskFull(error)) throw new RecoveryError(DISK_FULL)
    const damage = damageBehind(error)
    throw damage === undefined ? error : damaged(damage)
  }
}
