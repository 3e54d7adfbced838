import { readOperatorKey } from '../access/operator-key.js'
import { SETTINGS } from '../server/config/settings.js'
import { UsageError } from './exit-errors.js'
import type { Option } from './options.js'
import { option } from './options.js'

/** Host names of this machine. */
const LOCAL = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/
const HEADER_TEXT = /^[\x21-\x7e]+$/
/** Makes the option of the data directory, in which the operator's key is. */
export function dataOption(): Option {
  const { variable, fallback } = SETTINGS.data
  return option('--data <path>', "its data directory, for the operator's key", fallback).env(variable)
}

/**
 * Reads the operator's token: the variable's, or for an exchange on this machine the key in its data
 * directory, which is never sent anywhere else. Throws UsageError, lest `fetch` refuse a token with a message
 * that shows it.
 */
export function adminToken(
  { RAAY_ADMIN_TOKEN: token = '' }: NodeJS.ProcessEnv,
  url: string,
  data: string | undefined,
): { readonly adminToken?: string } {
  if (token === '') {
    const key = data !== undefined && LOCAL.test(new URL(url).hostname) ? keyIn(data) : undefined
    return key === undefined ? {} : { adminToken: key }
  }
  if (HEADER_TEXT.test(token)) return { adminToken: token }
  throw new UsageError('RAAY_ADMIN_TOKEN is not a valid token: use letters, digits and signs without spaces')
}

/** Returns the operator's key of a data directory; undefined if this user cannot read one. */
function keyIn(data: string): string | undefined {
  try {
    return readOperatorKey(data)
  } catch {
    return undefined
  }
}
