import { signal } from '@preact/signals'
import { RaayError } from '../../client/client.js'

/** Whether the exchange lets this page do what is the operator's, and why not. */
export type Access = 'asking' | 'in' | 'token_wanted' | 'token_wrong' | 'shut_out'

export const access = signal<Access>('asking')

/** Whether the exchange answers. */
export const reach = signal<'catching_up' | 'live' | 'offline'>('catching_up')

/** Takes note of how a question ended: answered, or with an error, which is handed on. */
export function hear(error?: unknown): RaayError | undefined {
  if (error === undefined) {
    reach.value = 'live'
    return undefined
  }
  const heard = error instanceof RaayError ? error : new RaayError(500, 'Page', String(error))
  const isUnanswered = heard.code === 502 || heard.code === 408 || heard.code === 504
  reach.value = isUnanswered ? 'offline' : 'live'
  // Whoever is in and is refused has to be asked again who they are.
  if (heard.code === 401 || heard.code === 403) access.value = 'asking'
  return heard
}
