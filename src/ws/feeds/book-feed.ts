import type { MarketCode, TimeMs } from '../../core/units.js'
import type { DeskGroup } from '../../exchange/groups/desk-group.js'
import type { DeskMarket } from '../../exchange/markets/desk-market.js'
import type { TimeShare } from '../../exchange/operations/loop-share.js'
import type { Publication } from '../../exchange/publications.js'
import type { Connection } from '../connection.js'
import { TRY_AGAIN_LATER } from '../connection.js'
import type { Work } from '../scheduler.js'
import type { FeedChannel } from './channel.js'
import { Channel, RING_LENGTH } from './channel.js'
import { GroupChannel } from './group-channel.js'
import { ReplayRoom } from './kept-replays.js'
import { MessageRoom } from './message-room.js'
import type { Reader } from './reader-line.js'
import { ReaderLine } from './reader-line.js'

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
  readonly #lines = new Map<FeedChannel, ReaderLine>()
  /** Subscribers that have drained, and are behind. */
  readonly #drained = new Set<Reader>()
  /** Lines with readers that are behind, and the drained ones: they take turns, one reader each. */
  readonly #awake = new Set<Pick<ReaderLine, 'next'>>()
  readonly #nextDrained = { next: () => this.#takeDrained() }
  readonly #rooms = { replayRoom: new ReplayRoom(), messageRoom: new MessageRoom() }
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

  /** The characters kept for readers of all channels. */
  get keptChars(): number {
    return this.#rooms.replayRoom.chars
  }

  publish({ market, at, messages }: Publication): void {
    const channel = this.#channels.get(market.terms.code) ?? this.#open(market, (messages[0]?.seq ?? 1) - 1)
    channel.market = market
    this.#wake(channel)
    for (let next = 0; next < messages.length; next += PART_LENGTH) {
      const part = messages.slice(next, next + PART_LENGTH)
      this.#lines.get(channel)?.serveForgotten(part.length, this.#bringUpToDate)
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
    this.#lines.get(channel)?.add(reader)
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
    const line = channel && this.#lines.get(channel)
    const reader = line?.get(connection)
    if (reader === undefined) return
    line?.delete(connection)
    this.#count--
    this.#drained.delete(reader)
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
      const line = channel && this.#lines.get(channel)
      const reader = line?.get(connection)
      if (reader === undefined || reader.place.sentSeq === reader.channel.head) continue
      line?.resume(reader)
      this.#drained.add(reader)
      this.#awake.add(this.#nextDrained)
    }
    this.#scheduleSweep()
  }

  #open(market: DeskMarket, head: number): Channel {
    const channel = new Channel(market, head, this.#rooms)
    this.#channels.set(market.terms.code, channel)
    this.#lines.set(channel, new ReaderLine(channel))
    return channel
  }

  #openGroup(group: DeskGroup): GroupChannel {
    const channel = new GroupChannel(group, this.#now(), this.#rooms.replayRoom)
    this.#groups.set(channel.code, channel)
    this.#lines.set(channel, new ReaderLine(channel))
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
    const line = this.#lines.get(channel)
    if (line !== undefined && line.length > 0) this.#awake.add(line)
  }

  /** Drops an ended channel without subscribers; later ones get the whole state. */
  #closeIdle(channel: FeedChannel): void {
    if (!channel.isOver || this.#lines.get(channel)?.length !== 0) return
    channel.forget()
    this.#lines.delete(channel)
    this.#channels.delete(channel.code)
    this.#groups.delete(channel.code)
  }

  #scheduleSweep(): void {
    if (this.#isScheduled || this.#awake.size === 0) return
    this.#isScheduled = true
    this.#share.schedule(() => this.#sweep())
  }

  #sweep(): void {
    this.#isScheduled = false
    let left = SLICE_LENGTH
    for (const line of this.#awake) {
      if (left <= 0 || !this.#share.hasTime) break
      this.#awake.delete(line)
      const reader = line.next()
      if (reader === undefined) continue
      // Behind the others; this loop reaches it again if there is time.
      this.#awake.add(line)
      left -= 1 + Math.floor((reader.channel.head - reader.place.sentSeq) / MESSAGES_PER_WRITE)
      this.#share.run(() => this.#bringUpToDate(reader))
    }
    this.#scheduleSweep()
  }

  #takeDrained(): Reader | undefined {
    const [reader] = this.#drained
    if (reader !== undefined) this.#drained.delete(reader)
    return reader
  }

  readonly #bringUpToDate = ({ connection, channel, place }: Reader): void => {
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
