import type { Test } from 'tap'
import t from 'tap'
import type { Database } from '../../src/store/database.js'
import { openDatabase } from '../../src/store/database.js'
import { MarketWords, SEARCH_WORDS_MAX } from '../../src/store/rows/market-words.js'
import { migrateTables } from '../../src/store/tables-schema.js'

/** Indexes titles, the first as market 1. */
function titled(t: Test, titles: readonly string[]): Database {
  const database = openDatabase(':memory:')
  t.teardown(() => database.close())
  migrateTables(database)
  const insert = database.prepare('INSERT INTO market_words (rowid, title) VALUES (?, ?)')
  for (const [index, title] of titles.entries()) insert.run(index + 1, title)
  return database
}

/** Notes what is asked of the index. */
function watched(database: Database): { readonly words: MarketWords; readonly matches: string[] } {
  const matches: string[] = []
  const spy = new Proxy(database, {
    get: (target, name) => {
      if (name !== 'prepare') return Reflect.get(target, name)
      return (sql: string) => {
        const statement = target.prepare<unknown[], number>(sql).pluck()
        const all = (...about: unknown[]) => {
          matches.push(String(about[0]))
          return statement.all(...about)
        }
        return { pluck: () => ({ all }) }
      }
    },
  })
  return { words: new MarketWords(spy), matches }
}

t.test('a search costs one query of a few words, however many it has', t => {
  const { words, matches } = watched(titled(t, ['Rain rains raining in March', 'Rain']))
  t.same(words.search('r RA rain Rain rai raining'.repeat(10), { after: 0 }, 10), [])
  t.same(words.search('r RA rain Rain rai raining R'.toUpperCase(), { after: 0 }, 10), [1])
  t.equal(matches.pop(), '"raining"*', 'a word that begins another one costs nothing')
  const letters = Array.from({ length: 100 }, (_, index) => String.fromCodePoint(0x61 + (index % 26)))
  words.search(letters.join(' '), { after: 0 }, 10)
  t.equal(matches.length, 2, 'one query each')
  t.equal(matches.at(-1)?.split(' ').length, SEARCH_WORDS_MAX)
  t.end()
})

t.test('of too many words the longest count, and none of them may be missing', t => {
  const title = 'aa bb cc dd ee ff gg hhh'
  const words = new MarketWords(titled(t, [title, 'aa bb cc dd ee ff gg']))
  t.same(words.search(`${title} z`, { after: 0 }, 10), [1], 'the shortest of nine is ignored')
  t.same(words.search(`${title.slice(0, -3)} zzz`, { after: 0 }, 10), [])
  t.end()
})

t.test('a search is bounded: by code from behind a market, or the newest', t => {
  const words = new MarketWords(titled(t, ['Rain 1', 'Rain 2', 'Snow', 'Rain 4', 'Rain 5']))
  t.same(words.search('rain', { after: 0 }, 2), [1, 2])
  t.same(words.search('rain', { after: 2 }, 2), [4, 5])
  t.same(words.search('rain', 'newest', 3), [5, 4, 2])
  t.same(words.search('?', 'newest', 3), [])
  t.end()
})
