import type { AccessMode } from '../../access/access-mode.js'
import type { OidcSettings } from '../../access/oidc/oidc-settings.js'
import type { JwtSettings } from '../../access/jwt/open-jwt.js'
import { SECRET_ADVICE } from './setting-types.js'
import type { SettingValues } from './setting-values.js'
import { ConfigError } from './setting-values.js'

/** The settings of an OpenID provider; its secret is in a file. */
export interface OidcConfig extends Omit<OidcSettings, 'clientSecret'> {
  readonly clientSecretFile: string
}

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
  /** The OpenID provider at which people sign in, if there is one. */
  readonly oidc?: OidcConfig | undefined
  /** False where only the last admin signs in otherwise. */
  readonly hasPasswords?: boolean
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
    oidc: readOidc(values, mode),
    hasPasswords: values.read('password-sign-in') === 'on',
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

const OIDC_NEEDED = ['oidc-issuer', 'oidc-client-id', 'oidc-client-secret-file'] as const
/** Settings that mean nothing without a provider. */
const OIDC_MORE = [
  ...(['oidc-name', 'oidc-scopes', 'oidc-allowed-groups', 'oidc-groups-claim'] as const),
  ...(['oidc-role-claim', 'oidc-role-map', 'oidc-session-hours', 'password-sign-in'] as const),
] as const
const HOUR_MS = 60 * 60_000

/** Reads the OpenID provider. Throws ConfigError where one setting needs another. */
function readOidc(values: SettingValues, mode: AccessMode): OidcConfig | undefined {
  const given = [...OIDC_NEEDED, ...OIDC_MORE].filter(name => values.of(name).origin !== 'default')
  const [first] = given
  if (first === undefined) return undefined
  if (mode !== 'accounts') throw new ConfigError(`${values.nameOf(first)} needs --auth accounts`)
  const missing = OIDC_NEEDED.filter(name => values.text(name) === '').map(name => `--${name}`)
  if (missing.length > 0) throw new ConfigError(`${values.nameOf(first)} needs ${missing.join(' and ')}`)
  const [issuer = '', clientId = '', clientSecretFile = ''] = OIDC_NEEDED.map(name => values.read(name))
  const [roleClaim, roleMap] = [values.read('oidc-role-claim'), values.read('oidc-role-map')]
  if ((roleClaim === undefined) !== (roleMap === undefined)) {
    const [has, lacks] = roleMap ? ['oidc-role-map', 'oidc-role-claim'] : ['oidc-role-claim', 'oidc-role-map']
    throw new ConfigError(`${values.nameOf(has as typeof first)} needs --${lacks}`)
  }
  const scopes = values.read('oidc-scopes')
  if (!scopes.split(/\s+/).includes('openid')) {
    throw new ConfigError(`${values.nameOf('oidc-scopes')} is ${scopes}: openid must be among them`)
  }
  return {
    ...{ issuer, clientId, clientSecretFile, scopes, roleClaim },
    name: values.read('oidc-name') ?? new URL(issuer).host,
    allowedGroups: values.read('oidc-allowed-groups'),
    groupsClaim: values.read('oidc-groups-claim'),
    roleMap: new Map(roleMap),
    sessionMs: values.read('oidc-session-hours') * HOUR_MS,
  }
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
