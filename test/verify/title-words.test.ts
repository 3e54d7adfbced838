import t from 'tap'
import type { Database } from '../../src/store/database.js'
import { verifyFile } from '../../src/verify/verify-file.js'
import { damagedCopy } from '../fixtures/damaged-copy.js'
import { TestExchange } from '../fixtures/test-exchange.js'
import { wrong } from '../fixtures/wrong.js'

const test = await TestExchange.open(t)
await test.create({ title: 'Café at 5' })
await test.create({ title: 'वर्षा होगी? 🎉' })
await test.create({ title: 'Rain' })
await test.close()

const found = (damage: (database: Database) => void) =>
  wrong(verifyFile(damagedCopy(test.file, damage))).filter(text => text.startsWith('words: '))

t.test('the search has the words of the titles', async t => {
  t.same(wrong(verifyFile(test.file)), [])
})

t.test('a title missing from the search, duplicated or different there is named', async t => {
  const title = "'Café at 5'"
  const remove = `INSERT INTO market_words (market_words, rowid, title) VALUES ('delete', 1000001, ${title})`
  const add = (code: number, words: string) =>
    `INSERT INTO market_words (rowid, title) VALUES (${code}, '${words}')`
  t.same(
    found(database => database.exec(remove)),
    ['cafe', 'at', '5'].map(
      (word, index) => `words: market 1000001: the search misses word ${index + 1} of its title, ${word}`,
    ),
  )
  t.match(
    found(database => database.exec(`${remove}; ${add(1000001, 'Cafe at 6')}`)),
    [/misses word 3 of its title, 5/, /has 6 as word 3 of its title/],
  )
  t.match(
    found(database => database.exec(add(1000009, 'Snow'))),
    [/market 1000009: the search has snow as word 1/],
  )
  t.equal(
    found(database => database.exec("UPDATE markets SET title = 'Rain falls' WHERE code = 1000003")).length,
    1,
  )
  t.equal(
    found(database => database.exec('DROP TABLE market_words')).length,
    1,
    'also without the search table',
  )
})
