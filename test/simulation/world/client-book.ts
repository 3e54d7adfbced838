import { assert } from '../../../src/core/assert.js'
import type { MarketMessage } from '../../../src/core/records/market-message.js'
import type { Publication } from '../../../src/exchange/publications.js'
import type { DeskMarket } from '../../../src/exchange/markets/desk-market.js'
import { LocalBook } from '../../fixtures/sockets/ws-local-book.js'

/** A reader of one market's channel: a snapshot and the messages after it (invariants, I14). */
export class ClientBook {
  /** Every message received, by number: a published message stays true. */
  readonly heard = new Map<number, MarketMessage>()
  #book: LocalBook | undefined

  take({ at, messages }: Publication): void {
    for (const message of messages) {
      const { seq } = message
      assert(!this.heard.has(seq), 'a message number is given once')
      this.heard.set(seq, message)
      if (this.#book === undefined) continue
      const levels = message.type === 'delta' ? { bids: message.bids, asks: message.asks } : {}
      const status = message.type === 'status' ? { status: message.status } : {}
      this.#book.take({ type: message.type, seq, prev_seq: seq - 1, ts: at, ...levels, ...status })
    }
    this.#assertNoFault()
  }

  /** Resubscribes after a restart: the server must still have every received message. */
  reconnect(market: DeskMarket): void {
    const heard = Math.max(0, ...this.heard.keys())
    assert(market.progress.seq >= heard, 'every published message is on disk')
    if (market.progress.seq === heard) this.assertIsThe(market)
    this.#subscribe(market)
  }

  /** Compares the reader with the server between two batches. The first call only subscribes. */
  assertIsThe(market: DeskMarket): void {
    if (this.#book === undefined) {
      this.#subscribe(market)
      return
    }
    const { bids, asks } = this.#book.levels()
    const { seq, status } = market.progress
    assert(this.#book.seq === seq, `a reader has received the last message: ${this.#book.seq} of ${seq}`)
    assert(this.#book.status === status, `a reader knows the status: ${this.#book.status}, ${status}`)
    assert(bids.join(' ') === market.ladder.bids().join(' '), "a reader's bids are the server's")
    assert(asks.join(' ') === market.ladder.asks().join(' '), "a reader's asks are the server's")
    this.#assertNoFault()
  }

  #subscribe({ ladder, progress: { seq, status } }: DeskMarket): void {
    this.#book = new LocalBook()
    const levels = { bids: ladder.bids(), asks: ladder.asks() }
    this.#book.take({ type: 'snapshot', seq, ts: 0, status, ...levels })
  }

  #assertNoFault(): void {
    const [fault] = this.#book?.faults ?? []
    assert(fault === undefined, `a reader misses no message and receives none twice: ${fault}`)
  }
}
