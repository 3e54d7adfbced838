import { BlockList, isIP } from 'node:net'
import { networkKey, plainAddress } from '../access/limits/network-key.js'

const loopback = new BlockList()
loopback.addSubnet('127.0.0.0', 8, 'ipv4')
loopback.addAddress('::1', 'ipv6')

/**
 * Returns the key under which a client's connections are counted. Returns undefined for uncounted addresses:
 * trusted proxies, or this machine if there are none.
 */
export function addressKey(remoteAddress: string, proxies: BlockList | undefined): string | undefined {
  const address = plainAddress(remoteAddress)
  const family = isIP(address)
  const exempt = proxies ?? loopback
  if (family !== 0 && exempt.check(address, family === 4 ? 'ipv4' : 'ipv6')) return undefined
  return networkKey(address)
}
