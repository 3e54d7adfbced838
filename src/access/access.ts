import { timingSafeEqual } from 'node:crypto'
import { ApiError } from '../api/api-error.js'
import { LIMITS } from '../api/limits.js'
import { REFUSED } from '../api/refusal-texts.js'
import type { AccessMode } from './access-mode.js'
import type { Identity } from './identity.js'
import { ANONYMOUS, KEY_HOLDER } from './identity.js'

/** The credentials of a request or a connection. */
export interface Credentials {
  /** The header `Authorization`. */
  readonly authorization: string | undefined
  /** The token in the session cookie. */
  readonly session: string | undefined
  /** True if that cookie was the one for this machine, which every program here can set. */
  readonly isPlain?: boolean
  /** The caller's address, for keys that are bound to some. */
  readonly address: string
}

/** The kind of a token that is not valid. */
export type ForgedToken = 'operator key' | 'JWT' | 'token'

/** Finds sessions and API keys by their tokens. */
export interface CredentialFinder {
  /**
   * Returns undefined for a token that is unknown, expired or revoked. Throws ApiError 403 if it is bound to
   * other addresses.
   */
  find(token: string, address: string): Identity | undefined
  /** How often credentials have ended or changed their rights. */
  readonly changes?: number
  /** Counts a token that neither the finder nor anyone else knows. */
  countForged?(what: ForgedToken, address: string): void
}

/** Verifies the tokens of an identity provider. */
export interface TokenVerifier {
  /** Throws ApiError 401, or rejects with it, if a token is not valid. */
  verify(token: string): Identity | Promise<Identity>
}

export interface AccessOptions {
  readonly mode: AccessMode
  /** The operator's key, or the admin token that replaces it. */
  readonly operatorKey: string
  /** Lets everybody read market data, as in `open` mode; otherwise only members may. May change. */
  readonly publicReads: boolean
  /** Lets everybody create events; may change. */
  readonly openCreation: boolean
  /** Set where users come by https, perhaps through a proxy here: then no plain cookie counts. */
  readonly httpsOnly?: boolean
  readonly finder?: CredentialFinder
  readonly verifier?: TokenVerifier
}

const BEARER = /^Bearer(?: |$)/i
/** How the tokens of sessions and API keys begin. */
const STORED = /^r[sk]_/
/** How operators' keys begin that the exchange has made itself. */
const OPERATOR = /^ro_/

/** Identifies callers by their credentials. */
export class Access {
  readonly mode: AccessMode
  readonly #options: AccessOptions
  readonly #operatorKey: Buffer
  readonly #finder: CredentialFinder | undefined
  readonly #verifier: TokenVerifier | undefined

  constructor(options: AccessOptions) {
    const { mode, operatorKey, finder, verifier } = options
    this.mode = mode
    this.#options = options
    this.#operatorKey = Buffer.from(operatorKey)
    this.#finder = finder
    this.#verifier = verifier
  }

  get publicReads(): boolean {
    return this.#options.publicReads
  }

  /** Another number whenever someone's credential has ended, or has other rights. */
  get changes(): number {
    return this.#finder?.changes ?? 0
  }

  get openCreation(): boolean {
    return this.#options.openCreation
  }

  /**
   * Returns who sent these credentials; anonymous if there are none. A token that is not valid is refused
   * with 401, a stale cookie is not: the browser that keeps sending it cannot know.
   */
  identify({ authorization, session, isPlain, address }: Credentials): Identity | Promise<Identity> {
    if (authorization !== undefined && BEARER.test(authorization)) {
      return this.identifyToken(bearerIn(authorization), address)
    }
    if (session === undefined || (isPlain && this.#options.httpsOnly)) return ANONYMOUS
    return this.#finder?.find(session, address) ?? ANONYMOUS
  }

  /** Returns who holds a token. Throws ApiError 401, or rejects with it, if it is not valid. */
  identifyToken(token: string, address: string): Identity | Promise<Identity> {
    if (token.length <= LIMITS.tokenLengthMax) {
      if (this.#isOperatorKey(token)) return KEY_HOLDER
      if (STORED.test(token)) {
        const found = this.#finder?.find(token, address)
        if (found !== undefined) return found
      } else if (this.#verifier !== undefined && token.includes('.')) {
        return this.#verified(this.#verifier, token, address)
      }
    }
    if (!STORED.test(token))
      this.#finder?.countForged?.(OPERATOR.test(token) ? 'operator key' : 'token', address)
    throw new ApiError(401, REFUSED.tokenWrong, 'token_wrong')
  }

  /** Verifies a token of an identity provider. Counts one that is not valid, unless it has only expired. */
  #verified(verifier: TokenVerifier, token: string, address: string): Identity | Promise<Identity> {
    const refuse = (error: unknown): never => {
      if (error instanceof ApiError && error.reason === 'token_wrong') {
        this.#finder?.countForged?.('JWT', address)
      }
      throw error
    }
    try {
      const found = verifier.verify(token)
      return found instanceof Promise ? found.catch(refuse) : found
    } catch (error) {
      return refuse(error)
    }
  }

  /** Returns whether a header carries the operator's key, which is cheap to find out. */
  isOperators(authorization: string | undefined): boolean {
    if (authorization === undefined || !BEARER.test(authorization)) return false
    return this.#isOperatorKey(bearerIn(authorization))
  }

  /** Compares in constant time; the length of the key is no secret. */
  #isOperatorKey(token: string): boolean {
    if (token.length !== this.#operatorKey.length) return false
    const sent = Buffer.from(token)
    return sent.length === this.#operatorKey.length && timingSafeEqual(sent, this.#operatorKey)
  }
}

/** Returns the token in a header that `BEARER` matches; the empty text if there is none. */
function bearerIn(authorization: string): string {
  return authorization.slice('Bearer'.length).trim()
}
