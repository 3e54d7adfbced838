import { settingsOf } from '../../client/client-options.js'
import type { Call } from '../../client/rest.js'
import { Rest } from '../../client/rest.js'

/** Longer than the exchange takes to check a password in a full queue. */
const TIMEOUT_MS = 15_000

const { rest: options, around } = settingsOf({ url: location.origin, timeoutMs: TIMEOUT_MS, attemptsMax: 1 })
const rest = new Rest(options, around)

/** Sends a request below `/auth`, once. Rejects with RaayError. */
export function callAuth<Answer>(
  method: Call['method'],
  path: string,
  more: Pick<Call, 'body' | 'headers' | 'query'> = {},
): Promise<Answer> {
  return rest.call<Answer>({ method, path: `/auth${path}`, ...more })
}
