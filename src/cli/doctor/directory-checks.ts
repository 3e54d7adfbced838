import { accessSync, constants, existsSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Check } from '../../server/doctor/check.js'
import { fail, ok } from '../../server/doctor/check.js'

/** Returns the data directory, or the existing one in which it would be created. */
export function standingDirectory(path: string): string {
  return existsSync(path) || dirname(path) === path ? path : standingDirectory(dirname(path))
}

/** Checks that the data directory exists or can be created, and is writable. */
export function directoryCheck(path: string): Check {
  const standing = standingDirectory(path)
  const advice = 'choose another with --data, or give the user that runs Raay write access'
  if (!statSync(standing).isDirectory()) return fail('directory', `${standing} is not a directory`, advice)
  try {
    accessSync(standing, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch {
    return fail('directory', `${standing} is not writable`, advice)
  }
  return ok('directory', standing === path ? path : `${path}, which the first start creates`)
}
