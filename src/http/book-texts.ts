import { DONE } from '../api/answer-texts.js'
import { orderBookView } from '../api/events/event-view.js'
import type { DeskMarket } from '../exchange/markets/desk-market.js'
import { successJson } from './middleware/envelope.js'
import type { KeptText } from './middleware/kept-text.js'
import { TextShelf } from './text-shelf.js'

/**
 * Keeps the answers to requests for order books as text. Every visible change of a book advances the `seq` of
 * its channel, so a text stays valid until then: many readers between two changes cost one book. Writing 800
 * levels takes five times as long as the rest of a request.
 */
export class BookTexts {
  /** By market and depth, with the `seq` shown. */
  readonly #texts: TextShelf<number>

  /** @param lengthMax characters kept in all */
  constructor(lengthMax?: number) {
    this.#texts = new TextShelf(lengthMax)
  }

  /** Number of characters kept. */
  get length(): number {
    return this.#texts.length
  }

  /** Returns the answer for a market's current book, with a number of levels a side. */
  read(market: DeskMarket, depth: number): KeptText {
    const key = `${market.terms.code} ${depth}`
    const { seq } = market.progress
    const known = this.#texts.find(key)
    if (known?.version === seq) return known.kept
    const text = successJson(200, DONE.orderBookFetched, orderBookView(market, depth))
    return this.#texts.keep(key, seq, text)
  }
}
