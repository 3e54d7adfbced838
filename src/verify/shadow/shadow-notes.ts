import type { Command } from '../../core/command.js'
import type { Epoch } from '../../core/epoch.js'
import { epochFault, FIRST_EPOCH } from '../../core/epoch.js'
import type { OrderTimer } from '../../core/order-timer.js'
import { timerAfter } from '../../core/order-timer.js'
import type { Season } from '../../core/season.js'
import { isForSeason, seasonAfter } from '../../core/season.js'
import type { TimeMs } from '../../core/units.js'

/** Timers, seasons and epochs: they change neither a book nor an account. */
export class ShadowNotes {
  /** By account. */
  readonly timers = new Map<number, OrderTimer>()
  /** By number. */
  readonly seasons = new Map<number, Season>()
  #epoch: Epoch = FIRST_EPOCH

  take(command: Command, at: TimeMs): void {
    if (command.type === 'SET_TIMER' || command.type === 'FIRE_TIMER') {
      this.timers.set(command.account, timerAfter(this.timers.get(command.account), command))
    } else if (isForSeason(command)) {
      this.seasons.set(command.season, seasonAfter(this.seasons.get(command.season), command, at))
    } else if (command.type === 'BEGIN_EPOCH') {
      const fault = epochFault(this.#epoch, command)
      if (fault !== undefined) throw new Error(fault)
      this.#epoch = command
    }
  }
}
