import { ACCESS_MODES } from '../../access/access-mode.js'
import type { JwtAlgorithm } from '../../access/jwt/jwt-verifier.js'
import { HOST_NAMES, ORIGINS, SITE_URL } from './network-types.js'
import type { SettingRows } from './setting-types.js'
import { mappedRole, OIDC_ISSUER, PROVIDER_NAME } from './oidc-types.js'
import { ADMIN_TOKEN, anyText, listOf, oneOf, SIGNING_SECRET, SWITCH, wholeNumber } from './setting-types.js'

const JWT_ALGORITHMS: readonly JwtAlgorithm[] = ['HS256', 'RS256', 'ES256', 'EdDSA']

/** The settings of access: modes, hosts, limits and tokens. */
export const ACCESS_SETTINGS = {
  'admin-token': {
    variable: 'RAAY_ADMIN_TOKEN',
    fallback: '',
    fallbackShown: 'the one in operator.key, in the data directory',
    help: "replaces the operator's key",
    type: ADMIN_TOKEN,
    isSecret: true,
  },
  auth: {
    variable: 'RAAY_AUTH',
    fallback: 'open',
    help: 'who may trade: open (anyone), accounts (users sign up) or jwt (tokens of an identity provider)',
    type: oneOf('mode', ACCESS_MODES),
  },
  'allow-open-network': {
    variable: 'RAAY_ALLOW_OPEN_NETWORK',
    fallback: 'no',
    help: 'lets the mode open listen on other addresses than this machine',
    type: SWITCH,
  },
  'sign-up': {
    variable: 'RAAY_SIGN_UP',
    fallback: 'invitation',
    help: 'who may sign up in accounts mode: invitation or open',
    type: oneOf('who', ['invitation', 'open']),
    isLive: true,
  },
  'password-sign-in': {
    variable: 'RAAY_PASSWORD_SIGN_IN',
    fallback: 'on',
    help: 'on, or off: then only the last admin signs in without the OpenID provider',
    type: oneOf('state', ['on', 'off']),
  },
  'oidc-issuer': {
    variable: 'RAAY_OIDC_ISSUER',
    fallback: '',
    help: 'OpenID provider at which people sign in, in accounts mode, such as https://id.example.org',
    type: OIDC_ISSUER,
  },
  'oidc-client-id': {
    variable: 'RAAY_OIDC_CLIENT_ID',
    fallback: '',
    help: 'the name of this exchange at the provider',
    type: anyText('text'),
  },
  'oidc-client-secret-file': {
    variable: 'RAAY_OIDC_CLIENT_SECRET_FILE',
    fallback: '',
    help: 'file with the secret of this exchange at the provider',
    type: anyText('file'),
  },
  'oidc-name': {
    variable: 'RAAY_OIDC_NAME',
    fallback: '',
    fallbackShown: 'the host of the provider',
    help: 'how the sign-in page calls the provider',
    type: PROVIDER_NAME,
  },
  'oidc-scopes': {
    variable: 'RAAY_OIDC_SCOPES',
    fallback: 'openid profile email',
    help: 'what to ask the provider for',
    type: anyText('words'),
  },
  'oidc-allowed-groups': {
    variable: 'RAAY_OIDC_ALLOWED_GROUPS',
    fallback: '',
    fallbackShown: 'everybody at the provider',
    help: 'groups at the provider that may sign in, separated by commas',
    type: listOf(text => text),
  },
  'oidc-groups-claim': {
    variable: 'RAAY_OIDC_GROUPS_CLAIM',
    fallback: 'groups',
    help: 'the claim that has the groups of a person',
    type: anyText('claim'),
  },
  'oidc-role-claim': {
    variable: 'RAAY_OIDC_ROLE_CLAIM',
    fallback: '',
    help: 'the claim that decides on the role at each sign-in',
    type: anyText('claim'),
  },
  'oidc-role-map': {
    variable: 'RAAY_OIDC_ROLE_MAP',
    fallback: '',
    help: 'roles by the values of that claim, such as raay-ops=operator, separated by commas',
    type: listOf(mappedRole),
  },
  'oidc-session-hours': {
    variable: 'RAAY_OIDC_SESSION_HOURS',
    fallback: '12',
    help: 'how long a sign-in with the provider lasts, for sessions and the API keys made in them',
    type: wholeNumber(1, 720, 'hours'),
  },
  reads: {
    variable: 'RAAY_READS',
    fallback: '',
    fallbackShown: 'public; members in jwt mode without --public-reads',
    help: 'who may see markets, profiles and comments: public (everyone) or members (users who sign in)',
    type: oneOf('who', ['public', 'members']),
    isLive: true,
  },
  'public-reads': {
    variable: 'RAAY_PUBLIC_READS',
    fallback: 'no',
    help: 'the same as --reads public, in jwt mode',
    type: SWITCH,
    isLive: true,
  },
  'event-creation': {
    variable: 'RAAY_EVENT_CREATION',
    fallback: '',
    fallbackShown: 'anyone in open mode, else operator',
    help: 'who may create events: anyone or operator',
    type: oneOf('who', ['anyone', 'operator']),
    isLive: true,
  },
  'public-url': {
    variable: 'RAAY_PUBLIC_URL',
    fallback: '',
    help: 'address under which users reach the exchange, such as https://raay.example.org',
    type: SITE_URL,
  },
  'allowed-host': {
    variable: 'RAAY_ALLOWED_HOST',
    fallback: '',
    help: 'further host names under which it may be reached, separated by commas',
    type: HOST_NAMES,
    isLive: true,
  },
  'cors-origin': {
    variable: 'RAAY_CORS_ORIGIN',
    fallback: '',
    help: 'origins whose pages may call the API, separated by commas',
    type: ORIGINS,
    isLive: true,
  },
  'rate-limits': {
    variable: 'RAAY_RATE_LIMITS',
    fallback: 'auto',
    help: 'limits by user, key and address: on, off, or auto (off in open mode on this machine)',
    type: oneOf('when', ['auto', 'on', 'off']),
    isLive: true,
  },
  'jwt-algorithm': {
    variable: 'RAAY_JWT_ALGORITHM',
    fallback: 'HS256',
    help: 'HS256, RS256, ES256 or EdDSA',
    type: oneOf('name', JWT_ALGORITHMS),
  },
  'jwt-secret': {
    variable: 'RAAY_JWT_SECRET',
    fallback: '',
    help: 'secret of HS256, at least 32 bytes; better given as the variable',
    type: SIGNING_SECRET,
    isSecret: true,
    isLive: true,
  },
  'jwt-secret-previous': {
    variable: 'RAAY_JWT_SECRET_PREVIOUS',
    fallback: '',
    help: 'the secret before, still accepted while secrets change',
    type: SIGNING_SECRET,
    isSecret: true,
    isLive: true,
  },
  'jwt-jwks': {
    variable: 'RAAY_JWT_JWKS',
    fallback: '',
    help: 'file or URL of the public keys, for the other algorithms',
    type: anyText('place'),
  },
  'jwt-audience': {
    variable: 'RAAY_JWT_AUDIENCE',
    fallback: '',
    help: 'required aud',
    type: anyText('text'),
  },
  'jwt-issuer': { variable: 'RAAY_JWT_ISSUER', fallback: '', help: 'required iss', type: anyText('text') },
  'jwt-leeway': {
    variable: 'RAAY_JWT_LEEWAY',
    fallback: '30',
    help: 'tolerated difference of clocks, at most 60',
    type: wholeNumber(0, 60, 'seconds'),
  },
} as const satisfies SettingRows
