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

/** Reports health from memory and file sizes alone, cheap enough for every second. */
export class HealthReport {
  readonly #desk: Desk
  readonly #shards: ShardPool
  readonly #readers: Readers
  readonly #following: Following
  readonly #meter: OrderMeter
  readonly #sources: Sources
  readonly #backups: Backups
  readonly #clock: ClockDesk
  readonly #file: string
  #sequence: Sequence

  constructor(
    desk: Desk,
    shards: ShardPool,
    readers: Readers,
    following: Following,
    meter: OrderMeter,
    sources: Sources,
    backups: Backups,
    clock: ClockDesk,
    file: string,
  ) {
    this.#desk = desk
    this.#shards = shards
    this.#readers = readers
    this.#following = following
    this.#meter = meter
    this.#sources = sources
    this.#backups = backups
    this.#clock = clock
    this.#file = file
    this.#sequence = shards.lastSequence
  }

  /** Counts an applied batch. */
  settled(sequence: Sequence): void {
    this.#sequence = sequence
  }

  async look(): Promise<Health> {
    const { history, lookups } = this.#readers
    const [file, newest] = await Promise.all([fileBytes(this.#file), this.#backups.newest.look()])
    const markets = [...this.#desk.markets.all()]
    return {
      orders: this.#meter.read(this.#sources.watch()),
      shards: this.#shards.loads(),
      reads: { ...history.loads(), lookups: lookups.load },
      users: this.#desk.users.count,
      markets: markets.length,
      openOrders: markets.reduce((sum, { openOrders }) => sum + openOrders.size, 0),
      file,
      disk: this.#desk.room,
      clock: this.#clock.read(),
      backups: { ...newest, verifying: this.#backups.verifying },
      sequence: this.#sequence,
      tables: this.#following.load,
    }
  }
}
