import { assert } from '../assert.js'
import type { Side } from '../order.js'
import type { PositionPosting } from '../postings.js'
import { SparseMap } from '../sparse-map.js'
import type { AccountNumber, QuantityLots } from '../units.js'
import { lots } from '../units.js'

/** Contracts of one user in one market, in lots; `…InFlight` are locked for orders not yet decided. */
export interface Position {
  yes: number
  no: number
  yesLocked: number
  noLocked: number
  paid: number
  yesInFlight: number
  noInFlight: number
}

type Stored = Omit<PositionPosting, 'market' | 'account'>

/** All positions of one market, and their totals. */
export class Holdings {
  readonly #byAccount = new SparseMap<AccountNumber, Position>()
  /** Positions that ended with the market and are on disk only. */
  #endedCount = 0
  #makersCount = 0
  yes = 0
  no = 0
  paid = 0

  /** The number of positions, empty ones included, without those of the house. */
  get size(): number {
    return this.#byAccount.size - this.#makersCount + this.#endedCount
  }

  /** True if there are positions, even empty ones, in memory. */
  get isHeld(): boolean {
    return this.#byAccount.size > 0
  }

  /** Adds the position of an account of the house, unless it is there. */
  addMaker(account: AccountNumber): void {
    this.position(account)
    this.#makersCount++
  }

  /** Forgets all positions of a market that has paid them, but their number and totals. */
  end(): void {
    for (const position of this.#byAccount.values()) assertEnded(position)
    this.#endedCount = this.size
    this.#makersCount = 0
    this.#byAccount.clear()
  }

  /** Counts positions that ended before. What they have put in is the fees: the market has paid the rest. */
  restoreEnded(count: number, fees: number): void {
    this.#endedCount += count
    this.paid += fees
  }

  accounts(): Iterable<AccountNumber> {
    return this.#byAccount.keys()
  }

  known(account: AccountNumber): Position | undefined {
    return this.#byAccount.get(account)
  }

  /** Returns a position; a new one if there is none. */
  position(account: AccountNumber): Position {
    let position = this.#byAccount.get(account)
    if (position === undefined) {
      position = { yes: 0, no: 0, yesLocked: 0, noLocked: 0, paid: 0, yesInFlight: 0, noInFlight: 0 }
      this.#byAccount.set(account, position)
    }
    return position
  }

  /** Adds a stored position. */
  restore(account: AccountNumber, { yes, no, yesLocked, noLocked, paid }: Stored): void {
    Object.assign(this.position(account), { yes, no, yesLocked, noLocked, paid })
    this.#addToTotals(yes, no, paid)
  }

  /** Applies a committed posting; returns the position after it. */
  post({ account, yes, no, yesLocked, noLocked, paid }: PositionPosting): Position {
    const position = this.position(account)
    position.yes += yes
    position.no += no
    position.yesLocked += yesLocked
    position.noLocked += noLocked
    position.paid += paid
    assertPosition(position)
    this.#addToTotals(yes, no, paid)
    return position
  }

  #addToTotals(yes: number, no: number, paid: number): void {
    this.yes += yes
    this.no += no
    this.paid += paid
  }
}

/** Returns the contracts of an outcome that no order has locked. */
export function freeOf(position: Position, outcome: Side): QuantityLots {
  return outcome === 'yes'
    ? lots(position.yes - position.yesLocked - position.yesInFlight)
    : lots(position.no - position.noLocked - position.noInFlight)
}

/** Returns the field of the locks in flight of an outcome. */
export function inFlight(outcome: Side): 'yesInFlight' | 'noInFlight' {
  return outcome === 'yes' ? 'yesInFlight' : 'noInFlight'
}

function assertEnded({ yes, no, yesInFlight, noInFlight }: Position): void {
  assert(yes === 0 && no === 0, 'a market that has paid has no contracts')
  assert(yesInFlight === 0 && noInFlight === 0, 'a market that has paid has no locks in flight')
}

function assertPosition(position: Position): void {
  assert(position.yesLocked >= 0 && position.noLocked >= 0, 'locks are never negative')
  assert(position.yesLocked <= position.yes, 'locked YES contracts are owned')
  assert(position.noLocked <= position.no, 'locked NO contracts are owned')
}
