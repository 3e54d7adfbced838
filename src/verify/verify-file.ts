import { statSync } from 'node:fs'
import type { Database } from '../store/database.js'
import { damageBehind, openReadOnly } from '../store/database.js'
import { SCHEMA_VERSION } from '../store/schema.js'
import type { Report } from './checks.js'
import type { Progress } from './verification.js'
import { verify } from './verification.js'

/** There is nothing that could be verified; the message says why and what to do. */
export class VerifyError extends Error {
  override readonly name = 'VerifyError'
}

/**
 * Verifies a data file as it is at this moment, in one read transaction; whoever writes to it meanwhile is
 * not held up and not seen. Throws VerifyError where there is no such file, or it is none of this version.
 */
export function verifyFile(path: string, told: (progress: Progress) => void = () => undefined): Report {
  // Only asked whether it is there: opening it beside SQLite would drop SQLite's locks.
  if (statSync(path, { throwIfNoEntry: false })?.isFile() !== true) {
    throw new VerifyError(`there is no data file ${path}: name its directory with --data`)
  }
  const database = openReadOnly(path)
  try {
    return database.transaction(() => {
      assertVersion(database)
      return verify(database, told)
    })()
  } catch (error) {
    const damage = damageBehind(error)
    throw damage === undefined ? error : new VerifyError(`${path} cannot be read: ${damage}`)
  } finally {
    database.close()
  }
}

function assertVersion(database: Database): void {
  const version = Number(database.pragma('user_version', { simple: true }))
  if (version === SCHEMA_VERSION) return
  if (version > SCHEMA_VERSION) {
    throw new VerifyError(`the data file has version ${version}, this program knows ${SCHEMA_VERSION}`)
  }
  const advice = version === 0 ? 'it is not one of Raay' : 'start Raay once to bring it up to date'
  throw new VerifyError(`the data file has version ${version}, this program ${SCHEMA_VERSION}: ${advice}`)
}
