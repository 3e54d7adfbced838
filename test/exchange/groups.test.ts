import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { amount, lots } from '../../src/core/units.js'
import { verifyFile } from '../../src/verify/verify-file.js'
import { TestGroup } from '../fixtures/group-exchange.js'
import { HOUR, TestExchange } from '../fixtures/test-exchange.js'
import { recoveredDesk } from '../fixtures/recovered-desk.js'

/** Asha holds 2 NO of A at ₹6 and 2 NO of B at ₹7; ben and cora have the other side. */
async function traded(t: Parameters<typeof TestExchange.open>[0], length = 4) {
  const test = await TestExchange.open(t)
  const group = await TestGroup.create(test, length)
  await group.play('A: ben buy 2 @ 4', 'A: asha sell 2 @ 4', 'B: cora buy 2 @ 3', 'B: asha sell 2 @ 3')
  return { test, group }
}

async function isExact(t: Parameters<typeof TestExchange.open>[0], group: TestGroup, what: string) {
  const { escrow, byWinner } = await group.payouts()
  t.same(
    byWinner,
    byWinner.map(() => escrow),
    `${what}: the escrow is what each winner would be paid`,
  )
  t.ok(group.test.exchange.moneyIsAllThere(), what)
}

t.test('converting NO contracts releases the money that they are bound to pay', async t => {
  const { test, group } = await traded(t)
  t.equal(test.money('asha'), 'cash 974 held 0 available 974')
  t.equal(await group.convert('asha release 2 of AB'), 'cash 20')
  t.equal(test.money('asha'), 'cash 994 held 0 available 994')
  t.equal(group.contracts('asha'), 'C yes 2 no 0, D yes 2 no 0')
  await isExact(t, group, 'converted')
  t.equal(await group.convert('asha build 2 of AB'), 'cash -20')
  t.equal(group.contracts('asha'), 'A yes 0 no 2, B yes 0 no 2')
  t.equal(test.money('asha'), 'cash 974 held 0 available 974', 'the reverse costs as much')
  await isExact(t, group, 'built')
})

t.test('a complete set of YES contracts is worth the payout, and costs as much', async t => {
  const { test, group } = await traded(t, 3)
  t.equal(await group.convert('dev build 5 of -'), 'refused: funds_insufficient', 'dev has no account')
  t.equal(await group.convert('asha build 5 of -'), 'cash -50')
  t.equal(group.contracts('asha'), 'A yes 3 no 0, B yes 3 no 0, C yes 5 no 0', 'pairs are merged')
  await isExact(t, group, 'split')
  t.equal(await group.convert('asha release 3 of -'), 'cash 30')
  t.equal(group.contracts('asha'), 'C yes 2 no 0')
  t.equal(await group.convert('asha release 3 of -'), 'refused: contracts_insufficient')
  await isExact(t, group, 'released')
  t.ok(test.exchange.moneyIsAllThere())
})

t.test('contracts locked by an order, and those that are not there, are not converted', async t => {
  const { group } = await traded(t)
  await group.play('A: asha buy 1.5 @ 3.5')
  t.equal(await group.convert('asha release 2 of AB'), 'refused: contracts_insufficient')
  t.equal(await group.convert('asha release 0.5 of AB'), 'cash 5')
  t.equal(await group.convert('ben release 1 of AB'), 'refused: contracts_insufficient')
  t.equal(await group.convert('asha build 900 of ABC'), 'refused: contracts_insufficient')
  t.equal(await group.convert('asha build 900 of ABCD'), 'refused: funds_insufficient')
  t.equal(await group.convert('asha build 1000 of ABCD'), 'refused: capacity_used')
  await isExact(t, group, 'refused')
})

t.test('capacity bounds what is built and filled, and not what is released', async t => {
  const test = await TestExchange.open(t)
  const group = await TestGroup.create(test, 3, { capacity: 500 })
  await group.play('A: ben buy 5 @ 4', 'A: asha sell 5 @ 4', 'B: ben buy 5 @ 3', 'B: asha sell 5 @ 3')
  t.equal(await group.convert('asha build 0.1 of -'), 'refused: capacity_used')
  t.equal(await group.convert('asha release 5 of AB'), 'cash 50', 'now C has 5 YES')
  t.equal(await group.play('C: ben buy 1 @ 4', 'C: dev sell 1 @ 4'), 'cancelled 0 event_capacity')
  await isExact(t, group, 'full')
})

t.test('a build never makes NO beyond capacity, also where a release has made YES beyond it', async t => {
  const test = await TestExchange.open(t)
  const group = await TestGroup.create(test, 3, { capacity: 500 })
  await group.play('A: ben buy 5 @ 3', 'A: asha sell 5 @ 3', 'B: ben buy 5 @ 3', 'B: asha sell 5 @ 3')
  await group.play('C: ben buy 5 @ 3', 'C: cora sell 5 @ 3')
  t.equal(await group.convert('asha release 5 of AB'), 'cash 50', 'now C has 10 YES and 5 NO')
  t.equal(await group.convert('cora build 0.1 of ABC'), 'refused: capacity_used')
  t.equal(await group.convert('cora build 0.1 of -'), 'refused: capacity_used')
  await isExact(t, group, 'full')
  await test.restart()
  await isExact(t, group, 'restarted')
})

t.test('the quantity of an outcome is never edited below its YES or its NO contracts', async t => {
  const test = await TestExchange.open(t)
  const group = await TestGroup.create(test, 3, { capacity: 1000 })
  await group.play('A: ben buy 5 @ 3', 'A: asha sell 5 @ 3', 'B: ben buy 5 @ 3', 'B: asha sell 5 @ 3')
  t.equal(await group.convert('asha release 5 of AB'), 'cash 50', 'now C has 5 YES and no NO')
  const edit = (quantity: number, more = {}) => {
    const terms = { capacity: lots(quantity), ...more }
    return test.exchange.editMarket(group.market('C'), { terms, listing: {} })
  }
  t.match(await edit(499), { reason: 'capacity_used', contracts: 500 })
  t.equal(await edit(500), undefined)
  t.equal(await group.play('C: ben buy 1 @ 4', 'C: dev sell 1 @ 4'), 'cancelled 0 event_capacity')
  await group.play('A: ben buy 3 @ 3', 'A: dev sell 3 @ 3', 'B: ben buy 3 @ 3', 'B: dev sell 3 @ 3')
  t.equal(await group.convert('dev release 3 of AB'), 'cash 30', 'a release is exempt: C has 8 YES')
  t.match(await edit(499), { reason: 'capacity_used', contracts: 800 })
  t.equal(await edit(500, { minBet: amount(10_000) }), undefined, 'other terms can still change')
  t.equal(await edit(600), undefined, 'and it may be raised')
  await isExact(t, group, 'edited')
  await test.restart()
  await isExact(t, group, 'restarted')
})

t.test('a winner is paid all of the escrow, each user once', async t => {
  const { test, group } = await traded(t)
  await group.convert('asha release 1 of AB')
  t.equal(await group.resolve('C'), 'refused: A open', 'an open group gets no result')
  await group.close()
  t.equal(await group.resolve('C'), 'A settled no, B settled no, C settled yes, D settled no')
  // 974 + 10 released, then NO(A), NO(B) and YES(C) of the rest.
  t.equal(test.money('asha'), 'cash 1014 held 0 available 1014')
  t.equal(test.money('ben'), 'cash 992 held 0 available 992')
  t.equal((await group.payouts()).escrow, 0)
  t.equal(
    await group.resolve('C'),
    'A settled no, B settled no, C settled yes, D settled no',
    'the same answer',
  )
  t.match(await group.resolve('A'), /^refused/)
  t.match(await group.resolve('void'), /^refused/)
  t.equal(await group.convert('asha release 1 of AB'), 'refused: group_resolved')
  t.ok(test.exchange.moneyIsAllThere())
})

t.test('an eliminated outcome pays its NO at once; the last one left is closed and wins', async t => {
  const { test, group } = await traded(t, 3)
  t.equal(await group.resolveOne('A', 'no'), 'refused: open', 'a result needs a closed event')
  await group.close('A')
  t.equal(await group.resolveOne('A', 'void'), 'refused: closed', 'a void is for the whole group')
  t.equal(await group.resolveOne('A', 'no'), 'A settled no, B open -, C open -')
  t.equal(test.money('asha'), 'cash 994 held 0 available 994')
  await isExact(t, group, 'eliminated')
  t.equal(await group.convert('asha release 1 of AB'), 'refused: outcome_resolved')
  t.equal(await group.convert('asha release 1 of B'), 'cash 0', 'NO of one is YES of the other')
  t.equal(group.contracts('asha'), 'B yes 0 no 1, C yes 1 no 0')
  await isExact(t, group, 'converted among those left')
  await group.play('C: ben buy 1 @ 2')
  await group.close('B')
  t.equal(await group.resolveOne('B', 'no'), 'A settled no, B settled no, C settled yes')
  t.equal(test.money('asha'), 'cash 1014 held 0 available 1014')
  t.equal(test.money('ben'), 'cash 992 held 0 available 992', 'the resting order is cancelled')
  t.equal((await group.payouts()).escrow, 0)
  t.ok(test.exchange.moneyIsAllThere())
})

t.test('a void reverses everything, an elimination before it included', async t => {
  const { test, group } = await traded(t, 3)
  await group.convert('asha release 1 of AB')
  await group.play('C: asha sell 1 @ 4', 'C: dev buy 1 @ 4')
  await group.close('B')
  await group.resolveOne('B', 'no')
  t.equal(await group.resolve('void'), 'A voided void, B settled no, C voided void')
  for (const user of ['asha', 'ben', 'cora', 'dev']) {
    t.equal(test.money(user), 'cash 1000 held 0 available 1000', user)
    t.equal(group.contracts(user), 'nothing')
  }
  t.equal((await group.payouts()).escrow, 0)
  t.ok(test.exchange.moneyIsAllThere())
})

t.test('in a void, those ahead pay back first, and the house what they cannot', async t => {
  const { test, group } = await traded(t, 3)
  await group.close('A')
  await group.resolveOne('A', 'no')
  // Asha takes what she was paid out of the exchange.
  await test.exchange.transfer({
    txnId: 'w',
    userId: 'asha',
    direction: 'withdrawal',
    amount: 9_940_000 as never,
  })
  t.equal(await group.resolve('void'), 'A settled no, B voided void, C voided void')
  t.equal(test.money('ben'), 'cash 1000 held 0 available 1000')
  t.equal(test.money('asha'), 'cash 6 held 0 available 6', 'she had put 26 in, and got 20 out')
  t.ok(test.exchange.moneyIsAllThere())
})

t.test('repeats a named conversion without making it twice', async t => {
  const { test, group } = await traded(t)
  const [first, second] = await Promise.all([
    group.tryConvert('asha release 1 of AB', 'mine'),
    group.tryConvert('asha release 1 of AB', 'mine'),
  ])
  t.same(
    [first, second].map(answer => (answer as { number?: number }).number),
    [1, 1],
  )
  t.equal(await group.convert('asha release 0.5 of AB', 'mine'), 'key_used')
  await test.restart()
  t.equal(await group.convert('asha release 1 of AB', 'mine'), 'cash 10', 'the answer of before')
  t.equal(test.money('asha'), 'cash 984 held 0 available 984')
})

t.test('a conversion that waits while the group ends is refused, and unlocks', async t => {
  const { test, group } = await traded(t)
  test.now += 24 * HOUR
  t.equal(await group.convert('asha build 1 of -'), 'refused: group_not_open', 'the end has come')
  t.equal(await group.convert('asha release 1 of AB'), 'cash 10', 'a release works until there is a result')
  await group.close()
  const [resolved, converted] = await Promise.all([
    group.resolve('A'),
    group.tryConvert('asha release 1 of AB'),
  ])
  t.match(resolved, /A settled yes/)
  t.same(converted, { refusal: 'group_resolved' })
  t.equal((await group.payouts()).escrow, 0)
})

t.test('creates a group as a whole or not at all', async t => {
  const test = await TestExchange.open(t)
  await test.create({ slug: 'cup-b' })
  t.same(await TestGroup.tryCreate(test, 3), { refusal: 'slug_used', index: 1 })
  t.equal([...test.exchange.directory.all()].length, 1, 'no outcome is left of it')
  const other = await TestGroup.create(test, 3, { title: 'League' })
  t.same(
    other.group.markets.map(({ terms }) => terms.code),
    [1_000_003, 1_000_004, 1_000_005],
  )
  t.equal(other.code, 1_000_002)
})

t.test('outcomes of an independent group end each by itself', async t => {
  const test = await TestExchange.open(t)
  const group = await TestGroup.create(test, 3, { kind: 'independent' })
  await group.play('A: ben buy 2 @ 4', 'A: asha sell 2 @ 4', 'B: cora buy 2 @ 3', 'B: asha sell 2 @ 3')
  await group.close()
  const outcomes = new Map([
    [group.market('A'), 'yes' as const],
    [group.market('B'), 'void' as const],
  ])
  t.equal(await test.exchange.groups.resolveSome(group.group, outcomes, {}), undefined)
  await group.finish()
  t.equal(group.statuses(), 'A settled yes, B voided void, C closed -')
  t.equal(test.money('ben'), 'cash 1012 held 0 available 1012')
  t.equal(test.money('cora'), 'cash 1000 held 0 available 1000')
  t.ok(test.exchange.moneyIsAllThere())
})

t.test('everything about groups survives a restart, another shard count, and verification', async t => {
  const { test, group } = await traded(t)
  await group.convert('asha release 1 of AB', 'mine')
  await group.close('D')
  await group.resolveOne('D', 'no')
  await group.play('C: asha sell 0.5 @ 4', 'A: ben sell 0.5 @ 5')
  const before = [group.contracts('asha'), group.statuses(), await test.exchange.stateHashes()]
  const directory = mkdtempSync(join(tmpdir(), 'raay-groups-'))
  t.teardown(() => rmSync(directory, { recursive: true }))
  for (const shardCount of [1, 3, 2]) {
    const image = test.crashImage(join(directory, `crash-${shardCount}.db`))
    recoveredDesk(image)
    const other = await TestExchange.open(t, { file: image, shardCount })
    t.ok(other.exchange.moneyIsAllThere(), `with ${shardCount} shards`)
    await other.close()
    const report = await verifyFile(image)
    t.same(
      report.checks.filter(({ result }) => result === 'broken').map(({ name, findings }) => [name, findings]),
      [],
    )
  }
  await test.restart()
  t.same([group.contracts('asha'), group.statuses(), await test.exchange.stateHashes()], before)
  await group.close()
  await group.resolve('void')
  await test.close()
  const report = await verifyFile(test.file)
  t.ok(report.ok, JSON.stringify(report.checks.filter(({ result }) => result !== 'ok')))
})
