import type { IncomingHttpHeaders } from 'node:http'
import type { NetworkConfig } from '../config/network-config.js'
import type { HostRule } from './host-rule.js'

/** Values of `Sec-Fetch-Site` for addresses that were typed in, and for the exchange's own pages. */
const OWN_SITES: readonly unknown[] = ['none', 'same-origin']

type OriginSettings = Pick<NetworkConfig, 'publicUrl' | 'corsOrigins' | 'tls'>

/** Tells the server's own pages, and listed ones, from those of other sites. */
export class OriginRule {
  readonly #hosts: HostRule
  readonly #publicOrigin: string | undefined
  readonly #scheme: string
  readonly #listed: ReadonlySet<string>

  constructor(hosts: HostRule, { publicUrl, corsOrigins, tls }: Readonly<OriginSettings>) {
    this.#hosts = hosts
    this.#publicOrigin = publicUrl
    this.#scheme = tls === undefined ? 'http' : 'https'
    this.#listed = new Set(corsOrigins)
  }

  isListed(origin: string | undefined): boolean {
    return origin !== undefined && this.#listed.has(origin)
  }

  /**
   * Returns whether a browser sent the request for another site's page. `Origin` decides; without one, which
   * browsers leave out of some reads, `Sec-Fetch-Site` does. Another port on this machine is the same site to
   * a browser, but not the same origin.
   */
  isForeign({ origin, host = '', 'sec-fetch-site': site }: IncomingHttpHeaders): boolean {
    const isOwnSite = site === undefined || OWN_SITES.includes(site)
    if (origin === undefined) return !isOwnSite
    return !(isOwnSite && this.#isOwn(origin, host))
  }

  #isOwn(origin: string, host: string): boolean {
    if (origin === this.#publicOrigin) return true
    if (this.#hosts.isPublic(host)) return false
    // Browsers write both in lower case, and leave out the port of the scheme.
    const own = `${this.#scheme}://${host.toLowerCase()}`
    return origin === own || (URL.canParse(own) && origin === new URL(own).origin)
  }
}
