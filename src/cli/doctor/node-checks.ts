import type { Check } from '../../server/doctor/check.js'
import { fail, ok } from '../../server/doctor/check.js'
import { nodeLifeCheck, sqliteCheck } from '../../server/doctor/runtime-checks.js'
import { nativeMismatch, reinstallAdvice } from './native-guard.js'

/** Checks the version of Node, and that it can load the database driver. */
export function nodeCheck(now: number): Check {
  const mismatch = nativeMismatch()
  if (mismatch !== undefined) return fail('node', process.version, mismatch)
  return nodeLifeCheck(now)
}

/** Loads the database driver. Call it only after `nodeCheck` passed: a wrong driver crashes the process. */
export async function driverChecks(): Promise<Check[]> {
  try {
    const { openDatabase } = await import('../../store/database.js')
    const database = openDatabase(':memory:')
    const sqlite = sqliteCheck(database)
    database.close()
    return [ok('driver', 'better-sqlite3 loads'), sqlite]
  } catch (error) {
    const reason = error instanceof Error ? error.message.split('\n', 1)[0] : String(error)
    return [fail('driver', `better-sqlite3 does not load: ${reason}`, reinstallAdvice(process.env))]
  }
}
