import type { Identity } from '../identity.js'
import { isOperator } from '../rights.js'
import type { Client } from './limiter.js'

/**
 * Returns the keys under which a caller is counted beside the address; undefined for callers without a name
 * and for operators, who are counted by the address alone.
 */
export function ownKeysOf(caller: Identity): Client | undefined {
  if (caller.userId === undefined || isOperator(caller)) return undefined
  return { user: caller.userId, credential: caller.credential, address: undefined }
}
