import type { Connection, Place } from '../connection.js'
import type { FeedChannel } from './channel.js'
import { RING_LENGTH } from './channel.js'

/** A subscriber of a channel. */
export interface Reader {
  readonly connection: Connection
  readonly channel: FeedChannel
  readonly place: Place
}

/**
 * The subscribers of one channel, which take turns. A new message wakes the line and none of its readers: a
 * thousand of them would keep an order's answer waiting.
 */
export class ReaderLine {
  readonly channel: FeedChannel
  readonly #readers = new Map<Connection, Reader>()
  #round: Iterator<Reader> | undefined
  /** The last message when this round, or the last one, began. */
  #roundHead: number
  /** No reader that keeps up has an older place. */
  #oldestPlace: number

  constructor(channel: FeedChannel) {
    this.channel = channel
    this.#roundHead = channel.head
    this.#oldestPlace = channel.head
  }

  get length(): number {
    return this.#readers.size
  }

  get(connection: Connection): Reader | undefined {
    return this.#readers.get(connection)
  }

  add(reader: Reader): void {
    this.#readers.set(reader.connection, reader)
  }

  delete(connection: Connection): void {
    this.#readers.delete(connection)
  }

  /** Takes back a reader that was skipped in its turn. */
  resume({ place }: Reader): void {
    this.#oldestPlace = Math.min(this.#oldestPlace, place.sentSeq)
  }

  /** Returns the next reader that is behind; undefined once all have had a turn since the last message. */
  next(): Reader | undefined {
    while (this.#round !== undefined || this.#roundHead !== this.channel.head) {
      if (this.#round === undefined) {
        this.#round = this.#readers.values()
        this.#roundHead = this.channel.head
      }
      const { value, done } = this.#round.next()
      if (done) {
        this.#round = undefined
        this.#oldestPlace = this.#roundHead
      } else if (value.place.sentSeq < this.channel.head) {
        return value
      }
    }
    return undefined
  }

  /** Serves those whose place would no longer be known after more messages. */
  serveForgotten(comingLength: number, serve: (reader: Reader) => void): void {
    const { channel } = this
    const oldestKept = channel.head + comingLength - RING_LENGTH
    if (this.#oldestPlace >= oldestKept) return
    this.#oldestPlace = channel.head
    for (const reader of this.#readers.values()) {
      const { place } = reader
      if (place.sentSeq < oldestKept && channel.reaches(place.sentSeq)) serve(reader)
      if (place.sentSeq >= oldestKept) this.#oldestPlace = Math.min(this.#oldestPlace, place.sentSeq)
    }
  }
}
