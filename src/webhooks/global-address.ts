import { BlockList, isIP } from 'node:net'

/** IPv4 outside of which everything is global unicast: IANA's special addresses, and multicast. */
const SPECIAL_4 = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.31.196.0', 24],
  ['192.52.193.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['192.175.48.0', 24],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
] as const

/** The part of 2000::/3 that is not global unicast, or leads to an IPv4 address (6to4, Teredo). */
const SPECIAL_6 = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['2620:4f:8000::', 48],
  ['3fff::', 20],
] as const

const special = new BlockList()
for (const [network, prefix] of SPECIAL_4) special.addSubnet(network, prefix, 'ipv4')
for (const [network, prefix] of SPECIAL_6) special.addSubnet(network, prefix, 'ipv6')

/** All that is given out of IPv6. Mapped, translated, local and multicast addresses are outside. */
const global6 = new BlockList()
global6.addSubnet('2000::', 3, 'ipv6')

/** Returns true for an address that anyone on the internet may be reached at. */
export function isGlobalUnicast(address: string): boolean {
  const family = isIP(address)
  if (family === 4) return !special.check(address, 'ipv4')
  return (
    family === 6 &&
    !address.includes('%') &&
    global6.check(address, 'ipv6') &&
    !special.check(address, 'ipv6')
  )
}

/** Returns true for an address in some networks. */
export function isWithin(networks: BlockList, address: string): boolean {
  const family = isIP(address)
  return family !== 0 && !address.includes('%') && networks.check(address, family === 4 ? 'ipv4' : 'ipv6')
}
