import type { HouseCommand } from '../core/command.js'
import { unreachable } from '../core/assert.js'
import { postHouseMoney } from '../core/clearing.js'
import type { Postings } from '../core/postings.js'
import type { TimeMs } from '../core/units.js'
import { NO_HOUSE, ShardHouse } from './shard-house.js'
import type { ShardMarket } from './shard-market.js'

/** Applies a command on the house quotes of a market. */
export function applyToHouse(
  market: ShardMarket,
  command: HouseCommand,
  at: TimeMs,
  postings: Postings,
): void {
  switch (command.type) {
    case 'FUND_QUOTES':
      if (market.house === NO_HOUSE) market.house = new ShardHouse()
      market.house.start(command.account, command.table)
      postHouseMoney(postings, command, command.budget)
      break
    case 'STOP_QUOTES':
      for (const number of market.house.stop(command.account, market.book)) {
        market.cut({ number }, 'user_cancelled', postings)
      }
      break
    case 'REQUOTE_HOUSE':
      market.replaceQuotes(command, at, postings)
      break
    case 'RETURN_HOUSE_MONEY':
      postHouseMoney(postings, command, -command.amount)
      break
    default:
      unreachable(command)
  }
}
