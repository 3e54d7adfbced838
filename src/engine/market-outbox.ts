import type { CreateOrder } from '../core/command.js'
import type { EngineEvent, Fill, OrderChange, Settlement } from '../core/engine-event.js'
import type { EditOutcome } from '../core/market-edit.js'
import type { CancelReason, Refusal } from '../core/order.js'
import type { AccountNumber, Amount, MarketCode, OrderNumber, QuantityLots } from '../core/units.js'
import { amount, lots, NO_LOTS, NOTHING, times } from '../core/units.js'

type DistributeOmit<T, Key extends PropertyKey> = T extends unknown ? Omit<T, Key> : never
/** An event before it gets its number on the channel. */
export type EventBody = DistributeOmit<EngineEvent, 'market' | 'seq'>

/** Everything collected for one market in a batch. */
export interface OutboxContents {
  readonly events: EngineEvent[]
  readonly orders: OrderChange[]
  readonly settlements: Settlement[]
  readonly edits: EditOutcome[]
}

interface Collected extends Omit<OutboxContents, 'orders'> {
  readonly orders: Map<OrderNumber, OrderChange>
}

/** Collects one market's output of the current batch: messages in order, and the change of each order. */
export class MarketOutbox {
  readonly #market: MarketCode
  #seq: number
  /** Undefined for a market that the batch has not changed. */
  #batch: Collected | undefined

  constructor(market: MarketCode, seq: number) {
    this.#market = market
    this.#seq = seq
  }

  /** The last message number of the channel. */
  get seq(): number {
    return this.#seq
  }

  emit(body: EventBody): void {
    this.#seq++
    this.#collected().events.push({ market: this.#market, seq: this.#seq, ...body } as EngineEvent)
  }

  /** Reports an order that was taken, and what it filled. */
  placed({ number, account, data }: CreateOrder, executed: QuantityLots, fills: readonly Fill[]): void {
    this.emit({ type: 'order_placed', order: number, executed, fills })
    if (fills.length === 0) return
    this.emit({ type: 'traded', taker: number, takerOwner: account, takerSide: data.side, fills })
  }

  settled(settlement: Settlement): void {
    this.#collected().settlements.push(settlement)
  }

  edited(edit: EditOutcome): void {
    this.#collected().edits.push(edit)
  }

  /** Returns the change of an order in the batch so far; creates it if there is none. */
  order(number: OrderNumber, account: AccountNumber): OrderChange {
    const { orders } = this.#collected()
    const known = orders.get(number)
    if (known !== undefined) return known
    const change: OrderChange = {
      market: this.#market,
      number,
      account,
      filled: NO_LOTS,
      filledValue: NOTHING,
      reduced: NO_LOTS,
      covered: NO_LOTS,
      fee: NOTHING,
      feeCredit: 0,
      state: undefined,
      reason: undefined,
    }
    orders.set(number, change)
    return change
  }

  filled(change: OrderChange, { price, quantity }: Fill, fee: Amount): void {
    change.filled = lots(change.filled + quantity)
    change.filledValue = amount(change.filledValue + times(price, quantity))
    change.fee = amount(change.fee + fee)
  }

  /** Reports that the open rest of an order was cancelled or expired. */
  cancelled(change: OrderChange, remaining: QuantityLots, reason: CancelReason): void {
    change.state = reason === 'order_expired' ? 'expired' : 'cancelled'
    change.reason = reason
    change.covered = NO_LOTS
    change.feeCredit = 0
    this.emit({ type: 'order_cancelled', order: change.number, remaining, reason })
  }

  rejected(order: OrderNumber, account: AccountNumber, reason: Refusal): void {
    const change = this.order(order, account)
    change.state = 'rejected'
    change.reason = reason
    this.emit({ type: 'order_rejected', order, reason })
  }

  /** Returns everything collected in the batch, and empties the outbox. */
  take(): OutboxContents {
    const { orders, ...lists } = this.#collected()
    this.#batch = undefined
    return { ...lists, orders: [...orders.values()] }
  }

  #collected(): Collected {
    this.#batch ??= { events: [], orders: new Map(), settlements: [], edits: [] }
    return this.#batch
  }
}
