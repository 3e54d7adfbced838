import t from 'tap'
import { verifyFile } from '../../src/verify/verify-file.js'
import { TestGroup } from '../fixtures/group-exchange.js'
import { TestExchange } from '../fixtures/test-exchange.js'

const FEES = { taker: 100, maker: 50, categories: new Map() }

/** Asha holds 2 NO of A and 2 NO of B; ben and cora have the other side; all have paid fees. */
async function charged(t: Parameters<typeof TestExchange.open>[0]) {
  const test = await TestExchange.open(t, { fees: FEES })
  const group = await TestGroup.create(test, 3)
  await group.play('A: ben buy 2 @ 4', 'A: asha sell 2 @ 4', 'B: cora buy 2 @ 3', 'B: asha sell 2 @ 3')
  return { test, group }
}

t.test('starts with a group that has settled and whose fees have left it', async t => {
  const { test, group } = await charged(t)
  await group.convert('asha release 1 of AB')
  await group.close()
  await group.resolve('C')
  const collected = test.exchange.archive.feesCollected
  t.ok(collected > 0)
  await test.restart()
  t.ok(test.exchange.moneyIsAllThere())
  t.equal(test.exchange.archive.feesCollected, collected)
  await test.close()
  t.ok(verifyFile(test.file).ok)
})

t.test('starts with a void group, and keeps none of its fees', async t => {
  const { test, group } = await charged(t)
  await group.close('A')
  await group.resolveOne('A', 'no')
  await test.restart()
  await group.resolve('void')
  for (const user of ['asha', 'ben', 'cora']) {
    t.equal(test.money(user), 'cash 1000 held 0 available 1000', user)
  }
  await test.restart()
  t.ok(test.exchange.moneyIsAllThere())
  t.equal(test.exchange.archive.feesCollected, 0)
})

t.test('refuses to let an eliminated outcome win, even if all others are closed', async t => {
  const test = await TestExchange.open(t)
  const group = await TestGroup.create(test, 3)
  await group.play('A: ben buy 2 @ 4', 'A: asha sell 2 @ 4')
  await group.close()
  await group.resolveOne('A', 'no')
  t.match(await group.resolve('A'), /^refused: A/)
  t.match(await group.resolveOne('A', 'yes'), /^refused/)
  t.equal(group.statuses(), 'A settled no, B closed -, C closed -')
  t.equal(await group.resolve('B'), 'A settled no, B settled yes, C settled no', 'the others still can')
})

t.test('converts an outcome that is named twice once', async t => {
  const test = await TestExchange.open(t)
  const group = await TestGroup.create(test, 3)
  await group.play('A: ben buy 1 @ 4', 'A: asha sell 1 @ 4')
  t.equal(await group.convert('asha release 1 of AA'), 'cash 0')
  t.equal(group.contracts('asha'), 'B yes 1 no 0, C yes 1 no 0')
  t.ok(test.exchange.moneyIsAllThere())
})

t.test('creates no group in which two outcomes have one slug', async t => {
  const test = await TestExchange.open(t)
  t.same(await TestGroup.tryCreate(test, 3, { labels: 'ABA' }), { refusal: 'slug_used', index: 2 })
  t.equal([...test.exchange.directory.all()].length, 0)
})
