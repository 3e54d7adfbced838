import type { Command } from '../core/command.js'
import type { TimeMs } from '../core/units.js'
import type { Following } from '../follower/following.js'
import type { BatchResult } from '../shard/batch-runner.js'
import type { Transfers } from './accounts/transfers.js'
import type { Applied, Desk } from './desk.js'
import type { Groups } from './groups/groups.js'
import type { HouseQuotes } from './house/house-quotes.js'
import type { MarketLife } from './markets/market-life.js'
import type { OrderTimers } from './orders/order-timers.js'
import type { PairMerging } from './pair-merging.js'
import type { Publication } from './publications.js'
import type { AppliedBatches } from './reads/applied-batches.js'
import type { PrivateChannels } from './reads/private-channels.js'
import { PaidPositions } from './standby/paid-positions.js'

interface EffectParts {
  readonly desk: Desk
  readonly following: Following
  readonly applied: AppliedBatches
  readonly transfers: Transfers
  readonly groups: Groups
  readonly pairs: PairMerging
  readonly life: MarketLife
  readonly house: HouseQuotes
  readonly timers: OrderTimers
  readonly userChannel: PrivateChannels
}

/** Applies committed batches: memory first, then the commands that follow from them, then messages. */
export class BatchEffects {
  readonly #parts: EffectParts
  readonly #listeners: ((publication: Publication) => void)[] = []
  readonly #paid: PaidPositions

  constructor(parts: EffectParts) {
    this.#parts = parts
    this.#paid = new PaidPositions(parts.desk)
  }

  /** Calls back with the channel messages of each batch and market, right after the commit. */
  onPublication(listener: (publication: Publication) => void): void {
    this.#listeners.push(listener)
  }

  /** Starts what a start goes on with, after a journal that ended at a time. */
  async begin(endedAt: TimeMs): Promise<void> {
    const { desk, pairs, life, house, timers } = this.#parts
    for (const market of [...desk.markets.allInMemory()]) {
      for (const [account] of desk.ledger.positions(market.terms.code)) pairs.merge(market, account)
      life.carryOn(market)
    }
    house.start()
    void house.funding.resume(endedAt)
    await timers.start()
  }

  /** The same for an exchange that follows another one, which goes on with all of that. */
  beginToFollow(): void {
    this.#paid.begin()
    this.#parts.house.forgetReturned()
    this.#parts.timers.forgetAll()
  }

  /** Applies a batch that this exchange has decided. */
  committed(commands: readonly Command[], result: BatchResult): void {
    const { desk, transfers, groups, pairs, life, house } = this.#parts
    const { outcome } = result
    const applied = desk.applyCommitted(commands, result)
    transfers.committed(applied.transfers)
    groups.committed(outcome.conversions)
    this.#note(commands, result)
    pairs.afterBatch(commands, outcome.positions)
    life.afterBatch(outcome)
    house.afterBatch(outcome)
    this.#publish(applied, result)
  }

  /** Applies a batch of another exchange, taken before: nobody here waits for it, and nothing follows. */
  followed(commands: readonly Command[], result: BatchResult): void {
    const { desk, house, timers } = this.#parts
    const applied = desk.applyCommitted(commands, result)
    this.#note(commands, result)
    this.#paid.afterBatch(commands, result.outcome)
    house.afterFollowed(result.outcome)
    timers.afterFollowed(commands)
    this.#publish(applied, result)
  }

  #note(commands: readonly Command[], { sequence, outcome }: BatchResult): void {
    const { following, applied } = this.#parts
    following.committed(sequence, commands.length, outcome)
    applied.applied(sequence)
  }

  #publish({ publications }: Applied, { updatedUsers }: BatchResult): void {
    for (const publication of publications) for (const listener of this.#listeners) listener(publication)
    this.#parts.userChannel.notify(updatedUsers)
  }
}
