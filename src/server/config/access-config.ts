import type { AccessMode } from '../../access/access-mode.js'
import type { JwtSettings } from '../../access/jwt/open-jwt.js'
import { SECRET_ADVICE } from './setting-types.js'
import type { SettingValues } from './setting-values.js'
import { ConfigError } from './setting-values.js'

/** How callers are identified, and what they may do. */
export interface AccessConfig {
  readonly mode: AccessMode
  /** Lets the mode `open` listen on other addresses than this machine. */
  readonly allowsOpenNetwork: boolean
  /** Lets everybody sign up in `accounts` mode, or those with an invitation. */
  readonly signUp: 'invitation' | 'open'
  /** Lets everybody read market data; otherwise only members. Always set in `open` mode. */
  readonly publicReads: boolean
  /** Lets everybody create events. */
  readonly openCreation: boolean
  /** The tokens of the identity provider; undefined outside the mode `jwt`. */
  readonly jwt: JwtSettings | undefined
}

/** Reads the settings of access. Throws ConfigError. */
export function readAccess(values: SettingValues): AccessConfig {
  const mode = values.read('auth')
  const creation = values.read('event-creation') ?? (mode === 'open' ? 'anyone' : 'operator')
  return {
    mode,
    allowsOpenNetwork: values.read('allow-open-network'),
    signUp: values.read('sign-up'),
    publicReads: readPublicReads(values, mode),
    openCreation: creation === 'anyone',
    jwt: mode === 'jwt' ? readJwt(values) : undefined,
  }
}

/** Reads who may see the markets. Throws ConfigError in a mode without members, or for a contradiction. */
function readPublicReads(values: SettingValues, mode: AccessMode): boolean {
  const reads = values.read('reads')
  const alias = values.of('public-reads').origin === 'default' ? undefined : values.read('public-reads')
  const name = values.nameOf('reads')
  if (reads !== undefined && alias !== undefined && alias !== (reads === 'public')) {
    const contradicted = `${values.nameOf('public-reads')} ${alias ? 'yes' : 'no'}`
    throw new ConfigError(`${name} ${reads} contradicts ${contradicted}: remove one of them`)
  }
  if (mode !== 'open') return reads === undefined ? mode === 'accounts' || alias === true : reads === 'public'
  if (reads !== 'members') return true
  throw new ConfigError(
    `${name} members needs --auth accounts or jwt: in open mode everyone may read and trade`,
  )
}

function readJwt(values: SettingValues): JwtSettings {
  const algorithm = values.read('jwt-algorithm')
  const usesSecret = algorithm === 'HS256'
  const secret = values.read('jwt-secret')
  const jwks = values.read('jwt-jwks')
  if (usesSecret && secret === undefined) {
    throw new ConfigError(`${values.nameOf('jwt-secret')} is missing: ${SECRET_ADVICE}`)
  }
  if (!usesSecret && jwks === undefined) {
    const advice = `${algorithm} needs a file or URL of public keys`
    throw new ConfigError(`${values.nameOf('jwt-jwks')} is missing: ${advice}`)
  }
  const secrets = [secret, values.read('jwt-secret-previous')].filter(text => text !== undefined)
  return {
    algorithm,
    secrets: usesSecret ? secrets : [],
    jwks: usesSecret ? undefined : jwks,
    audience: values.read('jwt-audience'),
    issuer: values.read('jwt-issuer'),
    leewaySeconds: values.read('jwt-leeway'),
  }
}
