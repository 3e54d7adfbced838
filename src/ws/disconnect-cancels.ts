import { setImmediate } from 'node:timers/promises'
import { REFUSED } from '../api/refusal-texts.js'
import type { OrderRecord } from '../core/order-record.js'
import type { MarketCode } from '../core/units.js'
import type { Exchange } from '../exchange/exchange.js'
import type { Budget } from './budget.js'
import type { Refused } from './connection.js'
import type { Connection } from './connection.js'
import type { MessageRequest } from './message-handler.js'

const NO_EVENT: Refused = { code: 404, message: REFUSED.eventNotFound, reason: 'event_not_found' }
/** Before every arrival: orders read back at the start have number 0. */
const NONE = -1

/**
 * The orders to cancel of a user whose connections have ended: of each event, or of all, up to an arrival.
 * Those that arrived later stay.
 */
interface Due {
  all: number
  readonly markets: Map<MarketCode, number>
}

/** The events whose orders are cancelled; undefined for all. */
interface CancelSet {
  readonly events: readonly string[] | undefined
}

/** Needed to cancel orders. */
export interface CancelParts {
  readonly exchange: Pick<Exchange, 'cancelOrders' | 'lastArrival' | 'marketWritten'>
  readonly budget: Budget
}

/**
 * Cancels the open orders of users whose connections have ended, where they asked for it: one user after the
 * other, a turn of the event loop each. What finds no room in the queue is cancelled later. When the exchange
 * stops, the orders stay.
 */
export class DisconnectCancels {
  readonly #parts: CancelParts
  /** By user, so that users who come and go leave one entry each. */
  readonly #due = new Map<string, Due>()
  /** Those for whose orders there was no room. */
  readonly #late = new Map<string, Due>()
  #isRunning = false
  #hasStopped = false

  constructor(parts: CancelParts) {
    this.#parts = parts
  }

  /** The users whose orders are still to be cancelled. */
  get waitingCount(): number {
    return this.#due.size + this.#late.size + (this.#isRunning ? 1 : 0)
  }

  /** Handles a message that sets what is cancelled. It replaces the setting before; no events end it. */
  set({ connection, id, userId, data: { events } }: MessageRequest<CancelSet>): void {
    const { budget, exchange } = this.#parts
    const markets = events?.map(code => exchange.marketWritten(code)?.terms.code)
    if (markets?.includes(undefined)) {
      budget.refuse(connection, id, NO_EVENT)
      return
    }
    const known = markets === undefined ? undefined : new Set(markets.filter(code => code !== undefined))
    connection.cancelSetting = known?.size === 0 ? undefined : { userId, markets: known }
    const data = { userid: userId, events: known === undefined ? null : [...known].map(String) }
    connection.answer({ event: 'cancel_on_disconnect_set', data, id })
  }

  /** Cancels the orders of a connection that has ended. */
  begin({ cancelSetting }: Connection): void {
    if (cancelSetting === undefined || this.#hasStopped) return
    const { userId, markets } = cancelSetting
    const { lastArrival } = this.#parts.exchange
    const due: Due =
      markets === undefined
        ? { all: lastArrival, markets: new Map() }
        : { all: NONE, markets: new Map([...markets].map(market => [market, lastArrival])) }
    note(this.#due, userId, due)
    void this.#run()
  }

  /** Tries again where there was no room. */
  beat(): void {
    if (this.#late.size === 0) return
    for (const [userId, due] of this.#late) note(this.#due, userId, due)
    this.#late.clear()
    void this.#run()
  }

  /** Cancels nothing more. */
  stop(): void {
    this.#hasStopped = true
    this.#due.clear()
    this.#late.clear()
  }

  async #run(): Promise<void> {
    if (this.#isRunning) return
    this.#isRunning = true
    for (const [userId, due] of this.#due) {
      this.#due.delete(userId)
      const isDone = await this.#cancel(userId, due)
      if (!isDone && !this.#hasStopped) note(this.#late, userId, due)
      await setImmediate()
    }
    this.#isRunning = false
  }

  /** Resolves to false if there was no room for some. */
  async #cancel(userId: string, { all, markets }: Due): Promise<boolean> {
    const { exchange } = this.#parts
    const fits = ({ market, arrival }: OrderRecord) => arrival <= Math.max(all, markets.get(market) ?? NONE)
    // An exchange that fails says so itself.
    const cancelled = await exchange
      .cancelOrders(userId, undefined, fits, 'user_disconnected')
      .catch(() => 'busy' as const)
    return typeof cancelled === 'object' && cancelled.openCount === 0
  }
}

/** Adds what is to be cancelled of a user to what already is. */
function note(dues: Map<string, Due>, userId: string, due: Due): void {
  const known = dues.get(userId)
  if (known === undefined) {
    dues.set(userId, due)
    return
  }
  known.all = Math.max(known.all, due.all)
  for (const [market, arrival] of due.markets) {
    known.markets.set(market, Math.max(arrival, known.markets.get(market) ?? NONE))
  }
}
