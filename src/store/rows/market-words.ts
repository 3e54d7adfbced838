import type { MarketCode } from '../../core/units.js'
import type { Database, Statement } from '../database.js'

/** A word, as SQLite's tokenizer sees it: letters with their marks, and digits. */
const WORD = /[\p{L}\p{M}\p{N}\p{Co}]+/gu

/** Full-text search in market titles. */
export class MarketWords {
  readonly #select: Statement<MarketCode>

  constructor(database: Database) {
    this.#select = database
      .prepare<unknown[], MarketCode>(
        'SELECT rowid FROM market_words WHERE market_words MATCH ? AND rowid > ? ORDER BY rowid LIMIT ?',
      )
      .pluck()
  }

  /**
   * Returns the codes of markets whose titles contain, for each word of the text, a word that starts with it;
   * none if the text has no words.
   */
  search(text: string, after: number, lengthMax: number): MarketCode[] {
    const words = text.match(WORD)
    if (words === null) return []
    // Each word is quoted and contains no quote, so user input is never query syntax.
    return this.#select.all(words.map(word => `"${word}"*`).join(' '), after, lengthMax)
  }
}
