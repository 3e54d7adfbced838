import { HmacKeys } from './hmac-keys.js'
import type { JwtAlgorithm } from './jwt-verifier.js'
import { JwtVerifier } from './jwt-verifier.js'
import { KeySet, keysOfFile, keysOfUrl } from './key-set.js'

/** The settings `--jwt-…` of the mode `jwt`. */
export interface JwtSettings {
  readonly algorithm: JwtAlgorithm
  /** For HS256: the current secret, and the previous one during a rotation. Both may change. */
  readonly secrets: readonly string[]
  /** For the others: a file or an address with a JSON Web Key Set; undefined for HS256. */
  readonly jwks: string | undefined
  readonly audience: string | undefined
  readonly issuer: string | undefined
  /** 60 at most. */
  readonly leewaySeconds: number
}

export interface JwtSurroundings {
  readonly now: () => number
  /** A monotonic clock in milliseconds. */
  readonly watch: () => number
  readonly warn: (message: string) => void
  /** Called when the identity provider has withdrawn a key. */
  readonly withdrawn: () => void
}

/** How old the keys of a file and of an address may become. */
const FILE_AGE_MS_MAX = 5000
const URL_AGE_MS_MAX = 5 * 60_000
const LOOPBACK = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/

/**
 * Returns the verifier of tokens. Rejects with advice where a setting is wrong, a file included; an identity
 * provider that cannot be reached is only a warning, because it may start later than the exchange: until its
 * keys have been read, tokens are refused with 503.
 */
export async function openJwt(settings: JwtSettings, surroundings: JwtSurroundings): Promise<JwtVerifier> {
  const { algorithm, jwks, audience, issuer, leewaySeconds } = settings
  const keys = jwks === undefined ? new HmacKeys(settings) : await keySet(algorithm, jwks, surroundings)
  const { now } = surroundings
  return new JwtVerifier({ algorithm, keys, audience, issuer, leewayMs: leewaySeconds * 1000, now })
}

async function keySet(algorithm: JwtAlgorithm, jwks: string, surroundings: JwtSurroundings): Promise<KeySet> {
  const url = /^https?:/i.test(jwks) ? urlOf(jwks, surroundings) : undefined
  const read = url === undefined ? keysOfFile(jwks) : keysOfUrl(url)
  const ageMsMax = url === undefined ? FILE_AGE_MS_MAX : URL_AGE_MS_MAX
  const keys = new KeySet({ algorithm, read, ageMsMax, ...surroundings })
  if (url !== undefined) {
    await keys.refresh()
    return keys
  }
  try {
    await keys.open()
  } catch (error) {
    throw new Error(`--jwt-jwks is ${jwks}: it cannot be read as a JSON Web Key Set: ${error}`)
  }
  return keys
}

function urlOf(text: string, { warn }: JwtSurroundings): URL {
  if (!URL.canParse(text)) throw new Error(`--jwt-jwks is ${text}: give a file or an https address`)
  const url = new URL(text)
  if (url.protocol === 'http:' && !LOOPBACK.test(url.hostname)) {
    warn('--jwt-jwks is read over plain http: anyone who can change the answer can sign in as anyone')
  }
  return url
}
