import type { TimeMs } from '../core/units.js'
import type { Exchange } from '../exchange/exchange.js'
import type { Connection, Place } from './connection.js'
import { INTERNAL_ERROR } from './connection.js'
import { Texts } from './texts.js'
import type { TermsOf, UserViews } from './user-wire.js'
import { userMessageText, userSnapshotText } from './user-wire.js'

interface Reader {
  readonly userId: string
  readonly connection: Connection
  readonly place: Place
  isBeingServed: boolean
}

/**
 * Brings each user's private channel to its readers. A reader has a place; what comes after it is read from
 * disk, a part at a time, whenever there is something new and the client has read what it was sent. So a
 * slow one costs nothing, and one that was away for a year is served like any other.
 */
export class UserFeed {
  readonly #exchange: Pick<Exchange, 'userChannel'>
  readonly #now: () => TimeMs
  readonly #views: UserViews
  readonly #termsOf: TermsOf
  readonly #readers = new Map<string, Map<Connection, Reader>>()

  constructor(exchange: Pick<Exchange, 'userChannel' | 'market'>, now: () => TimeMs, views: UserViews) {
    this.#exchange = exchange
    this.#now = now
    this.#views = views
    this.#termsOf = ({ market }) => {
      const found = exchange.market(market)
      if (found === undefined) throw new Error(`market ${market} is in the file and not in memory`)
      return found.terms
    }
    exchange.userChannel.onTold(userIds => this.#wake(userIds))
  }

  /** Starts a reader: with what came after `fromSeq`, or with where the user stands. */
  subscribe(connection: Connection, userId: string, fromSeq?: number): void {
    this.unsubscribe(connection, userId)
    const userSeq = this.#exchange.userChannel.userSeq(userId)
    // A client may be ahead of an exchange that was put back to a backup: it has to start over.
    const isReplay = fromSeq !== undefined && fromSeq <= userSeq
    const place: Place = { sentSeq: isReplay ? fromSeq : userSeq }
    const reader: Reader = { userId, connection, place, isBeingServed: false }
    const readers = this.#readers.get(userId) ?? new Map<Connection, Reader>()
    this.#readers.set(userId, readers.set(connection, reader))
    connection.userPlaces.set(userId, place)
    if (!isReplay) connection.write(new Texts([this.#snapshotText(userId)]))
    void this.#serve(reader)
  }

  unsubscribe(connection: Connection, userId: string): void {
    connection.userPlaces.delete(userId)
    const readers = this.#readers.get(userId)
    readers?.delete(connection)
    if (readers?.size === 0) this.#readers.delete(userId)
  }

  /** The connection has ended. */
  leave(connection: Connection): void {
    for (const userId of [...connection.userPlaces.keys()]) this.unsubscribe(connection, userId)
  }

  /** The connection has drained: it gets what it missed. */
  resume(connection: Connection): void {
    this.#wakeReaders([...connection.userPlaces.keys()], reader => reader.connection === connection)
  }

  #wake(userIds: readonly string[]): void {
    if (this.#readers.size > 0) this.#wakeReaders(userIds, () => true)
  }

  #wakeReaders(userIds: readonly string[], isMeant: (reader: Reader) => boolean): void {
    for (const userId of userIds) {
      for (const reader of this.#readers.get(userId)?.values() ?? [])
        if (isMeant(reader)) void this.#serve(reader)
    }
  }

  /** One at a time for each reader: what comes while it is served is found in the next part. */
  async #serve(reader: Reader): Promise<void> {
    if (reader.isBeingServed) return
    reader.isBeingServed = true
    try {
      while (this.#isWaiting(reader) && (await this.#sendPart(reader))) {}
    } catch {
      reader.connection.close(INTERNAL_ERROR, 'the channel could not be read: connect again')
    } finally {
      reader.isBeingServed = false
    }
  }

  /** Whether there is something for a reader who is still there and has read what they were sent. */
  #isWaiting({ userId, connection, place }: Reader): boolean {
    const isThere = this.#readers.get(userId)?.get(connection)?.place === place
    const { isOpen, isCongested } = connection
    return isThere && isOpen && !isCongested && place.sentSeq < this.#exchange.userChannel.userSeq(userId)
  }

  async #sendPart(reader: Reader): Promise<boolean> {
    const { userId, connection, place } = reader
    const messages = await this.#exchange.userChannel.messagesAfter(userId, place.sentSeq)
    const last = messages.at(-1)
    if (last === undefined || !this.#isWaiting(reader)) return false
    const texts = messages.map(message => userMessageText(userId, message, this.#views, this.#termsOf))
    connection.write(new Texts(texts))
    place.sentSeq = last.userSeq
    return true
  }

  #snapshotText(userId: string): string {
    const snapshot = this.#exchange.userChannel.snapshot(userId)
    return userSnapshotText(userId, snapshot, this.#now(), this.#views, this.#termsOf)
  }
}
