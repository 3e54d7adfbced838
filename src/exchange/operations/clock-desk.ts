import type { By } from '../../core/command.js'
import { EXTERNAL } from '../../core/ledger.js'
import type { WriteBusy } from '../capacity.js'
import type { CommandParts } from '../command-parts.js'
import { signed } from '../send-to-market.js'
import type { ClockReading, TrustedClock } from './trusted-clock.js'

/** A jump that the exchange has followed. */
export interface ConfirmedJump {
  /** How far the clock was ahead of the exchange. */
  readonly aheadMs: number
}

/** Shows how far the clock is trusted, and lets an operator confirm a jump. */
export class ClockDesk {
  readonly #parts: CommandParts
  readonly #clock: TrustedClock
  readonly #advance: () => void

  /** @param advance sends what is due by the clock */
  constructor(parts: CommandParts, clock: TrustedClock, advance: () => void) {
    this.#parts = parts
    this.#clock = clock
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
    const { desk, shards, sources } = this.#parts
    const { heldSince, aheadMs } = this.#clock.read()
    if (heldSince === undefined) return 'clock_trusted'
    if (desk.endingRefusal !== undefined) return desk.endingRefusal

    // After this point the confirmation is made, whether or not the clock comes back meanwhile.
    const signature = by === undefined ? undefined : { ...by, fields: { ahead_ms: aheadMs } }
    const id = sources.messageId()
    await shards.submit(EXTERNAL, { type: 'CONFIRM_CLOCK', id, aheadMs, ...signed(signature) })
    this.#clock.confirm()
    this.#advance()
    return { aheadMs }
  }
}
