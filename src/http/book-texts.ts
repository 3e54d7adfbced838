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
 * The answers to those who read order books, as text. Whatever changes what a book shows moves the `seq` of
 * its channel, so a text holds until then: many readers between two changes cost one book. To write 800
 * levels takes five times as long as all the rest of a request.
 */
export class BookTexts {
  readonly #lengthMax: number
  /** By market and depth; the one that was written longest ago is the first. */
  readonly #texts = new Map<string, BookText>()
  #length = 0

  /** @param lengthMax how many characters are kept in all; what was written longest ago goes first */
  constructor(lengthMax = LENGTH_MAX) {
    this.#lengthMax = lengthMax
  }

  /** How many characters are kept. */
  get length(): number {
    return this.#length
  }

  /** The answer of a market's book as it is now, with so many levels a side. */
  read(market: DeskMarket, depth: number): KeptText {
    const key = `${market.terms.code} ${depth}`
    const { seq } = market.progress
    const known = this.#texts.get(key)
    if (known?.seq === seq) return known.kept
    const text = successJson(200, 'Order book fetched successfully', orderBookView(market, depth))
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
