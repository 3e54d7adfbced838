import { isIP } from 'node:net'

const MAPPED_IPV4 = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i
/** A household or a server usually has a /64 of IPv6 addresses. */
const IPV6_GROUPS_SHARED = 4

/** Returns an address as people write it: IPv4 not in its IPv6 form, and without a zone. */
export function plainAddress(address: string): string {
  return MAPPED_IPV4.exec(address)?.[1] ?? address.replace(/%.*$/, '')
}

/** Returns the key of a client's network: its IPv4 address, or the first half of its IPv6 address. */
export function networkKey(address: string): string {
  const plain = plainAddress(address)
  if (isIP(plain) !== 6) return plain
  return ipv6Groups(plain).slice(0, IPV6_GROUPS_SHARED).map(shortGroup).join(':')
}

/** Returns the eight groups of an address, with `::` expanded. */
function ipv6Groups(address: string): string[] {
  const [head = [], tail = []] = address.split('::').map(half => (half === '' ? [] : half.split(':')))
  const missing = address.includes('::') ? Math.max(0, 8 - head.length - tail.length) : 0
  return [...head, ...Array.from({ length: missing }, () => '0'), ...tail]
}

/** Writes a group without leading zeros and in small letters. */
function shortGroup(group: string): string {
  return Number.parseInt(group, 16).toString(16)
}
