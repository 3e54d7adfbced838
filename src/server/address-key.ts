import { BlockList, isIP } from 'node:net'

const MAPPED_IPV4 = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i
/** A household or a server usually has a /64 of IPv6 addresses. */
const IPV6_GROUPS_SHARED = 4

const loopback = new BlockList()
loopback.addSubnet('127.0.0.0', 8, 'ipv4')
loopback.addAddress('::1', 'ipv6')

/**
 * Returns the key under which a client's connections are counted: its IPv4 address, or the first half of its
 * IPv6 address. Returns undefined for uncounted addresses: trusted proxies, or this machine if there are
 * none.
 */
export function addressKey(remoteAddress: string, proxies: BlockList | undefined): string | undefined {
  const address = MAPPED_IPV4.exec(remoteAddress)?.[1] ?? remoteAddress.replace(/%.*$/, '')
  const family = isIP(address)
  const exempt = proxies ?? loopback
  if (family !== 0 && exempt.check(address, family === 4 ? 'ipv4' : 'ipv6')) return undefined
  return family === 6 ? ipv6Groups(address).slice(0, IPV6_GROUPS_SHARED).join(':') : address
}

/** Returns the eight groups of an address, with `::` expanded. */
function ipv6Groups(address: string): string[] {
  const [head = [], tail = []] = address
    .split('::')
    .map(half => (half === '' ? [] : half.toLowerCase().split(':')))
  const missing = address.includes('::') ? Math.max(0, 8 - head.length - tail.length) : 0
  return [...head, ...Array.from({ length: missing }, () => '0'), ...tail]
}
