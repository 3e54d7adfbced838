import type { AccountNumber, MarketCode, OrderNumber, TimeMs } from './units.js'

/** Sets a user's timer in place of the one before. Changes neither a book nor an account. */
export interface SetTimer {
  readonly type: 'SET_TIMER'
  readonly id: string
  readonly account: AccountNumber
  /** Absent to switch it off. */
  readonly endsAt?: TimeMs
  /** The markets whose orders it cancels; absent for all. */
  readonly markets?: readonly MarketCode[]
}

/** Ends a user's timer; the commands that cancel the orders follow. */
export interface FireTimer {
  readonly type: 'FIRE_TIMER'
  readonly id: string
  readonly account: AccountNumber
  /** The last order to cancel in each market where the user has any; later orders stay. */
  readonly upTo: readonly LastOrder[]
}

/** A market, and the number of the last order in it that a timer cancels. */
export type LastOrder = readonly [market: MarketCode, number: OrderNumber]

export type TimerCommand = SetTimer | FireTimer

/** A user's timer, as its commands leave it. */
export interface OrderTimer {
  /** Undefined while it is off. */
  readonly endsAt: TimeMs | undefined
  /** Undefined for all markets. */
  readonly markets: readonly MarketCode[] | undefined
  /** The orders that it was to cancel when it last fired; those that are open still have to end. */
  readonly fired: readonly LastOrder[]
}

/** Returns a user's timer after a command. */
export function timerAfter(before: OrderTimer | undefined, command: TimerCommand): OrderTimer {
  if (command.type === 'FIRE_TIMER') return { endsAt: undefined, markets: undefined, fired: command.upTo }
  const { endsAt, markets } = command
  return { endsAt, markets, fired: before?.fired ?? [] }
}
