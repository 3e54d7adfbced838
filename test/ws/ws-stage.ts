import type { TimeMs } from '../../src/core/units.js'
import { BookFeed } from '../../src/ws/feeds/book-feed.js'
import { Dice } from '../fixtures/dice.js'
import { FakeConnection } from '../fixtures/sockets/ws-connection.js'
import { TalkingMarket } from '../fixtures/sockets/ws-market.js'
import { steppedShare } from '../fixtures/stepped-share.js'

export const AT = 1_700_000_000_000 as TimeMs

/** A feed with one market that speaks, and sweeps that run when the test says so. */
export class Stage {
  readonly market: TalkingMarket
  readonly feed: BookFeed
  readonly share = steppedShare(sweep => this.#sweeps.push(sweep))
  readonly #sweeps: (() => void)[] = []

  constructor(seq = 0, dice = new Dice(5)) {
    this.market = new TalkingMarket(dice, seq)
    this.feed = new BookFeed(() => AT, this.share)
  }

  get head(): number {
    return this.market.desk.progress.seq
  }

  /** How many sweeps are waiting. */
  get scheduled(): number {
    return this.#sweeps.length
  }

  reader(fromSeq?: number): FakeConnection {
    const reader = new FakeConnection()
    this.feed.subscribe(reader.asConnection, this.market.desk, fromSeq)
    return reader
  }

  say(length: number): void {
    this.feed.publish({ market: this.market.desk, at: AT, messages: this.market.say(length) })
  }

  sayAndRun(length: number): void {
    this.say(length)
    this.run()
  }

  /** Runs one sweep; whether there was one. */
  sweep(): boolean {
    const sweep = this.#sweeps.shift()
    sweep?.()
    return sweep !== undefined
  }

  run(): void {
    while (this.sweep()) if (this.scheduled > 1) throw new Error('two sweeps at once')
  }

  drain(reader: FakeConnection): void {
    reader.isCongested = false
    this.feed.resume(reader.asConnection)
  }

  /** Returns whether a reader's book is the market's, and its numbering has no gap. */
  isUpToDate({ book }: FakeConnection): boolean {
    const side = (levels: ReturnType<TalkingMarket['desk']['ladder']['bids']>) =>
      levels.map(([price, quantity]) => [price / 100, quantity / 100])
    const { ladder } = this.market.desk
    const now = { bids: side(ladder.bids()), asks: side(ladder.asks()) }
    return (
      book.seq === this.head && !book.faults.length && JSON.stringify(book.levels()) === JSON.stringify(now)
    )
  }
}
