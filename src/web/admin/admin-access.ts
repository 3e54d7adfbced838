import { signal } from '@preact/signals'
import type { RaayError } from '../../client/client.js'
import { failureOf } from '../forms/action.js'

/** The page’s access to operator endpoints. */
export type Access = 'asking' | 'in' | 'signed_out' | 'other_role' | 'first_admin'

export const access = signal<Access>('asking')

/** The connection to the exchange, as of the last request. */
export const reach = signal<'catching_up' | 'live' | 'offline'>('catching_up')

/** Records how a request ended; returns its error, if any. */
export function recordOutcome(error?: unknown): RaayError | undefined {
  if (error === undefined) {
    reach.value = 'live'
    return undefined
  }
  const failure = failureOf(error)
  const isUnanswered = failure.code === 502 || failure.code === 408 || failure.code === 504
  reach.value = isUnanswered ? 'offline' : 'live'
  // Such a refusal means that access has changed: check it again.
  if (failure.code === 401 || failure.reason === 'operator_only') access.value = 'asking'
  return failure
}
