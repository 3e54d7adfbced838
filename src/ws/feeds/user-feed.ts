import type { TermsOf } from '../../api/channels/user-messages.js'
import { userMessageText } from '../../api/channels/user-messages.js'
import { assert } from '../../core/assert.js'
import type { TimeMs } from '../../core/units.js'
import type { Exchange } from '../../exchange/exchange.js'
import { FairQueue } from '../../exchange/reads/fair-queue.js'
import type { Connection, Place } from '../connection.js'
import { INTERNAL_ERROR, NOT_BEGUN } from '../connection.js'
import type { Work } from '../scheduler.js'
import { EncodedMessages } from '../transports/encoded-messages.js'
import { UserSnapshots } from './user-snapshots.js'

/** Places of an ended connection removed per step. */
const LEAVING_STEP = 32
/** The most concurrent reads from disk, for all subscribers. */
export const READS_MAX = 4

interface Reader {
  readonly userId: string
  readonly connection: Connection
  readonly place: Place
  /** True while its next part is being read or queued. */
  isBeingServed: boolean
}

/** A user's messages after one number, as far as one read returned them. */
interface Part {
  readonly texts: EncodedMessages
  readonly lastSeq: number
}

/**
 * Delivers each user's private channel to its subscribers. What comes after a subscriber's place is read from
 * disk in parts, whenever there is something new and the client has read what it was sent. So a slow one
 * costs nothing, and one that was away for a year is served like any other: connections take turns, one part
 * each.
 */
export class UserFeed {
  readonly #exchange: Pick<Exchange, 'userChannel'>
  readonly #termsOf: TermsOf
  readonly #now: () => TimeMs
  readonly #snapshots: UserSnapshots
  readonly #readers = new Map<string, Map<Connection, Reader>>()
  readonly #waiting = new FairQueue<Connection, Reader>()
  /** Reads in progress, by user and number: subscribers at the same place share one. */
  readonly #reads = new Map<string, Promise<Part>>()
  #readsUnderWay = 0
  #count = 0

  constructor(exchange: Pick<Exchange, 'userChannel' | 'market'>, now: () => TimeMs) {
    this.#exchange = exchange
    this.#now = now
    this.#termsOf = ({ market }) => {
      const found = exchange.market(market)
      if (found === undefined) throw new Error(`market ${market} is in the file and not in memory`)
      return found.terms
    }
    this.#snapshots = new UserSnapshots(exchange.userChannel, now, this.#termsOf)
    exchange.userChannel.onMessages(userIds => this.#wake(userIds))
  }

  /** The number of subscriptions of all connections. */
  get count(): number {
    return this.#count
  }

  /** The number of snapshots made so far. */
  get snapshotsMade(): number {
    return this.#snapshots.madeCount
  }

  /**
   * Subscribes a connection, in steps: replays what came after `fromSeq`, or sends a snapshot. Returns the
   * number of characters sent.
   */
  *subscribe(connection: Connection, userId: string, fromSeq?: number): Work<number> {
    this.unsubscribe(connection, userId)
    const userSeq = this.#exchange.userChannel.userSeq(userId)
    // A client may be ahead of an exchange restored from a backup: it has to start over.
    const isReplay = fromSeq !== undefined && fromSeq <= userSeq
    const place: Place = { sentSeq: isReplay ? fromSeq : NOT_BEGUN }
    const reader: Reader = { userId, connection, place, isBeingServed: false }
    const readers = this.#readers.get(userId) ?? new Map<Connection, Reader>()
    this.#readers.set(userId, readers.set(connection, reader))
    connection.userPlaces.set(userId, place)
    this.#count++
    if (isReplay) {
      this.#serve(reader)
      return 0
    }
    const snapshot = yield* this.#snapshots.of(userId)
    if (!this.#isThere(reader) || connection.endsIfExpired(this.#now())) return 0
    connection.write(snapshot.texts)
    place.sentSeq = snapshot.userSeq
    this.#serve(reader)
    return snapshot.chars
  }

  unsubscribe(connection: Connection, userId: string): void {
    connection.userPlaces.delete(userId)
    const readers = this.#readers.get(userId)
    if (readers?.delete(connection)) this.#count--
    if (readers?.size === 0) this.#readers.delete(userId)
  }

  /** Removes the places of an ended connection, in steps. */
  *leave(connection: Connection): Work {
    this.#waiting.delete(connection)
    for (const [index, userId] of [...connection.userPlaces.keys()].entries()) {
      this.unsubscribe(connection, userId)
      if (index % LEAVING_STEP === LEAVING_STEP - 1) yield 1
    }
  }

  /** Sends a drained connection what it missed. */
  resume(connection: Connection): void {
    for (const userId of connection.userPlaces.keys()) {
      const reader = this.#readers.get(userId)?.get(connection)
      if (reader !== undefined) this.#serve(reader)
    }
  }

  #wake(userIds: readonly string[]): void {
    if (this.#readers.size === 0) return
    for (const userId of userIds)
      for (const reader of this.#readers.get(userId)?.values() ?? []) this.#serve(reader)
  }

  /** Serves a subscriber one part at a time; the next part includes what arrives meanwhile. */
  #serve(reader: Reader): void {
    if (reader.isBeingServed || !this.#isWaiting(reader)) return
    reader.isBeingServed = true
    this.#waiting.push(reader.connection, reader)
    this.#readOn()
  }

  #readOn(): void {
    while (this.#readsUnderWay < READS_MAX) {
      const [, reader] = this.#waiting.shift() ?? []
      if (reader === undefined) return
      this.#readsUnderWay++
      const part = this.#nextPart(reader).finally(() => {
        this.#readsUnderWay--
        this.#readOn()
      })
      void this.#sendPart(reader, part).finally(() => {
        reader.isBeingServed = false
        this.#serve(reader)
      })
    }
  }

  #isThere({ userId, connection, place }: Reader): boolean {
    return connection.isOpen && this.#readers.get(userId)?.get(connection)?.place === place
  }

  /** Returns true if there are new messages for a subscriber that is still connected and has drained. */
  #isWaiting(reader: Reader): boolean {
    const { userId, connection, place } = reader
    if (place.sentSeq === NOT_BEGUN || !this.#isThere(reader) || connection.isCongested) return false
    return place.sentSeq < this.#exchange.userChannel.userSeq(userId)
  }

  async #nextPart(reader: Reader): Promise<Part | undefined> {
    return this.#isWaiting(reader) ? this.#partAfter(reader.userId, reader.place.sentSeq) : undefined
  }

  /** Sends a part once it is read, and the orders in flight on its connection are answered. */
  async #sendPart(reader: Reader, read: Promise<Part | undefined>): Promise<void> {
    const { connection, place } = reader
    try {
      const part = await read
      await connection.inFlight.answered()
      if (part === undefined || !this.#isWaiting(reader) || connection.endsIfExpired(this.#now())) return
      connection.write(part.texts)
      place.sentSeq = part.lastSeq
    } catch {
      connection.close(INTERNAL_ERROR, 'the channel could not be read: connect again')
    }
  }

  #partAfter(userId: string, userSeq: number): Promise<Part> {
    const key = `${userSeq} ${userId}`
    const known = this.#reads.get(key)
    if (known !== undefined) return known
    const read = this.#read(userId, userSeq).finally(() => this.#reads.delete(key))
    this.#reads.set(key, read)
    return read
  }

  async #read(userId: string, userSeq: number): Promise<Part> {
    const messages = await this.#exchange.userChannel.messagesAfter(userId, userSeq)
    const last = messages.at(-1)
    assert(last !== undefined, "a user's messages can be read back")
    const texts = messages.map(message => userMessageText(userId, message, this.#termsOf))
    return { texts: new EncodedMessages(texts), lastSeq: last.userSeq }
  }
}
