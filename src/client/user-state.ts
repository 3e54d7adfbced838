import type { Balance, Order, OrderState, Position, UserMessage } from './shapes.js'

const OPEN: ReadonlySet<OrderState> = new Set<OrderState>(['queued', 'resting', 'partially_filled'])

/** A user's orders, balance and positions as of message `seq` of their channel. */
export class UserState {
  #seq: number | undefined
  #balance: Balance | undefined
  /** Oldest first. */
  #orders = new Map<string, Order>()
  readonly #positions = new Map<string, Position>()
  /**
   * Orders reported since the snapshot, while older ones are awaited: for these the channel is more recent.
   */
  #told: Set<string> | undefined

  get seq(): number | undefined {
    return this.#seq
  }

  get balance(): Balance | undefined {
    return this.#balance
  }

  /** True if all open orders are here. */
  get isWhole(): boolean {
    return this.#told === undefined
  }

  /** Open orders, newest first; undefined before the first snapshot. */
  get orders(): readonly Order[] | undefined {
    return this.#seq === undefined ? undefined : [...this.#orders.values()].reverse()
  }

  /** Positions with contracts, by event; undefined before the first snapshot. */
  get positions(): readonly Position[] | undefined {
    if (this.#seq === undefined) return undefined
    return [...this.#positions.values()].sort((a, b) => (a.event_id < b.event_id ? -1 : 1))
  }

  apply(message: UserMessage): void {
    this.#seq = message.user_seq
    switch (message.type) {
      case 'snapshot':
        this.#orders = new Map(message.orders.toReversed().map(order => [order.id, order]))
        this.#positions.clear()
        for (const position of message.positions) this.#positions.set(position.event_id, position)
        this.#balance = message.balance ?? undefined
        this.#told = message.more_orders ? new Set() : undefined
        return
      case 'order':
        this.#told?.add(message.order.id)
        if (OPEN.has(message.order.state)) this.#orders.set(message.order.id, message.order)
        else this.#orders.delete(message.order.id)
        return
      case 'position':
        if (isNothing(message.position)) this.#positions.delete(message.position.event_id)
        else this.#positions.set(message.position.event_id, message.position)
        return
      case 'balance':
        this.#balance = message.balance
        return
      case 'fill':
    }
  }

  /** Adds open orders that the snapshot had no room for, newest first; some of its own may be among them. */
  addOlder(orders: readonly Order[]): void {
    const told = this.#told
    if (told === undefined) return
    const all = orders.filter(({ id }) => !told.has(id)).toReversed()
    const newer = [...this.#orders.values()].filter(({ id }) => told.has(id))
    this.#orders = new Map([...all, ...newer].map(order => [order.id, order]))
    this.#told = undefined
  }
}

function isNothing({ yes, no, yes_locked, no_locked }: Position): boolean {
  return yes === 0 && no === 0 && yes_locked === 0 && no_locked === 0
}
