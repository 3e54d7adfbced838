import type { By, Command, MarketCommand } from '../core/command.js'
import type { MarketCode } from '../core/units.js'
import type { ShardPool } from '../shard/shard-pool.js'
import type { Sources } from './sources.js'

/** A command to a market that has no id yet and is not addressed. */
export type Unsent = MarketCommand extends infer C
  ? C extends MarketCommand
    ? Omit<C, 'id' | 'market'>
    : never
  : never

/** The signature of a command, where somebody has sent it; absent from the journal else. */
export function signed(by: By | undefined): { readonly by?: By } {
  return by === undefined ? {} : { by }
}

/** Names a command, addresses it and queues it; answers when it is on disk and settled. */
export function sendToMarket(
  shards: ShardPool,
  sources: Sources,
  market: MarketCode,
  unsent: Unsent,
): Promise<void> {
  return shards.submit(market, { id: sources.messageId(), market, ...unsent } as Command)
}
