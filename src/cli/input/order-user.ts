import { UsageError } from '../exit-errors.js'
import { option } from '../options.js'

/** Makes the option that names the user of orders. */
export function userOption(description: string) {
  return option('--user <id>', description).env('RAAY_USER')
}

/** Returns the field of a request that names its user. */
export function ofUser(userid: string | undefined) {
  return userid === undefined ? {} : { userid }
}

/** Returns the user that is named; undefined for the one of the token in RAAY_TOKEN. Throws UsageError. */
export function userIn({ user }: { readonly user?: string }): string | undefined {
  if (user !== undefined || (process.env.RAAY_TOKEN ?? '') !== '') return user
  throw new UsageError(
    "missing user: give --user <id>, or set RAAY_USER, or RAAY_TOKEN to the user's own key",
  )
}
