import type { Connection, LinkOptions } from './link.js'
import { Link } from './link.js'
import { MarketChannel } from './market-channel.js'
import type { Surroundings } from './platform.js'
import { closedError } from './raay-error.js'
import type { Channel } from './server-message.js'
import type { Order, Trade } from './shapes.js'
import { UserChannel } from './user-channel.js'
import { callSafely } from './watch.js'

/** HTTP requests by which channels fill in what they missed. */
interface Lookups {
  /** Fetches an event's trades, newest first, up to a number or to the first for which `isLast` is true. */
  fetchTrades(code: string, limit: number, isLast: (trade: Trade) => boolean): Promise<readonly Trade[]>
  /** Fetches the number of a user's last message, 0 if there is none. */
  fetchUserSeq(userid: string): Promise<number | undefined>
  fetchOpenOrders(userid: string): Promise<readonly Order[]>
}

/** All watches: a channel for each event and each user, sharing one link. */
export class Watches {
  readonly #lookups: Lookups
  readonly #link: Link
  readonly #channels = new Map<string, Channel>()
  readonly #listeners = new Set<(connection: Connection) => void>()
  #isClosed = false

  constructor(options: LinkOptions, around: Surroundings, lookups: Lookups) {
    this.#lookups = lookups
    this.#link = new Link(options, around, connection => {
      for (const tell of [...this.#listeners]) callSafely(() => tell(connection))
    })
  }

  get connection(): Connection {
    return this.#link.connection
  }

  onConnection(tell: (connection: Connection) => void): () => void {
    this.#listeners.add(tell)
    return () => {
      this.#listeners.delete(tell)
    }
  }

  /** Begins a watch on an event's channel. Throws RaayError if the code is invalid or the client closed. */
  ofMarket<W>(code: string, begin: (channel: MarketChannel) => W): W {
    const { fetchTrades } = this.#lookups
    return this.#on(
      `event_orderbook_${code}`,
      ends =>
        new MarketChannel({
          code,
          fetchTrades: (limit, isLast) => fetchTrades(code, limit, isLast),
          ...ends,
        }),
      begin,
    )
  }

  /** Begins a watch on a user's channel. Throws RaayError if the user is invalid or the client closed. */
  ofUser<W>(userid: string, begin: (channel: UserChannel) => W): W {
    const { fetchUserSeq, fetchOpenOrders } = this.#lookups
    return this.#on(
      `user_${userid}`,
      ends =>
        new UserChannel({
          userid,
          fetchSeq: () => fetchUserSeq(userid),
          fetchOpenOrders: () => fetchOpenOrders(userid),
          ...ends,
        }),
      begin,
    )
  }

  close(): void {
    this.#isClosed = true
    for (const channel of [...this.#channels.values()]) channel.close()
  }

  #on<C extends Channel, W>(
    address: string,
    open: (ends: { onChange(): void; onIdle(): void }) => C,
    begin: (channel: C) => W,
  ): W {
    if (this.#isClosed) throw closedError('the client')
    const known = this.#channels.get(address) as C | undefined
    const onChange = () => this.#link.review()
    const onIdle = () => {
      if (this.#channels.get(address) !== channel) return
      this.#channels.delete(address)
      this.#link.remove(channel)
    }
    const channel: C = known ?? open({ onChange, onIdle })
    const watch = begin(channel)
    if (known === undefined) {
      this.#link.add(channel)
      this.#channels.set(address, channel)
    } else {
      this.#link.review()
    }
    return watch
  }
}
