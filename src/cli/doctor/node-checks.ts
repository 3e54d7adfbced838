import type { Check } from './check.js'
import { fail, ok, warn } from './check.js'
import { nativeMismatch, reinstallAdvice } from './native-guard.js'

/** The end of life of each long-term Node release (nodejs/Release). */
const NODE_ENDS: Readonly<Record<string, string>> = { 20: '2026-04-30', 22: '2027-04-30', 24: '2028-04-30' }

/** Checks the version of Node, and that it can load the database driver. */
export function nodeCheck(now: number): Check {
  const mismatch = nativeMismatch()
  if (mismatch !== undefined) return fail('node', process.version, mismatch)
  const major = process.version.slice(1).split('.')[0] ?? ''
  const end = NODE_ENDS[major]
  if (end === undefined || now <= Date.parse(end)) return ok('node', process.version)
  return warn('node', `${process.version}, not maintained since ${end}`, 'install Node 22 or 24')
}

/** Loads the database driver. Call it only after `nodeCheck` passed: a wrong driver crashes the process. */
export async function driverCheck(): Promise<Check> {
  try {
    const { openDatabase } = await import('../../store/database.js')
    const database = openDatabase(':memory:')
    const version = database.prepare('SELECT sqlite_version()').raw().get() as [string]
    database.close()
    return ok('driver', `better-sqlite3 loads, with SQLite ${version[0]}`)
  } catch (error) {
    const reason = error instanceof Error ? error.message.split('\n', 1)[0] : String(error)
    return fail('driver', `better-sqlite3 does not load: ${reason}`, reinstallAdvice(process.env))
  }
}
