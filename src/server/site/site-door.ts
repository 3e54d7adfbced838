import type { IncomingMessage } from 'node:http'
import type { ErrorCode } from '../../api/errors.js'
import type { DoorReason } from '../../api/reasons.js'
import { hostUnknown, REFUSED } from '../../api/refusal-texts.js'
import type { RouteFacts } from '../../api/route.js'
import type { NetworkConfig } from '../config/network-config.js'
import { HostRule } from './host-rule.js'
import { OriginRule } from './origin-rule.js'

/** The names of a server, and the sites whose pages may use it. */
export type Site = Readonly<Pick<NetworkConfig, 'publicUrl' | 'allowedHosts' | 'corsOrigins' | 'tls'>>

export type DoorRefusal = readonly [ErrorCode, string, DoorReason]

/** All others may change something. */
const READING_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS'])
const JSON_TYPE = /^application\/(?:[\w.+-]+\+)?json *(?:;|$)/i
/** Its sessions open with a GET, and its bodies are not JSON. */
const SOCKET_IO = '/socket.io/'

const INVALID: DoorRefusal = [400, REFUSED.hostInvalid, 'not_http']
const CROSS_SITE: DoorRefusal = [403, REFUSED.crossSite, 'cross_site']
const NOT_JSON: DoorRefusal = [415, REFUSED.bodyNotJson, 'body_not_json']

/**
 * Refuses requests to other names than the server's, and what pages of other sites may not do. A browser is
 * known by `Origin` or `Sec-Fetch-Site`; what other programs send is not examined further.
 */
export class SiteDoor {
  #rules: Rules
  /** True if browsers reach the server by https. */
  readonly isTls: boolean

  constructor(site: Site) {
    this.#rules = rulesOf(site)
    this.isTls = site.tls !== undefined || site.publicUrl?.startsWith('https:') === true
  }

  /** Accepts other host names and origins from now on. TLS and the public URL stay as they were. */
  change(site: Site): void {
    this.#rules = rulesOf(site)
  }

  /** True if pages of any other site may read answers. */
  get isShared(): boolean {
    return this.#rules.isShared
  }

  /** Returns whether a Host header names this server. */
  accepts(host: string): boolean {
    return this.#rules.hosts.check(host) === 'accepted'
  }

  /** Returns the origin of a request whose page may read the answer though it is another site's. */
  sharedOrigin({ headers }: IncomingMessage): string | undefined {
    return this.#rules.origins.isListed(headers.origin) ? headers.origin : undefined
  }

  /**
   * Returns the refusal of a request to a route, if any. Removes the cookies of other sites' pages from the
   * others: to browsers, another port of this machine is the same site.
   */
  refusal(request: IncomingMessage, route?: Pick<RouteFacts, 'isProbe'>): DoorRefusal | undefined {
    const { headers, url = '' } = request
    const unknown = route?.isProbe ? undefined : this.#hostRefusal(request)
    if (unknown !== undefined) return unknown
    if (headers.origin === undefined && headers['sec-fetch-site'] === undefined) return undefined
    const isSocketIo = url.startsWith(SOCKET_IO)
    const isReading = READING_METHODS.has(request.method ?? '') && !isSocketIo
    const { origins } = this.#rules
    if (origins.isForeign(headers)) {
      if (!isReading && !origins.isListed(headers.origin)) return CROSS_SITE
      forgetCookies(request)
    }
    return isReading || isSocketIo || !hasBody(headers) || isJson(headers) ? undefined : NOT_JSON
  }

  /** Returns the refusal of an upgrade, if any. */
  upgradeRefusal(request: IncomingMessage): DoorRefusal | undefined {
    const unknown = this.#hostRefusal(request)
    const { origins } = this.#rules
    if (unknown !== undefined || !origins.isForeign(request.headers)) return unknown
    if (!origins.isListed(request.headers.origin)) return CROSS_SITE
    forgetCookies(request)
    return undefined
  }

  /** Returns the refusal of the name that a request asks for; a client of HTTP/1.0 sends none. */
  #hostRefusal({ headers: { host = '' } }: IncomingMessage): DoorRefusal | undefined {
    const verdict = host === '' ? 'accepted' : this.#rules.hosts.check(host)
    if (verdict === 'accepted') return undefined
    if (verdict === 'invalid') return INVALID
    return [421, hostUnknown(host), 'host_unknown']
  }
}

interface Rules {
  readonly hosts: HostRule
  readonly origins: OriginRule
  readonly isShared: boolean
}

function rulesOf(site: Site): Rules {
  const hosts = new HostRule(site.publicUrl, site.allowedHosts)
  return { hosts, origins: new OriginRule(hosts, site), isShared: site.corsOrigins.length > 0 }
}

function hasBody(headers: IncomingMessage['headers']): boolean {
  return headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0'
}

function isJson(headers: IncomingMessage['headers']): boolean {
  return JSON_TYPE.test(headers['content-type'] ?? '')
}

/** Removes the cookies wherever the app may look for them. */
function forgetCookies({ headers, rawHeaders }: IncomingMessage): void {
  if (headers.cookie === undefined) return
  delete headers.cookie
  for (let index = 0; index < rawHeaders.length; index += 2) {
    if (rawHeaders[index]?.toLowerCase() === 'cookie') rawHeaders[index + 1] = ''
  }
}
