import type { AccessMode } from '../../access/access-mode.js'
import { ACCESS_MODES } from '../../access/access-mode.js'
import type { JwtAlgorithm } from '../../access/jwt/jwt-verifier.js'
import type { JwtSettings } from '../../access/jwt/open-jwt.js'
import { ConfigError, nameOf, oneOf, wholeNumber, yesOrNo } from './setting-values.js'
import type { Setting } from './settings.js'

/** How callers are identified, and what they may do. */
export interface AccessConfig {
  readonly mode: AccessMode
  /** Lets the mode `open` listen on other addresses than this machine. */
  readonly allowsOpenNetwork: boolean
  /** Lets everybody sign up in the mode `accounts`, or those with an invitation. */
  readonly signUp: 'invitation' | 'open'
  /** Lets everybody read market data in the mode `jwt`. */
  readonly publicReads: boolean
  /** Lets everybody create events. */
  readonly openCreation: boolean
  /** The tokens of the identity provider; undefined outside the mode `jwt`. */
  readonly jwt: JwtSettings | undefined
}

const JWT_ALGORITHMS: readonly JwtAlgorithm[] = ['HS256', 'RS256', 'ES256', 'EdDSA']

const SECRET_BYTES_MIN = 32
const LEEWAY_SECONDS_MAX = 60

/** Reads the settings of access. Throws ConfigError. */
export function readAccess(text: (setting: Setting) => string): AccessConfig {
  const mode = oneOf('auth', text('auth'), ACCESS_MODES)
  const creation = text('event-creation') || (mode === 'open' ? 'anyone' : 'operator')
  return {
    mode,
    allowsOpenNetwork: yesOrNo('allow-open-network', text('allow-open-network')),
    signUp: oneOf('sign-up', text('sign-up'), ['invitation', 'open']),
    publicReads: yesOrNo('public-reads', text('public-reads')),
    openCreation: oneOf('event-creation', creation, ['anyone', 'operator']) === 'anyone',
    jwt: mode === 'jwt' ? readJwt(text) : undefined,
  }
}

function readJwt(text: (setting: Setting) => string): JwtSettings {
  const algorithm = oneOf('jwt-algorithm', text('jwt-algorithm'), JWT_ALGORITHMS)
  const usesSecret = algorithm === 'HS256'
  const secrets = usesSecret ? [secretIn(text, 'jwt-secret'), ...previousSecret(text)] : []
  const jwks = text('jwt-jwks')
  if (!usesSecret && jwks === '') {
    throw new ConfigError(`${nameOf('jwt-jwks')} is missing: ${algorithm} needs a file or URL of public keys`)
  }
  return {
    algorithm,
    secrets,
    jwks: usesSecret ? undefined : jwks,
    audience: text('jwt-audience') || undefined,
    issuer: text('jwt-issuer') || undefined,
    leewaySeconds: wholeNumber('jwt-leeway', text('jwt-leeway'), 0, LEEWAY_SECONDS_MAX),
  }
}

function previousSecret(text: (setting: Setting) => string): string[] {
  return text('jwt-secret-previous') === '' ? [] : [secretIn(text, 'jwt-secret-previous')]
}

/** Throws without repeating the secret, because messages end up in logs. */
function secretIn(text: (setting: Setting) => string, setting: 'jwt-secret' | 'jwt-secret-previous'): string {
  const secret = text(setting)
  if (Buffer.byteLength(secret) >= SECRET_BYTES_MIN) return secret
  const problem = secret === '' ? 'is missing' : 'is too short'
  throw new ConfigError(
    `${nameOf(setting)} ${problem}: give at least ${SECRET_BYTES_MIN} bytes, as openssl rand -hex 32 makes`,
  )
}
