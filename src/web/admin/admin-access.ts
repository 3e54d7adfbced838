import { signal } from '@preact/signals'
import { RaayError } from '../../client/client.js'

/** The page’s access to operator endpoints. */
export type Access = 'asking' | 'in' | 'token_wanted' | 'token_wrong' | 'local_only'

export const access = signal<Access>('asking')

/** The connection to the exchange, as of the last request. */
export const reach = signal<'catching_up' | 'live' | 'offline'>('catching_up')

/** Records how a request ended; returns its error, if any. */
export function recordOutcome(error?: unknown): RaayError | undefined {
  if (error === undefined) {
    reach.value = 'live'
    return undefined
  }
  const failure = error instanceof RaayError ? error : new RaayError(500, 'Page', String(error))
  const isUnanswered = failure.code === 502 || failure.code === 408 || failure.code === 504
  reach.value = isUnanswered ? 'offline' : 'live'
  // A refusal means that access has changed: check it again.
  if (failure.code === 401 || failure.code === 403) access.value = 'asking'
  return failure
}
