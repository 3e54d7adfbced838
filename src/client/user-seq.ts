import { RaayError } from './raay-error.js'
import type { Rest } from './rest.js'

/**
 * Fetches the number of a user's last message from the answer about the balance: 0 without an account,
 * undefined if the exchange is too old to say.
 */
export async function fetchUserSeq(rest: Rest, path: string): Promise<number | undefined> {
  try {
    return (await rest.call<{ readonly user_seq?: number }>({ method: 'GET', path })).user_seq
  } catch (error) {
    if (error instanceof RaayError && error.code === 404) return 0
    throw error
  }
}
