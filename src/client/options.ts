import type { LinkOptions } from './link.js'
import type { Surroundings } from './platform.js'
import { systemSurroundings } from './platform.js'
import { RaayError } from './raay-error.js'
import type { RestOptions } from './rest.js'

/** How to reach an exchange, and for whom. All but the address may be left out. */
export interface ClientOptions extends Partial<Surroundings> {
  /** Such as http://127.0.0.1:3000. */
  readonly url: string
  /** Whose orders and money it is about, where a call does not say. */
  readonly userid?: string
  /** What the operator's calls bring along. */
  readonly adminToken?: string
  /** How long one attempt at a request may take, and a subscription may stay unanswered; 10 seconds. */
  readonly timeoutMs?: number
  /** How often a request is made at most where that is safe; 5 times. */
  readonly attemptsMax?: number
  /** How long a connection may be silent before it is given up; 45 seconds: two heartbeats and a bit. */
  readonly silenceMs?: number
  /** The first pause before another attempt, of a request or a connection; 250 ms. It doubles each time, */
  readonly backoffMs?: number
  /** up to this; 10 seconds. */
  readonly backoffMaxMs?: number
}

interface Settings {
  readonly rest: RestOptions
  readonly link: LinkOptions
  readonly around: Surroundings
}

/** The options with what they leave out. Throws RaayError where the address is none. */
export function settingsOf(options: ClientOptions): Settings {
  const { timeoutMs = 10_000, attemptsMax = 5, silenceMs = 45_000 } = options
  const url = options.url.replace(/\/+$/, '')
  if (!/^https?:\/\/./i.test(url) || !URL.canParse(url)) {
    const example = 'an address such as http://127.0.0.1:3000'
    throw new RaayError(422, 'Unprocessable entity', `url: Expected ${example}, received '${options.url}'`)
  }
  const backoff = { firstMs: options.backoffMs ?? 250, maxMs: options.backoffMaxMs ?? 10_000 }
  const own = systemSurroundings()
  const around = {
    fetch: options.fetch ?? own.fetch,
    WebSocket: options.WebSocket ?? own.WebSocket,
    random: options.random ?? own.random,
    newOrderKey: options.newOrderKey ?? own.newOrderKey,
    setTimer: options.setTimer ?? own.setTimer,
  }
  const socketUrl = `${url.replace(/^http/i, 'ws')}/ws`
  return {
    rest: { url, timeoutMs, attemptsMax, backoff },
    link: { url: socketUrl, silenceMs, answerMs: timeoutMs, backoff },
    around,
  }
}
