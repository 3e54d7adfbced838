import type { Command } from '../../core/command.js'
import type { MarketCode, TimeMs } from '../../core/units.js'
import { openInlineFollower, openThreadedFollower } from '../../follower/follower-executor.js'
import { Following } from '../../follower/following.js'
import type { BatchResult } from '../../shard/batch-runner.js'
import { ShardPool } from '../../shard/shard-pool.js'
import { Telling } from '../../shard/telling.js'
import type { Desk } from '../desk.js'
import type { ExchangeOptions } from '../exchange-options.js'
import { TrustedClock } from '../operations/trusted-clock.js'
import { Readers } from '../reads/readers.js'
import { openTogether } from './open-together.js'
import { prepareFile, recoverDesk } from './recovery.js'

/** The threads and the memory of an exchange, recovered and open. */
export interface Parts {
  /** As given, with the clock that does not follow jumps ahead. */
  readonly options: ExchangeOptions
  readonly desk: Desk
  readonly readers: Readers
  readonly shards: ShardPool
  readonly following: Following
  readonly clock: TrustedClock
  /** The time of the last batch before the start. */
  readonly endedAt: TimeMs
}

/**
 * Recovers the files and opens everything behind an exchange.
 *
 * @param applyCommitted called with each committed batch, in journal order
 */
export async function openParts(
  given: ExchangeOptions,
  applyCommitted: (commands: readonly Command[], result: BatchResult) => void,
): Promise<Parts> {
  const { threads, file, shardCount, queueLengthMax, follower: mode = 'told', fail } = given
  const follows = given.standby === true
  const end = prepareFile(file)
  const clock = new TrustedClock(given.sources, end.at)
  const options = { ...given, sources: { ...given.sources, now: () => clock.now() } }
  const { sources } = options
  let following: Following | undefined
  const telling = new Telling()
  // The shards rebuild their books in their threads while this thread rebuilds the desk's memory.
  const opening = ShardPool.open(file, {
    shardCount,
    follows,
    threads,
    telling,
    queueLengthMax,
    lastSequence: end.sequence,
    now: sources.now,
    applyCommitted,
    whenRoom: () => following?.whenRoom(),
    replica: given.replica,
    fail,
  })
  // If the follower cannot even begin, the shards must still be waited for.
  const openFollower = async () =>
    threads ? openThreadedFollower(file, mode, telling.ports, fail) : openInlineFollower(file, mode, telling)
  const recover = () => recoverDesk(file, sources.now(), given.forgetAfterMs)
  const close = (desk: Desk) => desk.markets.source?.close()
  const [shards, follower, desk] = await openTogether([opening, openFollower()], recover, close)
  for (const [account, { cash, held }] of desk.ledger.accounts()) shards.balances.set(account, cash, held)
  shards.routeBy(code => desk.markets.shardKeyOf(code as MarketCode))
  const { fresh } = desk
  desk.leads = !follows
  following = new Following(follower, {
    reached: end.sequence,
    atOnce: !threads,
    watch: () => sources.watch(),
    onReached: sequence => fresh.reached(sequence),
    fail,
  })
  const readers = await Readers.open({ ...options, fresh, tables: following, forgotten: desk.markets.source })
  readers.days.begin(desk.markets.allInMemory(), sources.now())
  return { options, desk, readers, shards, following, clock, endedAt: end.at }
}
