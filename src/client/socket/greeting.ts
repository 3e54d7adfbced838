import type { Credential } from '../credential.js'
import { RaayError } from '../raay-error.js'

/** Code of a close by the exchange: the token that the connection sent has ended. */
const TOKEN_ENDED = 4401
const ID = 'token'

interface GreetingOptions {
  readonly credential: Credential | undefined
  readonly send: (message: unknown) => void
  /** Called when the connection may be used. */
  readonly done: () => void
  /** Called when the connection is of no use, but another one may be. */
  readonly drop: () => void
  /** Called when the exchange accepts no token of this client. */
  readonly fail: (error: RaayError) => void
}

/** Sends the token of a client as the first message of each connection. */
export class Greeting {
  readonly #options: GreetingOptions
  #sent = ''
  /** Counts connections, so that a token that arrives too late is not sent on another one. */
  #round = 0
  /** Set after a token has ended, until a subscription is answered: it is replaced once. */
  #hasEnded = false

  constructor(options: GreetingOptions) {
    this.#options = options
  }

  /** Begins with a connection that has just opened. */
  begin(): void {
    this.#round++
    if (this.#options.credential === undefined) this.#options.done()
    else void this.#send(this.#options.credential)
  }

  /** Takes a message of the exchange, until the connection may be used. */
  take({ event, id, data, reason }: { event: string; id?: unknown; data?: unknown; reason?: unknown }): void {
    if (id !== ID) return
    if (event === 'authenticated') this.#options.done()
    else if (event === 'error') void this.#refused(errorIn(data, reason))
  }

  /** Notes that the exchange has accepted a subscription. */
  confirm(): void {
    this.#hasEnded = false
  }

  /** Handles the end of a connection. */
  async closed(code: number | undefined): Promise<void> {
    this.#round++
    const { credential, drop, fail } = this.#options
    if (code !== TOKEN_ENDED || credential === undefined) {
      drop()
      return
    }
    const isSecond = this.#hasEnded
    this.#hasEnded = true
    if (isSecond) {
      fail(new RaayError(401, 'Unauthorized', 'The token has ended', { reason: 'token_expired' }))
      return
    }
    // The same token may be good for another connection, with other rights.
    drop()
    await credential.renew(this.#sent)
  }

  async #send(credential: Credential): Promise<void> {
    const round = this.#round
    const { send, fail } = this.#options
    try {
      const token = credential.get()
      this.#sent = typeof token === 'string' ? token : await token
      if (round === this.#round) send({ event: 'authenticate', data: { token: this.#sent }, id: ID })
    } catch (error) {
      if (round === this.#round) fail(error as RaayError)
    }
  }

  async #refused(error: RaayError): Promise<void> {
    const { credential, drop, fail } = this.#options
    if (error.code === 422) {
      // An older exchange knows no tokens here, and asks for none.
      this.#options.done()
      return
    }
    if (error.code === 429 || error.code >= 500) {
      drop()
      return
    }
    const isFirst = error.reason === 'token_expired' && !this.#hasEnded
    const round = this.#round
    this.#hasEnded = true
    if (isFirst && credential !== undefined && (await credential.renew(this.#sent))) {
      if (round === this.#round) await this.#send(credential)
    } else if (round === this.#round) fail(error)
  }
}

function errorIn(data: unknown, reason: unknown): RaayError {
  const { code = 500, name = 'Error', message = '' } = (data ?? {}) as Partial<RaayError>
  return new RaayError(code, name, message, { reason: typeof reason === 'string' ? reason : undefined })
}
