import { BlockList, isIP } from 'node:net'

/**
 * Returns the set of some addresses and networks, such as `10.0.0.7`, `192.168.0.0/16` and `fd00::/8`, with
 * blanks around them; undefined where one of them is neither.
 */
export function networksIn(parts: readonly string[]): BlockList | undefined {
  const networks = new BlockList()
  return parts.every(part => addTo(networks, part.trim())) ? networks : undefined
}

function addTo(networks: BlockList, part: string): boolean {
  const [address = '', prefix, ...rest] = part.split('/')
  const family = isIP(address)
  const bits = family === 4 ? 32 : 128
  const isPrefix = prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= bits)
  if (family === 0 || !isPrefix || rest.length > 0 || address.includes('%')) return false
  networks.addSubnet(address, prefix === undefined ? bits : Number(prefix), family === 4 ? 'ipv4' : 'ipv6')
  return true
}
