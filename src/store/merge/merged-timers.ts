import type { OrderTimer, TimerCommand } from '../../core/order-timer.js'
import { timerAfter } from '../../core/order-timer.js'
import type { AccountNumber } from '../../core/units.js'
import type { Database } from '../database.js'
import { TimerRows } from '../rows/timer-rows.js'
import { RowBuffer } from './row-buffer.js'

/** The users' timers: one row for each user who has ever set one. */
export class MergedTimers {
  readonly #stored: TimerRows
  readonly #rows: RowBuffer
  readonly #changed = new Map<AccountNumber, OrderTimer>()

  constructor(database: Database) {
    this.#stored = new TimerRows(database)
    this.#rows = new RowBuffer(database, 'timers', { width: 4, conflict: 'REPLACE' })
  }

  take(command: TimerCommand): void {
    const { account } = command
    const before = this.#changed.get(account) ?? this.#stored.find(account)
    this.#changed.set(account, timerAfter(before, command))
  }

  flush(): void {
    for (const [account, { endsAt, markets, fired }] of this.#changed) {
      const ofMarkets = markets === undefined ? null : JSON.stringify(markets)
      this.#rows.add(account, endsAt ?? null, ofMarkets, JSON.stringify(fired))
    }
    this.#changed.clear()
    this.#rows.flush()
  }
}
