import type { Test } from 'tap'
import t from 'tap'
import type { AccountNumber } from '../../src/core/units.js'
import { Dice } from '../fixtures/dice.js'
import { TestGroup } from '../fixtures/group-exchange.js'
import { Operator } from '../fixtures/operator.js'
import { TestExchange } from '../fixtures/test-exchange.js'

const USERS = ['asha', 'ben', 'cora', 'dev', 'esha'] as const
/** Holds nothing in the end, and is ahead. */
const OUT = 'fay'
const FEES = { taker: 300, maker: 100, categories: new Map() }

/** Trades and converts at random; asha ends ahead, and her money is in open orders or gone. */
async function traded(t: Test, dice: Dice, fees?: typeof FEES): Promise<TestGroup> {
  const test = await TestExchange.open(t, { startingBalance: 400, ...(fees && { fees }) })
  const group = await TestGroup.create(test, 4)
  for (const user of USERS) {
    await group.play(`A: ${user} buy 1 @ 1`)
    await group.convert(`${user} build 3 of -`)
  }
  for (let step = 0; step < 30; step++) {
    const letter = dice.oneOf(['A', 'B', 'C'])
    const user = dice.oneOf(USERS)
    if (dice.percent(20)) {
      const letters = [...'ABCD'].filter(() => dice.percent(50)).join('') || '-'
      await group.convert(`${user} ${dice.oneOf(['release', 'build'])} ${dice.between(1, 3)} of ${letters}`)
    } else {
      const order = `${dice.oneOf(['buy', 'sell'])} ${dice.between(1, 4)} @ ${dice.between(2, 8)}`
      await group.play(`${letter}: ${user} ${order}`)
    }
  }
  await group.play(
    'D: ben sell 20 @ 0.5',
    'D: asha buy 20 @ 0.5',
    'D: cora buy 20 @ 9.5',
    'D: asha sell 20 @ 9.5',
  )
  await group.play(`D: ${OUT} buy 2 @ 5`, 'D: ben sell 2 @ 5', `D: ${OUT} sell 2 @ 6`, 'D: cora buy 2 @ 6')
  return group
}

/** Takes asha's money out of the exchange, but for five rupees. */
async function spend({ test }: TestGroup): Promise<void> {
  const { available } = test.exchange.balance('asha') ?? { available: 0 }
  await new Operator(test).transfer(`asha withdrawal ${Math.floor(available / 10_000) - 5} as w1`)
}

/** Returns what the preview says: the change of each user's cash, and the totals. */
async function preview({ test, group }: TestGroup, result: string, lengthMax = 100) {
  const winner = result === 'void' ? result : group.markets.find(({ listing }) => listing.label === result)
  if (winner === undefined) throw new Error('a winner is an outcome')
  const { archive } = test.exchange
  const payments = new Map<string, number>()
  let totals: Readonly<Record<string, number>> | undefined
  for (let after: AccountNumber | undefined; ; ) {
    const found = await archive.groupSettlementPreview(group, winner, after, lengthMax)
    if (typeof found === 'string' || 'status' in found) throw new Error('the group can have the result')
    if (after === undefined) totals = { ...found.totals } as Readonly<Record<string, number>>
    for (const { userId, payment } of found.rows) payments.set(userId, payment)
    if (found.rows.length < lengthMax) break
    after = found.rows.at(-1)?.account
  }
  if (totals === undefined) throw new Error('the first page has the totals')
  return { payments, totals }
}

const cashOf = ({ test }: TestGroup) =>
  new Map([...USERS, OUT].map(user => [user, test.exchange.balance(user)?.cash ?? 0]))

async function assertRight(t: Test, group: TestGroup, result: string, early?: () => Promise<unknown>) {
  const before = cashOf(group)
  await early?.()
  const { payments, totals } = await preview(group, result)
  const paged = await preview(group, result, 2)
  t.same([...paged.payments], [...payments], 'pages show each user once')
  await group.finish()
  await group.resolve(result)
  const after = cashOf(group)
  const changed = [...before.keys()].map(user => [user, (after.get(user) ?? 0) - (before.get(user) ?? 0)])
  t.same(
    changed,
    [...before.keys()].map(user => [user, payments.get(user) ?? 0]),
    result,
  )
  const { escrow = 0, collected = 0, shortfall = 0, payout = 0, fees = 0, users } = totals
  t.equal(escrow + collected + shortfall - payout - fees, 0, 'nothing is left over')
  t.equal(users, payments.size)
  return totals
}

t.test('the preview of each result of a group matches what is paid', async t => {
  const dice = Dice.fromEnvironment(t)
  let shortfalls = 0
  for (const result of ['A', 'C', 'void', 'void']) {
    for (const fees of [undefined, FEES]) {
      const group = await traded(t, dice, fees)
      const isVoid = result === 'void'
      if (isVoid) {
        // Most of asha's money is gone, the rest waits in orders.
        await spend(group)
        await group.play('A: asha buy 3 @ 1', 'D: asha buy 2 @ 0.5')
      } else await group.close()
      const totals = await assertRight(t, group, result)
      shortfalls += totals.shortfall ?? 0
      t.equal((totals.fees ?? 0) > 0, fees !== undefined && !isVoid)
    }
  }
  t.ok(shortfalls > 0, 'some owe more than they have')
})

t.test('it counts what an outcome eliminated before has paid, or is yet to pay', async t => {
  for (const result of ['A', 'void']) {
    for (const isPaid of [true, false]) {
      const group = await traded(t, Dice.fromEnvironment(t))
      await group.play('D: ben buy 3 @ 5', 'D: asha buy 3 no @ 5')
      await group.close()
      await spend(group)
      const eliminate = () => group.test.exchange.resolveMarket(group.market('D'), { outcome: 'no' })
      if (isPaid) {
        await eliminate()
        await group.finish()
      }
      await assertRight(t, group, result, isPaid ? undefined : eliminate)
    }
  }
})
