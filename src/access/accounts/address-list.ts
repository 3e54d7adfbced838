import { BlockList, isIP } from 'node:net'

const MAPPED_IPV4 = /^::ffff:(?=\d+\.)/i

/** Addresses and networks such as `10.0.0.7` or `fd00::/8`, of which an API key may be used. */
export class AddressList {
  readonly #list = new BlockList()

  /** @returns undefined where a part is neither an address nor a network */
  static of(parts: readonly string[]): AddressList | undefined {
    const addresses = new AddressList()
    return parts.every(part => addresses.#add(part)) ? addresses : undefined
  }

  has(remoteAddress: string): boolean {
    const address = remoteAddress.replace(MAPPED_IPV4, '').replace(/%.*$/, '')
    const family = isIP(address)
    return family !== 0 && this.#list.check(address, family === 4 ? 'ipv4' : 'ipv6')
  }

  #add(part: string): boolean {
    const [address = '', prefix, ...rest] = part.split('/')
    const family = isIP(address)
    const bits = family === 4 ? 32 : 128
    const isPrefix = prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= bits)
    if (family === 0 || !isPrefix || rest.length > 0 || address.includes('%')) return false
    this.#list.addSubnet(
      address,
      prefix === undefined ? bits : Number(prefix),
      family === 4 ? 'ipv4' : 'ipv6',
    )
    return true
  }
}
