import { RaayError } from './raay-error.js'
import type { Rest } from './rest.js'
import type { SessionStatus } from './shapes.js'

/** Names the user, if not the client's own. */
export interface OfUser {
  readonly userid?: string | undefined
}

/** Tells which user a call is about: the one it names, the client's own, or the one of the token. */
export class WhichUser {
  readonly #rest: Rest
  readonly #userid: string | undefined
  readonly #hasToken: boolean
  #own: Promise<string> | undefined

  constructor(rest: Rest, userid: string | undefined, hasToken: boolean) {
    this.#rest = rest
    this.#userid = userid
    this.#hasToken = hasToken
  }

  /** Returns the user, or undefined for the token's, whom the exchange fills in. Throws RaayError 422. */
  sent({ userid = this.#userid }: OfUser): string | undefined {
    if (userid !== undefined || this.#hasToken) return userid
    throw new RaayError(422, 'Unprocessable entity', 'userid: Required, here or when the client is made')
  }

  /** Returns the user, for an address that contains it. */
  named(which: OfUser): string | Promise<string> {
    return this.sent(which) ?? this.ofToken()
  }

  /** Asks the exchange once whose token it is. */
  ofToken(): Promise<string> {
    this.#own ??= this.#fetchOwn().catch(error => {
      this.#own = undefined
      throw error
    })
    return this.#own
  }

  async #fetchOwn(): Promise<string> {
    const { caller } = await this.#rest.call<SessionStatus>({ method: 'GET', path: '/auth/session' })
    const userid = caller?.userid
    if (userid !== undefined && userid !== null) return userid
    throw new RaayError(422, 'Unprocessable entity', 'userid: Required, the token is of no user')
  }
}
