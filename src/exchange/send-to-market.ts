import type { Command, MarketCommand } from '../core/command.js'
import type { MarketCode } from '../core/units.js'
import type { ShardPool } from '../shard/shard-pool.js'
import type { Sources } from './sources.js'

/** A command to a market that has no id yet and is not addressed. */
export type Unsent = MarketCommand extends infer C
  ? C extends MarketCommand
    ? Omit<C, 'id' | 'market'>
    : never
  : never

/** Names a command, addresses it and queues it; answers when it is on disk and settled. */
export function sendToMarket(
  shards: ShardPool,
  sources: Sources,
  market: MarketCode,
  unsent: Unsent,
): Promise<void> {
  return shards.submit(market, { id: sources.messageId(), market, ...unsent } as Command)
}
