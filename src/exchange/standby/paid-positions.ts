import type { Command } from '../../core/command.js'
import type { BatchOutcome } from '../../core/engine-event.js'
import { isOver } from '../../core/market.js'
import type { MarketCode } from '../../core/units.js'
import type { Desk } from '../desk.js'
import type { DeskMarket } from '../markets/desk-market.js'

/**
 * Forgets the positions of markets that another exchange has paid, so that the memory of one that follows it
 * keeps to what is live, too. The other one knows from its walk over the positions when it has paid them all;
 * here, those of a void market are counted once.
 */
export class PaidPositions {
  readonly #desk: Desk
  /** The positions left to pay, of void markets and groups. */
  readonly #left = new Map<MarketCode, number>()

  constructor(desk: Desk) {
    this.#desk = desk
  }

  /** Looks at everything in memory that is over; to be called once, at the start. */
  begin(): void {
    for (const market of this.#desk.markets.allInMemory())
      if (isOver(market.progress.status)) this.#look(market)
  }

  afterBatch(commands: readonly Command[], { markets }: Pick<BatchOutcome, 'markets'>): void {
    for (const command of commands) if (command.type === 'SETTLE_POSITIONS') this.#count(command)
    for (const { code, status } of markets) if (isOver(status)) this.#look(this.#desk.market(code))
  }

  #count({ market: code, positions }: Extract<Command, { type: 'SETTLE_POSITIONS' }>): void {
    const left = this.#left.get(code)
    if (left === undefined) return
    if (left > positions.length) this.#left.set(code, left - positions.length)
    else this.#end(code)
  }

  #look(market: DeskMarket): void {
    const { code } = market.terms
    if (market.progress.status === 'settled') this.#end(code)
    else this.#endIfPaid(code)
    const group = this.#desk.groups.of(market)
    if (group?.pool === undefined || !group.markets.every(({ progress }) => isOver(progress.status))) return
    if (group.isVoid) this.#endIfPaid(group.terms.code)
    else this.#end(group.terms.code)
  }

  /** Counts what is left to pay in a void market or group, unless that is known. */
  #endIfPaid(code: MarketCode): void {
    if (this.#left.has(code)) return
    let left = 0
    for (const [, { yes, no, paid }] of this.#desk.ledger.positions(code)) {
      if (yes > 0 || no > 0 || paid !== 0) left++
    }
    if (left > 0) this.#left.set(code, left)
    else this.#end(code)
  }

  #end(code: MarketCode): void {
    this.#left.delete(code)
    this.#desk.ledger.endPositions(code)
  }
}
