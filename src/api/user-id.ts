import { z } from 'zod'
import { LIMITS } from './limits.js'
import { LENGTH } from './new-user-id.js'
import { storedText, validate } from './validation.js'

/** A user id in a path or a query. */
export const userIdText = storedText
  .min(1, LENGTH)
  .max(LIMITS.userIdLengthMax, LENGTH)
  .meta({ description: 'The user id', examples: ['asha'] })

/** A user id in a body: text, or a number that is read as its digits (specification 10.6). */
export const userIdField = z
  .union([storedText, z.number().refine(isExact, 'Expected fewer digits, or a text of them')])
  .transform(String)
  .refine(userId => userId.length >= 1 && userId.length <= LIMITS.userIdLengthMax, LENGTH)
  .meta({
    minLength: 1,
    maxLength: LIMITS.userIdLengthMax,
    description: 'The user id: 1 to 128 characters; a number is read as its digits',
    examples: ['asha'],
  })

const pathSchema = z.object({ userid: userIdText })

/** Returns the user id in a path, which may be a new one. Throws 422. */
export function userIdIn(path: { readonly userid: string }): string {
  return validate(pathSchema, path).userid
}

/** Returns whether a number is exact: above 2^53 two different ids would collapse into one user. */
function isExact(value: number): boolean {
  return Math.abs(value) <= Number.MAX_SAFE_INTEGER
}
