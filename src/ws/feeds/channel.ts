import { messageText, snapshotText } from '../../api/channels/market-messages.js'
import { SOCKET_LIMITS } from '../../api/socket-limits.js'
import type { Level } from '../../core/book/order-book.js'
import { isOver } from '../../core/market.js'
import type { MarketMessage } from '../../core/records/market-message.js'
import type { MarketCode, PriceTicks, QuantityLots, TimeMs } from '../../core/units.js'
import type { DeskMarket } from '../../exchange/markets/desk-market.js'
import { EncodedMessages } from '../transports/encoded-messages.js'
import { KeptReplays, ReplayRoom } from './kept-replays.js'
import { MessageRoom } from './message-room.js'

/** The messages a channel retains, for `from_seq` and for slow subscribers. */
export const RING_LENGTH = SOCKET_LIMITS.replayedMax

interface Kept {
  readonly message: MarketMessage
  readonly at: TimeMs
}

interface ChannelRooms {
  readonly replayRoom: ReplayRoom
  readonly messageRoom: MessageRoom
}

/** A channel as its subscribers are served from it. */
export interface FeedChannel {
  readonly code: MarketCode
  /** The number of the last message so far. */
  readonly head: number
  /** True once nothing more will be said on it. */
  readonly isOver: boolean
  /** Returns true if everything after `seq` is still known. */
  reaches(seq: number): boolean
  /** Returns everything after `seq`, which the channel must still know. */
  messagesSince(seq: number): EncodedMessages
  /** Returns the whole state, as of the last message. */
  snapshot(at: TimeMs): EncodedMessages
  /** Drops what it keeps for readers, who get the whole state from then on. */
  forget(): void
}

/**
 * The recent messages of one market's channel. `messagesSince(seq)` returns everything after a place, encoded
 * once for all subscribers there, with the book changes merged into one.
 */
export class Channel implements FeedChannel {
  /** Another object once memory has forgotten the event, and read it again. */
  market: DeskMarket
  readonly #ring: Kept[] = []
  #oldest = 0
  #head: number
  readonly #replays: KeptReplays
  readonly #messageRoom: MessageRoom

  /**
   * @param head the number of the last message before those to come
   * @param rooms shared by all channels
   */
  constructor(market: DeskMarket, head: number, rooms: Partial<ChannelRooms> = {}) {
    const { replayRoom = new ReplayRoom(), messageRoom = new MessageRoom() } = rooms
    this.market = market
    this.#head = head
    this.#replays = new KeptReplays(replayRoom)
    this.#messageRoom = messageRoom
  }

  get code(): MarketCode {
    return this.market.terms.code
  }

  get head(): number {
    return this.#head
  }

  get isOver(): boolean {
    return isOver(this.market.progress.status)
  }

  append(messages: readonly MarketMessage[], at: TimeMs): void {
    for (const message of messages) {
      this.#ring[message.seq % RING_LENGTH] = { message, at }
      if (this.#oldest === 0) this.#oldest = message.seq
      this.#head = message.seq
    }
    this.#oldest = Math.max(this.#oldest, this.#head - RING_LENGTH + 1)
    this.#replays.clear()
    this.#messageRoom.take(this, this.#head - this.#oldest + 1)
  }

  reaches(seq: number): boolean {
    if (seq === this.#head) return true
    return this.#oldest > 0 && seq >= this.#oldest - 1 && seq < this.#head
  }

  messagesSince(seq: number): EncodedMessages {
    return this.#replays.after(seq, () => new EncodedMessages(this.#mergedSince(seq)))
  }

  forget(): void {
    this.#replays.clear()
    this.#ring.length = 0
    this.#oldest = 0
    this.#messageRoom.free(this)
  }

  snapshot(at: TimeMs): EncodedMessages {
    return new EncodedMessages([snapshotText(this.market, at)])
  }

  /**
   * Returns the messages after `seq`, with all deltas merged into the first: a reader cut off anywhere after
   * it resumes there, so levels may come early, but never late. A delta at the head is sent as well, so that
   * the next message continues these.
   */
  #mergedSince(seq: number): string[] {
    const kept: Kept[] = []
    for (let next = seq + 1; next <= this.#head; next++) kept.push(this.#ring[next % RING_LENGTH] as Kept)
    const place = endOfFirstRun(kept)
    const texts: string[] = []
    let previous = seq
    for (const [index, { message, at }] of kept.entries()) {
      const isMerged = message.type === 'delta' && index !== place && message.seq !== this.#head
      if (isMerged) continue
      const sent = index === place ? mergedAs(message, kept) : message
      texts.push(messageText(this.market, sent, previous, at))
      previous = message.seq
    }
    return texts
  }
}

/** Returns the index of the last of the first deltas that follow each other directly; -1 without a delta. */
function endOfFirstRun(kept: readonly Kept[]): number {
  const first = kept.findIndex(({ message }) => message.type === 'delta')
  if (first === -1) return -1
  const next = kept.findIndex(({ message }, index) => index > first && message.type !== 'delta')
  return (next === -1 ? kept.length : next) - 1
}

/** Returns the message with the levels of all deltas. */
function mergedAs(place: MarketMessage, kept: readonly Kept[]): MarketMessage {
  const bids = new Map<PriceTicks, QuantityLots>()
  const asks = new Map<PriceTicks, QuantityLots>()
  for (const { message } of kept) {
    if (message.type !== 'delta') continue
    for (const [price, quantity] of message.bids) bids.set(price, quantity)
    for (const [price, quantity] of message.asks) asks.set(price, quantity)
  }
  return { ...place, type: 'delta', bids: sorted(bids, -1), asks: sorted(asks, 1) }
}

function sorted(levels: ReadonlyMap<PriceTicks, QuantityLots>, direction: 1 | -1): Level[] {
  return [...levels].sort(([a], [b]) => (a - b) * direction)
}
