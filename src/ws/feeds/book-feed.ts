import type { MarketCode, TimeMs } from '../../core/units.js'
import type { DeskGroup } from '../../exchange/groups/desk-group.js'
import type { DeskMarket } from '../../exchange/markets/desk-market.js'
import type { TimeShare } from '../../exchange/operations/loop-share.js'
import type { Publication } from '../../exchange/publications.js'
import type { Connection, Place } from '../connection.js'
import { TRY_AGAIN_LATER } from '../connection.js'
import type { Work } from '../scheduler.js'
import type { FeedChannel } from './channel.js'
import { Channel, RING_LENGTH } from './channel.js'
import { GroupChannel } from './group-channel.js'

/** Places of an ended connection removed per step. */
const LEAVING_STEP = 64

/** Sockets written to per step, so that orders can run in between; one far behind counts for more. */
const SLICE_LENGTH = 256
/** Encoding this many messages takes as long as writing to a socket. */
const MESSAGES_PER_WRITE = 32
/** How far a stalled subscriber may fall behind before it is disconnected. */
export const LAG_MAX = 8 * RING_LENGTH

/** The most messages a channel appends at once, so that no subscriber's place is lost within one step. */
const PART_LENGTH = RING_LENGTH / 2

interface Reader {
  readonly connection: Connection
  readonly channel: FeedChannel
  readonly place: Place
}

/**
 * Delivers each market's channel, and each group's, to its subscribers. A subscriber has a place in the
 * channel and is sent everything after it. A slow one is skipped until it has drained; it then gets the
 * changes in between merged into one, or a new snapshot if the channel no longer has its place. One that
 * never drains is closed with 1013.
 */
export class BookFeed {
  readonly #now: () => TimeMs
  readonly #share: TimeShare
  readonly #channels = new Map<MarketCode, Channel>()
  /** A group has a code that no market has. */
  readonly #groups = new Map<MarketCode, GroupChannel>()
  readonly #readers = new Map<FeedChannel, Map<Connection, Reader>>()
  /** Subscribers that are behind, in the order in which they fell behind. */
  readonly #behind = new Set<Reader>()
  #isScheduled = false
  #count = 0

  /** @param share the time that sweeps may take while orders wait */
  constructor(now: () => TimeMs, share: TimeShare) {
    this.#now = now
    this.#share = share
  }

  /** The number of subscriptions of all connections. */
  get count(): number {
    return this.#count
  }

  publish({ market, at, messages }: Publication): void {
    const channel = this.#channels.get(market.terms.code) ?? this.#open(market, (messages[0]?.seq ?? 1) - 1)
    this.#wake(channel)
    for (let next = 0; next < messages.length; next += PART_LENGTH) {
      const part = messages.slice(next, next + PART_LENGTH)
      this.#serveForgotten(channel, part.length)
      channel.append(part, at)
    }
    this.#closeIdle(channel)
    this.#noteInGroup(market, at)
    this.#scheduleSweep()
  }

  /**
   * Subscribes a connection: replays what came after `fromSeq` if the channel still has it, otherwise sends
   * the whole book. Returns the number of characters sent.
   */
  subscribe(connection: Connection, market: DeskMarket, fromSeq?: number): number {
    const { code } = market.terms
    this.unsubscribe(connection, code)
    return this.#enter(
      connection,
      this.#channels.get(code) ?? this.#open(market, market.progress.seq),
      fromSeq,
    )
  }

  /** Subscribes a connection to the prices of a group, in the same way. */
  subscribeGroup(connection: Connection, group: DeskGroup, fromSeq?: number): number {
    const { code } = group.terms
    this.unsubscribe(connection, code)
    return this.#enter(connection, this.#groups.get(code) ?? this.#openGroup(group), fromSeq)
  }

  #enter(connection: Connection, channel: FeedChannel, fromSeq: number | undefined): number {
    const place = { sentSeq: channel.head }
    const reader = { connection, channel, place }
    this.#readers.get(channel)?.set(connection, reader)
    connection.places.set(channel.code, place)
    this.#count++
    if (fromSeq === channel.head) return 0
    const isReplay = fromSeq !== undefined && channel.reaches(fromSeq)
    const texts = isReplay ? channel.messagesSince(fromSeq) : channel.snapshot(this.#now())
    connection.write(texts)
    return texts.chars
  }

  unsubscribe(connection: Connection, code: MarketCode): void {
    connection.places.delete(code)
    const channel = this.#channelOf(code)
    const readers = channel && this.#readers.get(channel)
    const reader = readers?.get(connection)
    if (reader === undefined) return
    readers?.delete(connection)
    this.#count--
    this.#behind.delete(reader)
    this.#closeIdle(reader.channel)
  }

  /** Removes the places of an ended connection, in steps. */
  *leave(connection: Connection): Work {
    let left = 0
    for (const code of [...connection.places.keys()]) {
      this.unsubscribe(connection, code)
      left++
      if (left % LEAVING_STEP === 0) yield 1
    }
  }

  /** Sends a drained connection what it missed. */
  resume(connection: Connection): void {
    for (const code of connection.places.keys()) {
      const channel = this.#channelOf(code)
      const reader = channel && this.#readers.get(channel)?.get(connection)
      if (reader !== undefined && reader.place.sentSeq < reader.channel.head) this.#behind.add(reader)
    }
    this.#scheduleSweep()
  }

  #open(market: DeskMarket, head: number): Channel {
    const channel = new Channel(market, head)
    this.#channels.set(market.terms.code, channel)
    this.#readers.set(channel, new Map())
    return channel
  }

  #openGroup(group: DeskGroup): GroupChannel {
    const channel = new GroupChannel(group, this.#now())
    this.#groups.set(channel.code, channel)
    this.#readers.set(channel, new Map())
    return channel
  }

  #channelOf(code: MarketCode): FeedChannel | undefined {
    return this.#channels.get(code) ?? this.#groups.get(code)
  }

  /** Brings the channel of a market's group up to date, if it has had a subscriber. */
  #noteInGroup(market: DeskMarket, at: TimeMs): void {
    const { group } = market.terms
    const channel = group === undefined ? undefined : this.#groups.get(group)
    if (channel === undefined) return
    if (channel.note(market, at)) this.#wake(channel)
    this.#closeIdle(channel)
  }

  /** Takes note that a channel has something new for all its subscribers. */
  #wake(channel: FeedChannel): void {
    for (const reader of this.#readers.get(channel)?.values() ?? []) this.#behind.add(reader)
  }

  /** Drops an ended channel without subscribers; later ones get the whole state. */
  #closeIdle(channel: FeedChannel): void {
    if (!channel.isOver || this.#readers.get(channel)?.size !== 0) return
    this.#readers.delete(channel)
    this.#channels.delete(channel.code)
    this.#groups.delete(channel.code)
  }

  #scheduleSweep(): void {
    if (this.#isScheduled || this.#behind.size === 0) return
    this.#isScheduled = true
    this.#share.schedule(() => this.#sweep())
  }

  #sweep(): void {
    this.#isScheduled = false
    let left = SLICE_LENGTH
    for (const reader of this.#behind) {
      if (left <= 0 || !this.#share.hasTime) break
      this.#behind.delete(reader)
      left -= 1 + Math.floor((reader.channel.head - reader.place.sentSeq) / MESSAGES_PER_WRITE)
      this.#share.run(() => this.#bringUpToDate(reader))
    }
    this.#scheduleSweep()
  }

  /** Serves subscribers whose place a long batch would push out, so that one that keeps up never loses it. */
  #serveForgotten(channel: Channel, comingLength: number): void {
    for (const reader of this.#readers.get(channel)?.values() ?? []) {
      const { sentSeq } = reader.place
      if (channel.head + comingLength - sentSeq <= RING_LENGTH || !channel.reaches(sentSeq)) continue
      this.#bringUpToDate(reader)
    }
  }

  #bringUpToDate({ connection, channel, place }: Reader): void {
    const lag = channel.head - place.sentSeq
    if (connection.isCongested) {
      if (lag > LAG_MAX) connection.close(TRY_AGAIN_LATER, 'too slow')
      return
    }
    if (lag === 0) return
    const texts = channel.reaches(place.sentSeq)
      ? channel.messagesSince(place.sentSeq)
      : channel.snapshot(this.#now())
    connection.write(texts)
    place.sentSeq = channel.head
  }
}
