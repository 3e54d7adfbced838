import type { By } from '../../core/command.js'
import { EXTERNAL } from '../../core/ledger.js'
import type { ShardPool } from '../../shard/shard-pool.js'
import type { WriteBusy } from '../capacity.js'
import type { Desk } from '../desk.js'
import { signed } from '../send-to-market.js'
import type { Sources } from '../sources.js'
import type { ClockReading, TrustedClock } from './trusted-clock.js'

/** A jump that the exchange has followed. */
export interface ConfirmedJump {
  /** How far the clock was ahead of the exchange. */
  readonly aheadMs: number
}

/** Shows how far the clock is trusted, and lets an operator confirm a jump. */
export class ClockDesk {
  readonly #clock: TrustedClock
  readonly #desk: Desk
  readonly #shards: ShardPool
  readonly #sources: Sources
  readonly #advance: () => void

  /** @param advance sends what is due by the clock */
  constructor(clock: TrustedClock, desk: Desk, shards: ShardPool, sources: Sources, advance: () => void) {
    this.#clock = clock
    this.#desk = desk
    this.#shards = shards
    this.#sources = sources
    this.#advance = advance
  }

  read(): ClockReading {
    return this.#clock.read()
  }

  /**
   * Notes in the journal who confirmed the clock, then follows it and sends what is due. Refuses while the
   * clock is followed.
   */
  async confirm(by?: By): Promise<ConfirmedJump | 'clock_trusted' | WriteBusy> {
    const { heldSince, aheadMs } = this.#clock.read()
    if (heldSince === undefined) return 'clock_trusted'
    if (this.#desk.endingRefusal !== undefined) return this.#desk.endingRefusal

    // After this point the confirmation is made, whether or not the clock comes back meanwhile.
    const signature = by === undefined ? undefined : { ...by, fields: { ahead_ms: aheadMs } }
    const id = this.#sources.messageId()
    await this.#shards.submit(EXTERNAL, { type: 'CONFIRM_CLOCK', id, aheadMs, ...signed(signature) })
    this.#clock.confirm()
    this.#advance()
    return { aheadMs }
  }
}
