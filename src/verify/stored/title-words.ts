import type { Database } from '../../store/database.js'
import type { Findings } from '../findings.js'

const WORD = 'doc, offset, term'

/**
 * Compares the words of the search index, which SQLite keeps in tables of its own that the journal does not
 * cover, with the titles, which it does: the titles are split once more, into temporary tables, since the
 * file is only read.
 */
export function checkTitleWords(database: Database, findings: Findings): void {
  database.exec(`
    CREATE VIRTUAL TABLE temp.title_words USING fts5 (
      title, content = '', tokenize = "unicode61 remove_diacritics 2 categories 'L* M* N* Co'"
    );
    INSERT INTO temp.title_words (rowid, title) SELECT code, folded(title) FROM main.markets;
    CREATE VIRTUAL TABLE temp.expected_words USING fts5vocab (temp, title_words, instance);
    CREATE VIRTUAL TABLE temp.stored_words USING fts5vocab (main, market_words, instance)`)
  try {
    for (const [market, offset, word] of difference(database, 'expected_words', 'stored_words')) {
      findings.add(() => `market ${market}: the search misses word ${offset + 1} of its title, ${word}`)
    }
    for (const [market, offset, word] of difference(database, 'stored_words', 'expected_words')) {
      findings.add(() => `market ${market}: the search has ${word} as word ${offset + 1} of its title`)
    }
  } finally {
    database.exec('DROP TABLE temp.stored_words; DROP TABLE temp.expected_words; DROP TABLE temp.title_words')
  }
}

function difference(database: Database, one: string, other: string): Iterable<[number, number, string]> {
  const sql = `SELECT ${WORD} FROM temp.${one} EXCEPT SELECT ${WORD} FROM temp.${other}`
  return database.prepare<unknown[], [number, number, string]>(sql).raw().all()
}
