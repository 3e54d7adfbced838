import type { Sequence } from '../../core/units.js'
import type { Following, FollowingLoad } from '../../follower/following.js'
import type { ShardLoad } from '../../shard/shard.js'
import type { ShardPool } from '../../shard/shard-pool.js'
import type { FileBytes } from '../../store/files/file-bytes.js'
import { fileBytes } from '../../store/files/file-bytes.js'
import type { Room } from '../../store/room-state.js'
import type { Desk } from '../desk.js'
import type { History } from '../reads/history.js'
import type { ReadLoad } from '../reads/read-lane.js'
import type { Readers } from '../reads/readers.js'
import type { AppliedBatches } from '../reads/applied-batches.js'
import type { Sources } from '../sources.js'
import type { NewestBackups } from './backup-newest.js'
import type { Backups } from './backups.js'
import type { ClockDesk } from './clock-desk.js'
import type { MeterReading, OrderMeter } from './order-meter.js'
import type { ClockReading } from './trusted-clock.js'

/** The current state of the exchange. */
export interface Health {
  readonly orders: MeterReading
  readonly shards: readonly ShardLoad[]
  /** The read queues. */
  readonly reads: ReturnType<History['loads']> & { readonly lookups: ReadLoad }
  readonly users: number
  readonly markets: number
  readonly openOrders: number
  readonly file: FileBytes
  readonly disk: Room
  readonly clock: ClockReading
  readonly backups: NewestBackups & { readonly verifying: string | undefined }
  /** The last batch that memory includes. */
  readonly sequence: Sequence
  readonly tables: FollowingLoad
}

/** The parts of an exchange from which its health is read. */
interface HealthParts {
  readonly desk: Desk
  readonly shards: ShardPool
  readonly readers: Readers
  readonly following: Following
  readonly applied: AppliedBatches
  readonly meter: OrderMeter
  readonly sources: Sources
  readonly backups: Backups
  readonly clock: ClockDesk
  /** The path of the database file. */
  readonly file: string
}

/** Reports health from memory and file sizes alone, cheap enough for every second. */
export class HealthReport {
  readonly #parts: HealthParts
  #sizes: FileBytes = { database: 0, wal: 0, journal: 0, journalWal: 0, archive: 0 }

  constructor(parts: HealthParts) {
    this.#parts = parts
  }

  async look(): Promise<Health> {
    const { desk, shards, following, applied, meter, sources, backups, clock } = this.#parts
    const { history, lookups } = this.#parts.readers
    const [file, newest] = await Promise.all([this.#sizesNow(), backups.newest.look()])
    return {
      orders: meter.read(sources.watch()),
      shards: shards.loads(),
      reads: { ...history.loads(), lookups: lookups.load },
      users: desk.users.count,
      markets: desk.markets.length,
      openOrders: desk.ownOrders.length,
      file,
      disk: desk.room,
      clock: clock.read(),
      backups: { ...newest, verifying: backups.verifying },
      sequence: applied.last,
      tables: following.load,
    }
  }

  /** Returns the last sizes if the system gives none: a failing disk is when health is asked for. */
  async #sizesNow(): Promise<FileBytes> {
    try {
      this.#sizes = await fileBytes(this.#parts.file)
    } catch {
      // The disk is judged by what fails to be written.
    }
    return this.#sizes
  }
}
