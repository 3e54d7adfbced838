import { createHash } from 'node:crypto'
import { LIMITS } from '../../api/limits.js'
import type { Identity } from '../identity.js'
import { RecentMap } from '../recent-map.js'
import type { ExpectedClaims } from './claims.js'
import { readClaims } from './claims.js'
import type { TokenParts } from './token-parts.js'
import { tokenParts, wrongToken } from './token-parts.js'

export type JwtAlgorithm = 'HS256' | 'RS256' | 'ES256' | 'EdDSA'

/** The keys by which tokens are verified. */
export interface SigningKeys {
  /** Another number whenever the keys have changed, whatever caused it. */
  readonly edition: number
  /** Throws 503 if there are no keys yet. */
  verifies(token: TokenParts): boolean | Promise<boolean>
  /** Reads the keys again if it is time; resolves to true if they have changed. */
  refresh(): Promise<boolean>
}

export interface JwtVerifierOptions extends ExpectedClaims {
  /** The only algorithm accepted, whatever a token's header says. */
  readonly algorithm: JwtAlgorithm
  readonly keys: SigningKeys
  readonly now: () => number
}

interface Verdict {
  /** Of the keys by which it was found. */
  readonly edition: number
  readonly identity: Identity
  readonly untilMs: number
}

/** Verdicts kept in each of two generations; one takes about 500 bytes. */
const VERDICTS_MAX = 10_000
/** A verdict is found again after this time, so that a withdrawn key does not outlive it. */
const VERDICT_MS_MAX = 5 * 60_000

/**
 * Verifies JSON Web Tokens (specification 5). A verdict is kept under the token's SHA-256: the tokens
 * themselves are not in memory, and an integrator's next request with the same token costs 3 µs.
 */
export class JwtVerifier {
  readonly #options: JwtVerifierOptions
  readonly #verdicts = new RecentMap<Verdict>(VERDICTS_MAX)

  constructor(options: JwtVerifierOptions) {
    this.#options = options
  }

  /** Returns the sender of a token, at once if possible. Throws 401, or 503 if the keys are unknown. */
  verify(token: string): Identity | Promise<Identity> {
    if (token.length > LIMITS.tokenLengthMax) {
      throw wrongToken(`The token is longer than ${LIMITS.tokenLengthMax} characters`)
    }
    const hash = createHash('sha256').update(token).digest('base64url')
    const known = this.#verdicts.get(hash)
    const { now, algorithm, keys } = this.#options
    if (known !== undefined && known.edition === keys.edition && now() < known.untilMs) return known.identity
    return this.#verified(tokenParts(token, algorithm), hash)
  }

  /** Verifies a token, again if its key may have been withdrawn meanwhile. */
  #verified(parts: TokenParts, hash: string): Identity | Promise<Identity> {
    const { keys } = this.#options
    const { edition } = keys
    const isValid = keys.verifies(parts)
    if (typeof isValid === 'boolean') return this.#judge(parts, hash, isValid, edition)
    return isValid.then(isValid =>
      edition === keys.edition ? this.#judge(parts, hash, isValid, edition) : this.#verified(parts, hash),
    )
  }

  /** Reads the keys again when it is time; to be called every few seconds. */
  async refresh(): Promise<void> {
    if (await this.#options.keys.refresh()) this.#verdicts.clear()
  }

  #judge(parts: TokenParts, hash: string, isValid: boolean, edition: number): Identity {
    if (!isValid) throw wrongToken("The token's signature is wrong")
    const nowMs = this.#options.now()
    const { userId, role, scopes, expiresAtMs } = readClaims(parts.claims(), this.#options, nowMs)
    const credential = `jwt:${hash}`
    const identity: Identity = { kind: 'jwt', userId, role, scopes, credential, expiresAt: expiresAtMs }
    const untilMs = Math.min(expiresAtMs, nowMs + VERDICT_MS_MAX)
    this.#verdicts.set(hash, { identity, edition, untilMs })
    return identity
  }
}
