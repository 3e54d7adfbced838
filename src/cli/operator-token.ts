import { readOperatorKey } from '../access/operator-key.js'
import { SETTINGS } from '../server/config/settings.js'
import { UsageError } from './exit-errors.js'
import type { Option } from './options.js'
import { option } from './options.js'
import type { Reach } from './reach.js'

/** Host names of this machine. */
const LOCAL = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/
const HEADER_TEXT = /^[\x21-\x7e]+$/

/** Makes the option of the data directory, in which the operator's key is. */
export function dataOption(): Option {
  const { variable, fallback } = SETTINGS.data
  return option('--data <path>', "its data directory, for the operator's key", fallback).env(variable)
}

/** The tokens that a verb sends. */
export interface Tokens {
  /** Sent with every call. */
  readonly token?: string
  /** Sent with operators' calls instead. */
  readonly adminToken?: string
}

/**
 * Reads the tokens: those of the variables, and for an exchange on this machine the operator's key in its
 * data directory, which is sent nowhere else but to the exchange that runs on that directory. Throws
 * UsageError, lest `fetch` refuse a token with a message that shows it.
 */
export function tokensOf(
  { RAAY_TOKEN, RAAY_ADMIN_TOKEN }: NodeJS.ProcessEnv,
  { url, isOwn }: Pick<Reach, 'url' | 'isOwn'>,
  data: string | undefined,
): Tokens {
  const token = checked('RAAY_TOKEN', RAAY_TOKEN)
  const isLocal = isOwn || LOCAL.test(new URL(url).hostname)
  const key = data !== undefined && isLocal ? keyIn(data) : undefined
  const adminToken = checked('RAAY_ADMIN_TOKEN', RAAY_ADMIN_TOKEN) ?? key
  return { ...(token !== undefined && { token }), ...(adminToken !== undefined && { adminToken }) }
}

function checked(variable: string, token = ''): string | undefined {
  if (token === '') return undefined
  if (HEADER_TEXT.test(token)) return token
  throw new UsageError(`${variable} is not a valid token: use letters, digits and signs without spaces`)
}

/** Returns the operator's key of a data directory; undefined if this user cannot read one. */
function keyIn(data: string): string | undefined {
  try {
    return readOperatorKey(data)
  } catch {
    return undefined
  }
}
