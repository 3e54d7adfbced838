import type { MarketCode } from '../../core/units.js'
import type { Database, Statement } from '../database.js'
import { folded } from '../folded.js'

/** A word, as SQLite's tokenizer sees it: letters with their marks, and digits. */
const WORD = /[\p{L}\p{M}\p{N}\p{Co}]+/gu
/** The words of a search that count: each costs a list of all titles that have it. */
export const SEARCH_WORDS_MAX = 8

/** The start of a search: behind a market, or the newest. */
export type SearchFrom = { readonly after: number } | 'newest'

/** Full-text search in market titles, which the index has folded, as the searches are. */
export class MarketWords {
  readonly #selectAfter: Statement<MarketCode>
  readonly #selectNewest: Statement<MarketCode>

  constructor(database: Database) {
    this.#selectAfter = database
      .prepare<unknown[], MarketCode>(
        'SELECT rowid FROM market_words WHERE market_words MATCH ? AND rowid > ? ORDER BY rowid LIMIT ?',
      )
      .pluck()
    this.#selectNewest = database
      .prepare<unknown[], MarketCode>(
        'SELECT rowid FROM market_words WHERE market_words MATCH ? ORDER BY rowid DESC LIMIT ?',
      )
      .pluck()
  }

  /**
   * Returns the codes of markets whose titles contain, for each word of the text that counts, a word that
   * starts with it; none if the text has no words. By code, or the newest first.
   */
  search(text: string, from: SearchFrom, lengthMax: number): MarketCode[] {
    const words = wordsOf(text)
    if (words.length === 0) return []
    // Each word is quoted and contains no quote, so user input is never query syntax.
    const match = words.map(word => `"${word}"*`).join(' ')
    if (from === 'newest') return this.#selectNewest.all(match, lengthMax)
    return this.#selectAfter.all(match, from.after, lengthMax)
  }
}

/**
 * Returns the words of a text that count: those that begin no other, because whatever has the longer word has
 * the shorter one too; and of these the longest, which fit the fewest titles.
 */
function wordsOf(text: string): readonly string[] {
  const words = [...new Set(folded(text).match(WORD))]
  return words
    .filter(word => !words.some(other => other !== word && other.startsWith(word)))
    .sort((a, b) => b.length - a.length)
    .slice(0, SEARCH_WORDS_MAX)
}
