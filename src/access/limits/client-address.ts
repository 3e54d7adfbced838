import type { BlockList } from 'node:net'
import { isIP } from 'node:net'
import { RecentMap } from '../recent-map.js'
import { plainAddress } from './network-key.js'

/** Proxies in a row; an address further left is not looked at. */
const HOPS_MAX = 10
/** Room for that many addresses in their longest form, with ports and blanks. */
const HEADER_LENGTH_MAX = HOPS_MAX * 64
/** An address with the port that some proxies add. */
const WITH_PORT = /^(?:\[([0-9a-f:.%]+)\](?::\d+)?|(\d+\.\d+\.\d+\.\d+):\d+)$/i

/** Addresses whose trust is remembered, in each of two generations. */
const REMEMBERED_MAX = 5000

/**
 * Finds the client behind a connection. `X-Forwarded-For` is believed as far as trusted proxies wrote it:
 * each appends the address it was called from, so the list is read from the right, up to the first address
 * that is not a trusted proxy. What is to the left of it may have been forged.
 */
export class ClientAddresses {
  readonly #proxies: () => BlockList | undefined
  #known: BlockList | undefined
  /** A look-up in the list costs 5 µs. */
  readonly #trusted = new RecentMap<boolean>(REMEMBERED_MAX)

  /** @param proxies the trusted ones at the moment */
  constructor(proxies: () => BlockList | undefined) {
    this.#proxies = proxies
  }

  /** Returns the client's address; that of the last trusted proxy if it does not name its client. */
  of(peerAddress: string, forwardedFor: string | undefined): string {
    let address = plainAddress(peerAddress)
    if (forwardedFor === undefined || !this.#trusts(address)) return address
    const hops = forwardedFor.slice(-HEADER_LENGTH_MAX).split(',').slice(-HOPS_MAX).reverse()
    for (const hop of hops) {
      const text = hop.trim()
      const [, ipv6, ipv4] = WITH_PORT.exec(text) ?? []
      const written = plainAddress(ipv6 ?? ipv4 ?? text)
      if (isIP(written) === 0) return address
      address = ownText(written)
      if (!this.#trusts(address)) return address
    }
    return address
  }

  #trusts(address: string): boolean {
    const proxies = this.#proxies()
    if (proxies === undefined) return false
    if (proxies !== this.#known) {
      this.#trusted.clear()
      this.#known = proxies
    }
    const known = this.#trusted.get(address)
    if (known !== undefined) return known
    const family = isIP(address)
    const isTrusted = family !== 0 && proxies.check(address, family === 4 ? 'ipv4' : 'ipv6')
    this.#trusted.set(address, isTrusted)
    return isTrusted
  }
}

/** Returns a copy: a part cut out of a header would keep the whole header in memory. */
function ownText(text: string): string {
  return Buffer.from(text, 'latin1').toString('latin1')
}
