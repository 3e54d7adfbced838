import { readFile } from 'node:fs/promises'
import type { JSONWebKeySet, LocalJWKSet } from 'jose'
import { compactVerify, createLocalJWKSet, createRemoteJWKSet, errors } from 'jose'
import { ApiError } from '../../api/api-error.js'
import type { JwtAlgorithm, SigningKeys } from './jwt-verifier.js'
import type { TokenParts } from './token-parts.js'

export interface KeySetOptions {
  readonly algorithm: JwtAlgorithm
  /** Reads all keys; rejects if they cannot be read. */
  readonly read: () => Promise<JSONWebKeySet>
  /** How old the keys may become before they are read again. */
  readonly ageMsMax: number
  /** Logs once that the keys cannot be read, until they can be again. */
  readonly warn: (message: string) => void
  /** Called when a key that was there no longer is: its tokens are not valid any more. */
  readonly withdrawn: () => void
  /** A monotonic clock in milliseconds. */
  readonly watch: () => number
}

const FETCH_MS_MAX = 5000
/** The pause between two attempts: tokens with made-up key ids cause no more requests to the provider. */
const PAUSE_MS = 5000
/** A token that no key fits may have been signed with a new one, but not more often than this. */
const MISSING_KEY_PAUSE_MS = 30_000
/** Faults of a token; any other fault is one of the keys. */
const TOKEN_FAULTS: ReadonlySet<string> = new Set([
  errors.JWSInvalid.code,
  errors.JWSSignatureVerificationFailed.code,
  errors.JWKSNoMatchingKey.code,
  errors.JOSEAlgNotAllowed.code,
])
/** The type of key (`kty`) that an algorithm needs. */
const KEY_TYPES: Readonly<Partial<Record<JwtAlgorithm, string>>> = { RS256: 'RSA', ES256: 'EC', EdDSA: 'OKP' }
const NO_KEYS = 'The keys of the identity provider cannot be read: try again in a moment'

/**
 * The public keys of an identity provider, from a JSON Web Key Set. Keys that have been read stay valid while
 * the set cannot be read, so that an outage of the provider does not lock out those who have tokens.
 */
export class KeySet implements SigningKeys {
  readonly #options: KeySetOptions
  #keys: LocalJWKSet | undefined
  #text = ''
  #edition = 0
  /** Each key as JSON. */
  #each: ReadonlySet<string> = new Set()
  #readAt = Number.NEGATIVE_INFINITY
  #reading: Promise<boolean> | undefined
  #isWarned = false

  constructor(options: KeySetOptions) {
    this.#options = options
  }

  get edition(): number {
    return this.#edition
  }

  async verifies({ token }: TokenParts): Promise<boolean> {
    const verdict = await this.#verdict(token)
    if (verdict !== 'no_key') return verdict
    if (this.#options.watch() - this.#readAt >= MISSING_KEY_PAUSE_MS || this.#reading !== undefined) {
      await this.#read()
    }
    return (await this.#verdict(token)) === true
  }

  async refresh(): Promise<boolean> {
    const { ageMsMax, watch } = this.#options
    const pauseMs = this.#keys === undefined ? PAUSE_MS : ageMsMax
    return watch() - this.#readAt >= pauseMs && this.#read()
  }

  /** Reads the keys for the first time; rejects with the reason if that fails. */
  async open(): Promise<void> {
    const { algorithm, read, watch } = this.#options
    const keys = await read()
    if (!Array.isArray(keys?.keys) || !keys.keys.some(({ kty }) => kty === KEY_TYPES[algorithm])) {
      throw new Error(`there is no key for ${algorithm} in it`)
    }
    this.#readAt = watch()
    const text = JSON.stringify(keys)
    if (text === this.#text) return
    const each = new Set(keys.keys.map(key => JSON.stringify(key)))
    const isWithdrawn = [...this.#each].some(key => !each.has(key))
    this.#keys = createLocalJWKSet(keys)
    this.#text = text
    this.#each = each
    this.#edition++
    if (isWithdrawn) this.#options.withdrawn()
  }

  async #verdict(token: string): Promise<boolean | 'no_key'> {
    const keys = this.#keys
    if (keys === undefined) throw new ApiError(503, NO_KEYS, 'keys_unknown')
    try {
      await compactVerify(token, keys, { algorithms: [this.#options.algorithm] })
      return true
    } catch (error) {
      if (error instanceof errors.JWKSMultipleMatchingKeys) return this.#anyVerifies(token, error)
      if (error instanceof errors.JWKSNoMatchingKey) return 'no_key'
      if (error instanceof errors.JOSEError && TOKEN_FAULTS.has(error.code)) return false
      this.#warnOnce(error)
      throw new ApiError(503, NO_KEYS, 'keys_unknown')
    }
  }

  /** Tries each key that fits a token without key id. */
  async #anyVerifies(token: string, several: InstanceType<typeof errors.JWKSMultipleMatchingKeys>) {
    for await (const key of several) {
      try {
        await compactVerify(token, key, { algorithms: [this.#options.algorithm] })
        return true
      } catch {}
    }
    return false
  }

  /** Resolves to true if the keys have changed. All who wait share one attempt. */
  #read(): Promise<boolean> {
    this.#reading ??= this.#readAnew().finally(() => {
      this.#reading = undefined
    })
    return this.#reading
  }

  async #readAnew(): Promise<boolean> {
    const before = this.#edition
    this.#readAt = this.#options.watch()
    try {
      await this.open()
    } catch (error) {
      this.#warnOnce(error)
      return false
    }
    this.#isWarned = false
    return this.#edition !== before
  }

  #warnOnce(error: unknown): void {
    if (!this.#isWarned) this.#options.warn(`the keys of tokens (--jwt-jwks) cannot be read: ${error}`)
    this.#isWarned = true
  }
}

/** Returns a reader of a file. */
export function keysOfFile(path: string): () => Promise<JSONWebKeySet> {
  return async () => JSON.parse(await readFile(path, 'utf8')) as JSONWebKeySet
}

/** Returns a reader of an address, which gives up after five seconds and follows no redirect. */
export function keysOfUrl(url: URL): () => Promise<JSONWebKeySet> {
  const remote = createRemoteJWKSet(url, { timeoutDuration: FETCH_MS_MAX })
  return async () => {
    await remote.reload()
    return remote.jwks() ?? { keys: [] }
  }
}
