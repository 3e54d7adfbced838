import { BlockList, isIP } from 'node:net'

/**
 * The addresses and networks in a text such as `10.0.0.7, 192.168.0.0/16, fd00::/8`; undefined where a part
 * of it is neither.
 */
export function proxiesIn(text: string): BlockList | undefined {
  const proxies = new BlockList()
  for (const part of text.split(',').map(part => part.trim())) {
    const [address = '', prefix, ...rest] = part.split('/')
    const family = isIP(address)
    const bits = family === 4 ? 32 : 128
    const isPrefix = prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= bits)
    if (family === 0 || !isPrefix || rest.length > 0) return undefined
    proxies.addSubnet(address, prefix === undefined ? bits : Number(prefix), family === 4 ? 'ipv4' : 'ipv6')
  }
  return proxies
}
