import type { By, Command, MarketCommand } from '../core/command.js'
import type { MarketCode } from '../core/units.js'
import type { ShardPool } from '../shard/shard-pool.js'
import type { Sources } from './sources.js'

/** A command to a market, without its id and market code. */
export type Unsent = MarketCommand extends infer C
  ? C extends MarketCommand
    ? Omit<C, 'id' | 'market'>
    : never
  : never

/** Returns the signature of an operator's command; the exchange's own commands have none. */
export function signed(by: By | undefined): { readonly by?: By } {
  return by === undefined ? {} : { by }
}

/** Gives a command its id and market, and queues it; resolves when it is committed and applied. */
export function sendToMarket(
  shards: ShardPool,
  sources: Sources,
  market: MarketCode,
  unsent: Unsent,
): Promise<void> {
  return shards.submit(market, { id: sources.messageId(), market, ...unsent } as Command)
}
