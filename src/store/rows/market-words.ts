import type { MarketCode } from '../../core/units.js'
import type { Database, Statement } from '../database.js'

/** What SQLite takes for a word, too: letters with their marks, and digits. */
const WORD = /[\p{L}\p{M}\p{N}\p{Co}]+/gu

/** The search in the titles of markets. What it searches is written with each market. */
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
   * The codes of the markets whose titles have, for each word of the text, a word that begins with it; none
   * where the text has no words.
   */
  search(text: string, after: number, lengthMax: number): MarketCode[] {
    const words = text.match(WORD)
    if (words === null) return []
    // In quotes, and with no quote inside: whatever a user writes is no syntax.
    return this.#select.all(words.map(word => `"${word}"*`).join(' '), after, lengthMax)
  }
}
