import { unseenCharacter } from '../core/plain-name.js'
import { ApiError } from './api-error.js'
import { LIMITS } from './limits.js'

export const LENGTH = `Expected 1 to ${LIMITS.userIdLengthMax} characters`

/** Reserved names: they mean something else in an address, or belong to the exchange's own accounts. */
const RESERVED: readonly string[] = ['.', '..', 'house', 'external', 'fees']

/** Finds accounts by name, in any spelling. */
export interface UserNames {
  userNamed(written: string): { readonly userId: string; readonly isKnown: boolean }
}

/**
 * Returns the id of the user named in a request: as stored if the account exists, otherwise in its plain
 * form, subject to the rules for new names. Throws 422.
 */
export function userIdOf(names: UserNames, written: string): string {
  const { userId, isKnown } = names.userNamed(written)
  const fault = isKnown ? undefined : newUserIdFault(userId)
  if (fault !== undefined) throw new ApiError(422, `userid: ${fault}`)
  return userId
}

/** Returns why a plain name cannot be that of a new user; undefined if it can. */
export function newUserIdFault(userId: string): string | undefined {
  if (userId.length < 1 || userId.length > LIMITS.userIdLengthMax) return LENGTH
  const hidden = unseenCharacter(userId)
  if (hidden !== undefined) return `Expected no ${hidden}, which cannot be seen`
  if (RESERVED.includes(userId)) return `Expected another: ${userId} is reserved`
  return userId.startsWith('bot-') ? "Expected another: bot- begins the names of a demo's bots" : undefined
}
