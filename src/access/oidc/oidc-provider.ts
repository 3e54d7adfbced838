import { createHash } from 'node:crypto'
import type { JSONWebKeySet } from 'jose'
import { createLocalJWKSet, errors, jwtVerify } from 'jose'
import type { JsonObject } from '../jwt/token-parts.js'
import type { OidcSettings } from './oidc-settings.js'
import { RefusedByProvider, requestJson } from './provider-request.js'

/** The secrets of one sign-in: some go to the provider with the browser, and all must fit what comes back. */
export interface Challenge {
  readonly state: string
  readonly nonce: string
  readonly verifier: string
  /** The page to which the provider sends the browser back. */
  readonly redirectUri: string
}

export interface OidcProviderOptions {
  readonly settings: OidcSettings
  /** Epoch milliseconds. */
  readonly now: () => number
  /** A monotonic clock in milliseconds. */
  readonly watch: () => number
  /** Called once when the provider cannot be reached, until it can be again. */
  readonly warn: (message: string) => void
  /** For each request; 5 seconds by default. */
  readonly timeoutMs?: number
}

interface Endpoints {
  readonly authorize: string
  readonly token: string
  readonly keys: string
  readonly userInfo: string | undefined
  /** True to send the secret in the body, for providers that take it nowhere else. */
  readonly isSecretInBody: boolean
  /** True if each answer names its issuer (RFC 9207). */
  readonly namesIssuer: boolean
}

/** Only signatures with a public key: `none` and those with a shared secret are refused. */
const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA']
const LEEWAY_SECONDS = 30
const ENDPOINTS_AGE_MS_MAX = 10 * 60_000
const PAUSE_MS = 5000
const TIMEOUT_MS = 5000
/** Sign-ins that wait for the provider at the same time. */
const RUNNING_MAX = 32

/** An OpenID provider: finds its endpoints, and exchanges codes for the claims about a person. */
export class OidcProvider {
  readonly settings: OidcSettings
  readonly #options: OidcProviderOptions
  #endpoints: Endpoints | undefined
  #triedAt = Number.NEGATIVE_INFINITY
  #discovery: Promise<Endpoints | undefined> | undefined
  #isWarned = false
  #running = 0

  constructor(options: OidcProviderOptions) {
    this.settings = options.settings
    this.#options = options
  }

  /** Returns the address at the provider to which a browser goes. */
  async addressFor({ state, nonce, verifier, redirectUri }: Challenge): Promise<string | 'provider_down'> {
    const endpoints = await this.#found()
    if (endpoints === undefined) return 'provider_down'
    const url = new URL(endpoints.authorize)
    const parameters = {
      response_type: 'code',
      client_id: this.settings.clientId,
      redirect_uri: redirectUri,
      scope: this.settings.scopes,
      state,
      nonce,
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
    }
    for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
    return url.href
  }

  /**
   * Exchanges a code for the verified claims of its ID token, and those that only the provider's user info
   * has, where one of `wanted` is missing.
   */
  async claims(
    { nonce, verifier, redirectUri }: Challenge,
    { code, iss }: { readonly code: string; readonly iss: string | undefined },
    wanted: readonly string[],
  ): Promise<JsonObject | 'provider_down' | 'provider_refused' | 'busy'> {
    if (this.#running >= RUNNING_MAX) return 'busy'
    this.#running++
    try {
      const endpoints = await this.#found()
      if (endpoints === undefined) return 'provider_down'
      if (iss === undefined ? endpoints.namesIssuer : iss !== this.settings.issuer) return 'provider_refused'
      const tokens = await this.#tokens(endpoints, { code, verifier, redirectUri })
      const claims = await this.#verified(endpoints, tokens.id_token, nonce)
      const isWhole = wanted.every(name => claims[name] !== undefined)
      const { access_token: token } = tokens
      if (isWhole || endpoints.userInfo === undefined || typeof token !== 'string') return claims
      const more = await this.#request(endpoints.userInfo, { headers: { Authorization: `Bearer ${token}` } })
      // Without this check another person's claims could be added.
      return more.sub === claims.sub ? { ...more, ...claims } : 'provider_refused'
    } catch (error) {
      this.#options.warn(`a sign-in with the OpenID provider failed: ${error}`)
      const isRefused = error instanceof errors.JOSEError || error instanceof RefusedByProvider
      return isRefused ? 'provider_refused' : 'provider_down'
    } finally {
      this.#running--
    }
  }

  /** Reads where the provider's endpoints are, unless they are known or it was asked just now. */
  async #found(): Promise<Endpoints | undefined> {
    const age = this.#options.watch() - this.#triedAt
    if (age < (this.#endpoints === undefined ? PAUSE_MS : ENDPOINTS_AGE_MS_MAX)) {
      return this.#discovery ?? this.#endpoints
    }
    this.#triedAt = this.#options.watch()
    this.#discovery = this.#discover().finally(() => {
      this.#discovery = undefined
    })
    return this.#discovery
  }

  async #discover(): Promise<Endpoints | undefined> {
    const { issuer } = this.settings
    try {
      const base = issuer.replace(/\/$/, '')
      this.#endpoints = endpointsIn(await this.#request(`${base}/.well-known/openid-configuration`), issuer)
      this.#isWarned = false
    } catch (error) {
      if (!this.#isWarned) this.#options.warn(`the OpenID provider ${issuer} cannot be used: ${error}`)
      this.#isWarned = true
    }
    // What was read before stays good while the provider cannot be asked.
    return this.#endpoints
  }

  async #tokens(
    { token, isSecretInBody }: Endpoints,
    sent: { readonly code: string; readonly verifier: string; readonly redirectUri: string },
  ): Promise<JsonObject> {
    const { clientId, clientSecret } = this.settings
    const body = new URLSearchParams({
      grant_type: 'authorization_code',
      code: sent.code,
      redirect_uri: sent.redirectUri,
      code_verifier: sent.verifier,
      ...(isSecretInBody && { client_id: clientId, client_secret: clientSecret }),
    })
    const pair = `${formText(clientId)}:${formText(clientSecret)}`
    const headers: Record<string, string> = isSecretInBody
      ? {}
      : { Authorization: `Basic ${Buffer.from(pair).toString('base64')}` }
    return this.#request(token, { method: 'POST', body, headers })
  }

  #request(url: string, init?: RequestInit): Promise<JsonObject> {
    return requestJson(url, this.#options.timeoutMs ?? TIMEOUT_MS, init)
  }

  async #verified({ keys }: Endpoints, token: unknown, nonce: string): Promise<JsonObject> {
    const { issuer, clientId } = this.settings
    if (typeof token !== 'string') throw new errors.JWTInvalid('there is no ID token')
    const keySet = createLocalJWKSet((await this.#request(keys)) as unknown as JSONWebKeySet)
    const options = {
      issuer,
      audience: clientId,
      algorithms: ALGORITHMS,
      clockTolerance: LEEWAY_SECONDS,
      currentDate: new Date(this.#options.now()),
      requiredClaims: ['exp', 'iat', 'sub'],
    }
    const { payload } = await jwtVerify(token, keySet, options)
    if (payload.nonce !== nonce) throw new errors.JWTClaimValidationFailed('another nonce', payload, 'nonce')
    const { azp, aud } = payload
    if (azp === undefined ? Array.isArray(aud) && aud.length > 1 : azp !== clientId) {
      throw new errors.JWTClaimValidationFailed('another authorized party', payload, 'azp')
    }
    return payload
  }
}

function endpointsIn(found: JsonObject, issuer: string): Endpoints {
  if (found.issuer !== issuer) throw new Error(`it calls itself ${JSON.stringify(found.issuer)}`)
  const methods = found.token_endpoint_auth_methods_supported
  const names = Array.isArray(methods) ? methods : ['client_secret_basic']
  const userInfo = found.userinfo_endpoint
  return {
    authorize: addressIn(found, 'authorization_endpoint', issuer),
    token: addressIn(found, 'token_endpoint', issuer),
    keys: addressIn(found, 'jwks_uri', issuer),
    userInfo: userInfo === undefined ? undefined : addressIn(found, 'userinfo_endpoint', issuer),
    isSecretInBody: !names.includes('client_secret_basic') && names.includes('client_secret_post'),
    namesIssuer: found.authorization_response_iss_parameter_supported === true,
  }
}

/** Returns an address that the provider names; plain http only if that is how it is reached itself. */
function addressIn(found: JsonObject, name: string, issuer: string): string {
  const text = found[name]
  if (typeof text === 'string' && URL.canParse(text)) {
    const { protocol } = new URL(text)
    if (protocol === 'https:' || (protocol === 'http:' && issuer.startsWith('http:'))) return text
  }
  throw new Error(`its ${name} is not an https address`)
}

/** Encodes a part of HTTP Basic as OAuth 2.0 wants it. */
function formText(text: string): string {
  return new URLSearchParams({ '': text }).toString().slice(1)
}
