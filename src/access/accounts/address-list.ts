import { BlockList, isIP } from 'node:net'
import { plainAddress } from '../limits/network-key.js'
import { networksIn } from '../networks.js'

/** The addresses and networks from which an API key may be used. */
export class AddressList {
  readonly #networks: BlockList

  constructor(networks = new BlockList()) {
    this.#networks = networks
  }

  /** @returns undefined where a part is neither an address nor a network */
  static of(parts: readonly string[]): AddressList | undefined {
    const networks = networksIn(parts)
    return networks && new AddressList(networks)
  }

  has(remoteAddress: string): boolean {
    const address = plainAddress(remoteAddress)
    const family = isIP(address)
    return family !== 0 && this.#networks.check(address, family === 4 ? 'ipv4' : 'ipv6')
  }
}
