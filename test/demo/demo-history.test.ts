import { join } from 'node:path'
import type { Test } from 'tap'
import t from 'tap'
import type { TimeMs } from '../../src/core/units.js'
import { amount, UNITS_PER_RUPEE } from '../../src/core/units.js'
import { BOTS } from '../../src/demo/bots.js'
import { makeHistory } from '../../src/demo/demo-history.js'
import { verifyFile } from '../../src/verify/verify-file.js'
import { dataDirectory } from '../fixtures/server/server-directory.js'
import { TestExchange } from '../fixtures/test-exchange.js'

/** A Saturday noon in India. */
const NOW = Date.parse('2026-11-21T06:30:00.000Z') as TimeMs

async function madeFile(t: Test, seed: number, now = NOW): Promise<string> {
  const file = join(dataDirectory(t), 'raay.db')
  const startingBalance = amount(1_000_000 * UNITS_PER_RUPEE)
  await makeHistory({ file, seed, now, startingBalance, progress: () => {} })
  return file
}

/** Returns the last hash of the journal's chain, which covers every command and its time. */
const endOf = (test: TestExchange) =>
  test.rows('SELECT hex(hash) AS hash FROM journal ORDER BY sequence DESC LIMIT 1')

t.test('a generated history is one that an exchange could have written', async t => {
  const shares: number[] = []
  const file = join(dataDirectory(t), 'raay.db')
  const startingBalance = amount(1_000_000 * UNITS_PER_RUPEE)
  await makeHistory({ file, seed: 1, now: NOW, startingBalance, progress: share => shares.push(share) })
  const report = verifyFile(file)
  t.ok(report.ok, 'raay verify finds nothing', {
    checks: report.checks.filter(({ result }) => result !== 'ok'),
  })
  t.equal(shares.at(-1), 1, 'its progress ends')

  const test = await TestExchange.open(t, { file })
  test.now = NOW
  t.ok(test.exchange.moneyIsAllThere())
  const markets = [...test.exchange.directory.all()]
  const open = markets.filter(({ progress }) => progress.status === 'open')
  const cup = open.filter(({ terms }) => terms.group !== undefined)
  t.equal(cup.length, 8, 'a group of eight teams')
  const sum = cup.reduce((all, { progress }) => all + (progress.lastPrice ?? 0), 0)
  t.ok(sum > 600 && sum < 1500, `their last prices are ${sum} together`)
  t.same([...new Set(open.map(({ listing }) => listing.category))].sort(), [
    'Cricket',
    'Cups',
    'Films',
    'Prices',
    'Space',
    'Stocks',
    'Weather',
  ])
  for (const { terms, progress, ladder, listing } of open) {
    t.ok(terms.endAt >= NOW + 3_600_000, `${listing.title} is open for an hour at least`)
    t.ok(progress.trades > 50, `${progress.trades} trades in ${listing.title}`)
    const [bids, asks] = [ladder.bids(), ladder.asks()]
    t.ok(bids.length >= 2 && asks.length >= 2, `${bids.length} bids, ${asks.length} asks`)
  }
  const over = markets.filter(market => !open.includes(market)).map(({ progress }) => progress.status)
  t.same(over.sort(), ['settled', 'settled', 'voided'])

  t.same(test.rows(`SELECT at FROM journal WHERE at > ${NOW}`), [], 'nothing is from the time to come')
  const owners = test.rows<{ owner: string }>(
    "SELECT owner FROM accounts WHERE owner LIKE 'user:%' ORDER BY owner",
  )
  t.same(
    owners.map(({ owner }) => owner),
    BOTS.map(({ userId }) => `user:${userId}`).sort(),
    'all who traded are bots',
  )
  for (const { userId } of BOTS) t.match(userId, /^bot-/, 'and are called so')
  const rejected = test.rows<{ n: number }>("SELECT count(*) AS n FROM orders WHERE state = 'rejected'")
  const orders = test.rows<{ n: number }>('SELECT count(*) AS n FROM orders')
  t.ok((rejected[0]?.n ?? 0) < (orders[0]?.n ?? 0) / 50, 'bots know the rules')
})

t.test('the same seed and time produce the same history, and another seed a different one', async t => {
  const pasts: { books: string[]; journal: unknown }[] = []
  for (const [name, seed] of [
    ['once', 5],
    ['again', 5],
    ['another seed', 6],
  ] as const) {
    await t.test(name, async t => {
      const test = await TestExchange.open(t, { file: await madeFile(t, seed), shardCount: 1 })
      pasts.push({ books: await test.exchange.stateHashes(), journal: endOf(test) })
    })
  }
  const [once, again, other] = pasts
  t.same(again, once)
  t.notSame(other?.books, once?.books)
  t.notSame(other?.journal, once?.journal)
})
