import type { Following } from '../follower/following.js'
import type { ReplicaLink } from '../shard/replica-link.js'
import type { ShardPool } from '../shard/shard-pool.js'
import { sealIdleFile } from '../store/database.js'
import { journalPath } from '../store/files/journal-path.js'
import type { MarketLife } from './markets/market-life.js'
import type { Backups } from './operations/backups.js'
import type { ArrivalLane } from './orders/arrival-lane.js'
import type { OrderTimers } from './orders/order-timers.js'
import type { Readers } from './reads/readers.js'
import type { Seasons } from './seasons/seasons.js'
import type { Standby } from './standby/standby.js'

interface ShutdownParts {
  readonly file: string
  readonly readers: Readers
  readonly lane: ArrivalLane
  readonly life: MarketLife
  readonly timers: OrderTimers
  readonly seasons: Seasons
  readonly standby: Standby
  readonly shards: ShardPool
  readonly following: Following
  readonly backups: Backups
  /** The log of an exchange that leads. */
  readonly replica: Pick<ReplicaLink, 'release'> | undefined
}

/** Ends the work of an exchange, from its doors to its files. */
export class Shutdown {
  readonly #parts: ShutdownParts

  constructor(parts: ShutdownParts) {
    this.#parts = parts
  }

  /** Waits until everything queued is committed, applied and in the tables. */
  async drain(): Promise<void> {
    const { readers, lane, timers, seasons, standby, shards, following } = this.#parts
    await readers.lookups.drain()
    await lane.drain()
    await timers.drain()
    await seasons.drain()
    await standby.drain()
    await shards.drain()
    await following.drain()
  }

  /** Finishes queued work, stops the threads, seals the files, and waits at most 20 s for a backup. */
  async close(): Promise<void> {
    const { life, timers, seasons, backups, shards, following, readers, replica } = this.#parts
    life.stop()
    timers.stop()
    seasons.stop()
    backups.stop()
    await this.drain()
    await shards.close()
    // A standby need not wait for a backup that is being made here.
    const released = replica?.release()
    await following.close()
    await readers.close()
    this.#seal()
    await backups.close()
    // A copy may have read them until now.
    this.#seal()
    await released
  }

  #seal(): void {
    const { file } = this.#parts
    for (const path of [journalPath(file), file]) sealIdleFile(path)
  }
}
