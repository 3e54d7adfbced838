import { RaayError } from './raay-error.js'

/** A token, or a function that returns a valid one. */
export type Token = string | (() => string | Promise<string>)

/** The token that a client sends. One that a function returned is kept until the exchange says it expired. */
export class Credential {
  readonly #token: Token
  #kept: Promise<string> | undefined

  constructor(token: Token) {
    this.#token = token
  }

  /** Returns the token to send. Rejects with RaayError if the program's function fails. */
  get(): string | Promise<string> {
    const token = this.#token
    if (typeof token === 'string') return token
    this.#kept ??= ask(token).catch((error: unknown) => {
      this.#kept = undefined
      throw error
    })
    return this.#kept
  }

  /**
   * Forgets a token that has expired, unless a newer one is already here. Returns false if there is no other.
   */
  async renew(expired: string): Promise<boolean> {
    if (typeof this.#token === 'string') return false
    const kept = this.#kept
    if (kept !== undefined && (await kept.catch(() => expired)) === expired && this.#kept === kept) {
      this.#kept = undefined
    }
    return true
  }
}

async function ask(token: () => string | Promise<string>): Promise<string> {
  try {
    return await token()
  } catch (cause) {
    if (cause instanceof RaayError) throw cause
    const message = `token: ${cause instanceof Error ? cause.message : String(cause)}`
    throw new RaayError(401, 'Unauthorized', message, { cause })
  }
}
