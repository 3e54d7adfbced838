import { RaayError } from './raay-error.js'
import type { Balance, Fill, Order, Position, UserMessage } from './shapes.js'
import type { Channel, ChannelData } from './socket/server-message.js'
import { UserState } from './user-state.js'
import type { Listener } from './watch.js'
import { Watch } from './watch.js'

interface UserChannelOptions {
  /** Undefined until the exchange has said whose token it is. */
  readonly userid: string | undefined
  /** Fetches the number of the user's last message, 0 if there is none, undefined if the answer omits it. */
  readonly fetchSeq: () => Promise<number | undefined>
  /** Fetches all open orders of the user. */
  readonly fetchOpenOrders: () => Promise<readonly Order[]>
  /** Called when the channel may have become live, or stopped being so. */
  onChange(): void
  /** Called when the channel is of no more use: its last watch has ended, or an error ends them all. */
  onIdle(): void
}

/** One user's channel: their orders, fills, balance and positions. */
export class UserChannel implements Channel {
  readonly topic = 'user'
  #userid: string
  readonly #options: UserChannelOptions
  readonly #state = new UserState()
  readonly #orders = new Set<Watch<Order, readonly Order[]>>()
  readonly #fills = new Set<Watch<Fill, never>>()
  readonly #balances = new Set<Watch<Balance>>()
  readonly #positions = new Set<Watch<readonly Position[]>>()
  readonly #messages = new Set<Watch<UserMessage, number>>()
  #isSynced = false
  /** Counts the subscriptions: an answer fetched for one is useless after the next. */
  #round = 0
  /** Set after subscribing from a position: an exchange that is behind it starts over. */
  #mayStartOver = false
  /** Message to reach before the channel is live; undefined while unknown. */
  #head: number | undefined

  constructor(options: UserChannelOptions) {
    this.#options = options
    this.#userid = options.userid ?? ''
  }

  get key(): string {
    return this.#userid
  }

  get address(): string {
    return `user_${this.#userid}`
  }

  /** Sets the user, before the channel is subscribed to. */
  name(userid: string): void {
    this.#userid = userid
  }

  get seq(): number | undefined {
    return this.#state.seq
  }

  get isLive(): boolean {
    const { seq, isWhole } = this.#state
    return this.#isSynced && isWhole && seq !== undefined && this.#head !== undefined && seq >= this.#head
  }

  watchOrders(listener?: Listener<Order>): Watch<Order, readonly Order[]> {
    return this.#watch(this.#orders, 'each', () => this.#state.orders, listener)
  }

  watchFills(listener?: Listener<Fill>): Watch<Fill, never> {
    return this.#watch(this.#fills, 'each', () => undefined, listener)
  }

  watchMessages(listener?: Listener<UserMessage>): Watch<UserMessage, number> {
    return this.#watch(this.#messages, 'each', () => this.#state.seq, listener)
  }

  watchBalance(listener?: Listener<Balance>): Watch<Balance> {
    const watch = this.#watch(this.#balances, 'latest', () => this.#state.balance, listener)
    this.#tellBalance([watch])
    return watch
  }

  watchPositions(listener?: Listener<readonly Position[]>): Watch<readonly Position[]> {
    const watch = this.#watch(this.#positions, 'latest', () => this.#state.positions, listener)
    this.#tellPositions([watch])
    return watch
  }

  take(data: ChannelData): boolean {
    const message = data as UserMessage
    const { seq } = this.#state
    if (message.type === 'snapshot') {
      if (seq !== undefined && !this.#mayStartOver) return true
    } else {
      // Before the first snapshot only leftovers of an earlier subscription arrive; after it, only repeats.
      if (seq === undefined || message.user_seq <= seq) return true
      if (message.user_seq !== seq + 1) return false
    }
    this.#mayStartOver = false
    this.#state.apply(message)
    for (const watch of this.#messages) watch.tell(message)
    if (message.type === 'snapshot') this.#restarted(message.more_orders)
    else if (message.type === 'order') for (const watch of this.#orders) watch.tell(message.order)
    if (message.type === 'fill') for (const watch of this.#fills) watch.tell(message.fill)
    if (message.type === 'balance') this.#tellBalance(this.#balances)
    if (message.type === 'position') this.#tellPositions(this.#positions)
    this.#begin()
    return true
  }

  subscribed(): void {
    this.#round++
    this.#isSynced = true
    this.#head = undefined
    // A long backlog is read from the disk. A snapshot states its own position.
    if (this.seq === undefined) return
    this.#mayStartOver = true
    void this.#find(this.#options.fetchSeq, seq => {
      this.#head = seq ?? 0
    })
    if (!this.#state.isWhole) this.#findOlder()
  }

  cut(): void {
    this.#round++
    this.#isSynced = false
  }

  close(): void {
    for (const watch of this.#watches()) watch.close()
  }

  fail(error: RaayError): void {
    // Before any listener hears of it: one that watches again needs a channel that is alive.
    this.#options.onIdle()
    for (const watch of this.#watches()) watch.fail(error)
  }

  #restarted(hasMore: boolean): void {
    this.#round++
    this.#isSynced = true
    this.#head = this.seq
    this.#tellBalance(this.#balances)
    this.#tellPositions(this.#positions)
    if (hasMore) this.#findOlder()
  }

  #findOlder(): void {
    void this.#find(this.#options.fetchOpenOrders, orders => this.#state.addOlder(orders))
  }

  /** Fetches something, repeating until it arrives or is no longer needed. */
  async #find<T>(fetchIt: () => Promise<T>, use: (found: T) => void): Promise<void> {
    const round = this.#round
    while (round === this.#round) {
      try {
        const found = await fetchIt()
        if (round !== this.#round) return
        use(found)
        this.#begin()
        this.#options.onChange()
        return
      } catch (error) {
        if (round !== this.#round) return
        // Requested several times already, with longer and longer pauses: giving up is all that remains.
        if (!(error instanceof RaayError && error.retryable)) return this.fail(error as RaayError)
      }
    }
  }

  #begin(): void {
    if (this.isLive) for (const watch of this.#watches()) watch.begin()
  }

  #tellBalance(watches: Iterable<Watch<Balance>>): void {
    const { balance } = this.#state
    if (balance !== undefined) for (const watch of watches) watch.tell(balance)
  }

  #tellPositions(watches: Iterable<Watch<readonly Position[]>>): void {
    const { positions } = this.#state
    if (positions !== undefined) for (const watch of watches) watch.tell(positions)
  }

  #watches() {
    return [...this.#orders, ...this.#fills, ...this.#balances, ...this.#positions, ...this.#messages]
  }

  #watch<Update, State>(
    watches: Set<Watch<Update, State>>,
    keeps: 'each' | 'latest',
    state: () => State | undefined,
    listener: Listener<Update> | undefined,
  ): Watch<Update, State> {
    const onClose = () => {
      watches.delete(watch)
      if (this.#watches().length === 0) this.#options.onIdle()
    }
    const watch = new Watch<Update, State>({ keeps, listener, state, onClose })
    watches.add(watch)
    if (this.isLive) watch.begin()
    return watch
  }
}
