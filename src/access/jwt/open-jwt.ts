import { HmacKeys, SECRET_BYTES_MIN } from './hmac-keys.js'
import type { JwtAlgorithm } from './jwt-verifier.js'
import { JwtVerifier } from './jwt-verifier.js'
import { KeySet, keysOfFile, keysOfUrl } from './key-set.js'

/** The settings `--jwt-…` of the mode `jwt`. */
export interface JwtSettings {
  readonly algorithm: JwtAlgorithm
  /** For HS256: the current secret, and the previous one during a rotation. */
  readonly secrets: readonly string[]
  /** For the others: a file or an address with a JSON Web Key Set. */
  readonly jwks: string | undefined
  readonly audience: string | undefined
  readonly issuer: string | undefined
  readonly leewaySeconds: number
}

export interface JwtSurroundings {
  readonly now: () => number
  /** A monotonic clock in milliseconds. */
  readonly watch: () => number
  readonly warn: (message: string) => void
}

const LEEWAY_SECONDS_MAX = 60
/** A file is read again at every refresh, an address only so often. */
const URL_AGE_MS_MAX = 5 * 60_000
const LOOPBACK = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/

/**
 * Returns the verifier of tokens. Rejects with advice where a setting is wrong, a file included; an identity
 * provider that cannot be reached is only a warning, because it may start later than the exchange: until its
 * keys have been read, tokens are refused with 503.
 */
export async function openJwt(settings: JwtSettings, surroundings: JwtSurroundings): Promise<JwtVerifier> {
  const { algorithm, audience, issuer, leewaySeconds } = settings
  if (!(leewaySeconds >= 0 && leewaySeconds <= LEEWAY_SECONDS_MAX)) {
    throw new Error(`--jwt-leeway is ${leewaySeconds}: give 0 to ${LEEWAY_SECONDS_MAX} seconds`)
  }
  const keys = algorithm === 'HS256' ? hmacKeys(settings) : await keySet(settings, surroundings)
  const { now } = surroundings
  return new JwtVerifier({ algorithm, keys, audience, issuer, leewayMs: leewaySeconds * 1000, now })
}

function hmacKeys({ secrets }: JwtSettings): HmacKeys {
  if (secrets.length === 0) throw new Error('--jwt-algorithm HS256 needs --jwt-secret (RAAY_JWT_SECRET)')
  if (secrets.some(secret => Buffer.byteLength(secret) < SECRET_BYTES_MIN)) {
    const advice = `give at least ${SECRET_BYTES_MIN} bytes, such as openssl rand -hex 32 makes`
    throw new Error(`--jwt-secret or --jwt-secret-previous is too short: ${advice}`)
  }
  return new HmacKeys(secrets)
}

async function keySet({ algorithm, jwks }: JwtSettings, surroundings: JwtSurroundings): Promise<KeySet> {
  if (jwks === undefined) throw new Error(`--jwt-algorithm ${algorithm} needs --jwt-jwks (RAAY_JWT_JWKS)`)
  const url = /^https?:/i.test(jwks) ? urlOf(jwks, surroundings) : undefined
  const read = url === undefined ? keysOfFile(jwks) : keysOfUrl(url)
  const ageMsMax = url === undefined ? 0 : URL_AGE_MS_MAX
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
    warn('--jwt-jwks is read over plain http: whoever can change the answer can sign in as anyone')
  }
  return url
}
