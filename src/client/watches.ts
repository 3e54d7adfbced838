import { MarketChannel } from './market-channel.js'
import type { Surroundings } from './platform.js'
import { PricesChannel } from './prices-channel.js'
import { closedError, RaayError } from './raay-error.js'
import type { Order, Trade } from './shapes.js'
import type { Connection, LinkOptions } from './socket/link.js'
import { Link } from './socket/link.js'
import type { Channel } from './socket/server-message.js'
import { UserChannel } from './user-channel.js'
import { callSafely } from './watch.js'

/** HTTP requests by which channels fill in what they missed. */
interface Lookups {
  /** Fetches an event's trades, newest first, up to a number or to the first for which `isLast` is true. */
  fetchTrades(code: string, limit: number, isLast: (trade: Trade) => boolean): Promise<readonly Trade[]>
  /** Fetches the user of the client's token. */
  fetchOwnId(): Promise<string>
  /** Fetches the number of a user's last message, 0 if there is none. */
  fetchUserSeq(userid: string): Promise<number | undefined>
  fetchOpenOrders(userid: string): Promise<readonly Order[]>
}

const WATCHED_BY_NAME = 'userid: Name the user of the token in every watch, or in none'

/** All watches: a channel for each event, group and user, sharing one link. */
export class Watches {
  readonly #lookups: Lookups
  readonly #link: Link
  readonly #channels = new Map<string, Channel>()
  readonly #listeners = new Set<(connection: Connection) => void>()
  /** The user of the client's token, once known. */
  #ownId: string | undefined
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

  /** Begins a watch on a group's channel. Throws RaayError if the code is invalid or the client closed. */
  ofGroup<W>(code: string, begin: (channel: PricesChannel) => W): W {
    return this.#on(`event_group_${code}`, ends => new PricesChannel({ code, ...ends }), begin)
  }

  /**
   * Begins a watch on the channel of a user, or of the token's if none is named. Throws RaayError if the user
   * is invalid or the client closed.
   */
  ofUser<W>(named: string | undefined, begin: (channel: UserChannel) => W): W {
    const { fetchUserSeq, fetchOpenOrders } = this.#lookups
    const userid = named ?? this.#ownId
    return this.#on(
      `user_${userid ?? ''}`,
      ends => {
        const channel: UserChannel = new UserChannel({
          userid,
          fetchSeq: () => fetchUserSeq(channel.key),
          fetchOpenOrders: () => fetchOpenOrders(channel.key),
          ...ends,
        })
        return channel
      },
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
      if (this.#channels.get(channel.address) !== channel) return
      this.#channels.delete(channel.address)
      this.#link.remove(channel)
    }
    const channel: C = known ?? open({ onChange, onIdle })
    const watch = begin(channel)
    if (known === undefined) {
      if (channel.key !== '') this.#link.add(channel)
      else if (channel instanceof UserChannel) void this.#nameOwn(channel)
      this.#channels.set(address, channel)
    } else {
      this.#link.review()
    }
    return watch
  }

  /** Subscribes to the channel of the token's user once that is known. */
  async #nameOwn(channel: UserChannel): Promise<void> {
    try {
      const userid = await this.#lookups.fetchOwnId()
      if (this.#channels.get(channel.address) !== channel) return
      this.#ownId = userid
      this.#channels.delete(channel.address)
      channel.name(userid)
      if (this.#channels.has(channel.address)) throw new RaayError(409, 'Resource conflict', WATCHED_BY_NAME)
      this.#link.add(channel)
      this.#channels.set(channel.address, channel)
    } catch (error) {
      channel.fail(error as RaayError)
    }
  }
}
