import { DONE } from '../api/answer-texts.js'
import { orderBookView } from '../api/events/event-view.js'
import type { DeskMarket } from '../exchange/markets/desk-market.js'
import { successJson } from './middleware/envelope.js'
import { KeptText } from './middleware/kept-text.js'

const LENGTH_MAX = 16 * 1024 * 1024

interface BookText {
  readonly seq: number
  readonly kept: KeptText
}

/**
 * Keeps the answers to requests for order books as text. Every visible change of a book advances the `seq` of
 * its channel, so a text stays valid until then: many readers between two changes cost one book. Writing 800
 * levels takes five times as long as the rest of a request.
 */
export class BookTexts {
  readonly #lengthMax: number
  /** By market and depth, oldest first. */
  readonly #texts = new Map<string, BookText>()
  #length = 0

  /** @param lengthMax characters kept in all; the oldest texts are dropped first */
  constructor(lengthMax = LENGTH_MAX) {
    this.#lengthMax = lengthMax
  }

  /** Number of characters kept. */
  get length(): number {
    return this.#length
  }

  /** Returns the answer for a market's current book, with a number of levels a side. */
  read(market: DeskMarket, depth: number): KeptText {
    const key = `${market.terms.code} ${depth}`
    const { seq } = market.progress
    const known = this.#texts.get(key)
    if (known?.seq === seq) return known.kept
    const text = successJson(200, DONE.orderBookFetched, orderBookView(market, depth))
    this.#drop(key)
    const kept = new KeptText(text)
    this.#texts.set(key, { seq, kept })
    this.#length += text.length
    for (const oldest of this.#texts.keys()) {
      if (this.#length <= this.#lengthMax) break
      this.#drop(oldest)
    }
    return kept
  }

  #drop(key: string): void {
    this.#length -= this.#texts.get(key)?.kept.text.length ?? 0
    this.#texts.delete(key)
  }
}
