import type { Token } from './credential.js'
import { Credential } from './credential.js'
import type { Surroundings } from './platform.js'
import { systemSurroundings } from './platform.js'
import { RaayError } from './raay-error.js'
import type { RestOptions } from './rest.js'
import type { LinkOptions } from './socket/link.js'

/** Settings for reaching an exchange. All but the address are optional. */
export interface ClientOptions extends Partial<Surroundings> {
  /** Address, such as http://127.0.0.1:3000. */
  readonly url: string
  /** User for calls that name none; with a token it may be left out. */
  readonly userid?: string
  /**
   * Sent with every call and on the WebSocket: an API key, a token of the identity provider, or the key of an
   * operator. A function is called for the first token, and again when the exchange says that it has expired.
   */
  readonly token?: Token
  /** Sent with operators' calls instead. */
  readonly adminToken?: string
  /**
   * For an exchange with standbys: reads wait until the machine that answers has what this client wrote
   * before, and fail with the reason `behind` if it does not get there. Off by default.
   */
  readonly readYourWrites?: boolean
  /**
   * Called once if a takeover has lost something that this client wrote, though it was answered; with
   * `readYourWrites`. Reads go on without it.
   */
  readonly onWritesLost?: () => void
  /** Time limit for one attempt at a request, and for the answer to a subscription; 10 seconds. */
  readonly timeoutMs?: number
  /** The time for which a request that is safe to repeat is repeated; 30 seconds. */
  readonly retryMs?: number
  /** Attempts at such a request, at most; by default only the time counts. */
  readonly attemptsMax?: number
  /**
   * `markets` opens the WebSocket for books and trades alone, without the token, so that a standby may
   * answer it. By default it is for users, too.
   */
  readonly channels?: 'all' | 'markets'
  /** Silence after which a connection is dropped; 45 seconds: two heartbeats and a margin. */
  readonly silenceMs?: number
  /** First pause before another attempt, of a request or a connection; 250 ms. It doubles each time, */
  readonly backoffMs?: number
  /** up to this; 10 seconds. */
  readonly backoffMaxMs?: number
}

interface Settings {
  readonly rest: RestOptions
  readonly link: LinkOptions
  readonly around: Surroundings
  /** The WebSocket of watches, where that is for markets alone. */
  readonly watching: LinkOptions
  /** Sent with calls for operators, if it is not the client's own token. */
  readonly headers: Readonly<Record<string, string>>
}

/** Fills in the defaults. Throws RaayError if the address is invalid. */
export function settingsOf(options: ClientOptions): Settings {
  const { timeoutMs = 10_000, retryMs = 30_000, silenceMs = 45_000 } = options
  const { attemptsMax = Number.POSITIVE_INFINITY, readYourWrites = false } = options
  const { onWritesLost = () => undefined } = options
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
  const credential = options.token === undefined ? undefined : new Credential(options.token)
  const socketUrl = `${url.replace(/^http/i, 'ws')}/ws`
  const link = { url: socketUrl, silenceMs, answerMs: timeoutMs, backoff, credential }
  const markets = { ...link, url: `${socketUrl}?channels=markets`, credential: undefined }
  return {
    rest: { url, timeoutMs, attemptsMax, retryMs, backoff, credential, readYourWrites, onWritesLost },
    link,
    watching: options.channels === 'markets' ? markets : link,
    around,
    headers: options.adminToken === undefined ? {} : { Authorization: `Bearer ${options.adminToken}` },
  }
}
