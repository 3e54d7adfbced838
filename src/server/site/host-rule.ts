import { isIP } from 'node:net'

const LOOPBACK = /^(?:localhost|127\.\d+\.\d+\.\d+|::1)$/

/**
 * The names in Host headers that are accepted, on any port. A page whose own name was pointed at this address
 * (DNS rebinding) still has that name in `Host`, so a name that nobody has configured is refused.
 */
export class HostRule {
  readonly #publicHost: string | undefined
  readonly #allowed: ReadonlySet<string>
  /** The last host that was accepted: almost all requests name the same. */
  #lastAccepted = 'localhost'

  /**
   * @param publicUrl the address that browsers use; without one, every IP address is accepted
   * @param allowedHosts further names, without ports
   */
  constructor(publicUrl: string | undefined, allowedHosts: readonly string[]) {
    this.#publicHost = publicUrl === undefined ? undefined : hostnameOf(new URL(publicUrl).host)
    this.#allowed = new Set(allowedHosts.map(name => hostnameOf(name) ?? hostnameOf(`[${name}]`) ?? name))
  }

  /** Checks a Host header. The app cannot handle an `invalid` one, from which no URL can be made. */
  check(host: string): 'accepted' | 'unknown' | 'invalid' {
    if (host === this.#lastAccepted) return 'accepted'
    const name = hostnameOf(host)
    if (name === undefined) return 'invalid'
    if (!this.#accepts(name)) return 'unknown'
    this.#lastAccepted = host
    return 'accepted'
  }

  /** Returns whether a Host header names the public URL's host, on whatever port. */
  isPublic(host: string): boolean {
    return this.#publicHost !== undefined && hostnameOf(host) === this.#publicHost
  }

  #accepts(name: string): boolean {
    if (LOOPBACK.test(name) || this.#allowed.has(name)) return true
    return this.#publicHost === undefined ? isIP(name) !== 0 : name === this.#publicHost
  }
}

/** Returns the name or address in a Host header, as URLs write it but without brackets. */
function hostnameOf(host: string): string | undefined {
  const address = `http://${host}/`
  return URL.canParse(address) ? new URL(address).hostname.replace(/^\[(.*)\]$/, '$1') : undefined
}
