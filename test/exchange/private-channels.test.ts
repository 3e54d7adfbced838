import { dirname, join } from 'node:path'
import type { Test } from 'tap'
import t from 'tap'
import { orderId } from '../../src/core/order-record.js'
import type { AccountNumber } from '../../src/core/units.js'
import type { UserMessage } from '../../src/core/records/user-message.js'
import { unlessBusy } from '../../src/doors/capacity-refusal.js'
import { MessageReader } from '../../src/exchange/reads/message-reader.js'
import { openReadOnly } from '../../src/store/database.js'
import { Dice } from '../fixtures/dice.js'
import { liveFullDay } from '../fixtures/full-day.js'
import { Operator } from '../fixtures/operator.js'
import { HOUR, MARKET, TestExchange } from '../fixtures/test-exchange.js'
import { UpdatedUser } from '../fixtures/updated-user.js'

/** Reads everything published to a user after a message, page by page. */
async function heardAfter(test: TestExchange, userId: string, userSeq = 0): Promise<UserMessage[]> {
  const messages: UserMessage[] = []
  for (let last = userSeq; ; ) {
    const page = await test.exchange.userChannel.messagesAfter(userId, last)
    if (page.length === 0) return messages
    messages.push(...page)
    last = page.at(-1)?.userSeq ?? last
  }
}

function told(messages: readonly UserMessage[]): UpdatedUser {
  const user = new UpdatedUser()
  for (const message of messages) user.take(message)
  return user
}

/** Summarizes messages in a few words each, without the market. */
function words(messages: readonly UserMessage[]): string[] {
  return messages.map(word)
}

function word(message: UserMessage): string {
  switch (message.type) {
    case 'fill':
      return `fill ${message.fill.quantity / 100} @ ${message.fill.price / 100}`
    case 'order':
      return `order ${message.order.state} ${message.order.filled / 100} of ${message.order.quantity / 100}`
    case 'position':
      return `position ${message.position.yes / 100} ${message.position.no / 100}`
    case 'balance':
      return `balance ${message.cash / 10_000} ${message.held / 10_000}`
  }
}

async function sameAsMemory(t: Test, test: TestExchange, userIds: Iterable<string>): Promise<void> {
  for (const userId of userIds) {
    const user = told(await heardAfter(test, userId))
    const { userChannel } = test.exchange
    const { userSeq, balance, positions, orders } = userChannel.snapshot(userId)
    t.equal(user.userSeq, userSeq, `${userId} heard all`)
    t.same([user.cash, user.held], [balance?.cash, balance?.held], `the balance of ${userId}`)
    const held = positions.map(({ market, contracts: { paid: _, ...contracts } }) => ({
      market,
      ...contracts,
    }))
    t.same(user.heldPositions(), held, `the positions of ${userId}`)
    t.same(user.openOrders(), orders.map(orderId).sort(), `the open orders of ${userId}`)
    for (const [id, order] of user.orders) {
      // The number of its arrival is in memory only.
      t.same({ ...Object(await test.exchange.findOrder(id)), arrival: 0 }, order, id)
    }
    const fills = unlessBusy(await test.exchange.archive.fills(userId, {}, undefined, 100_000))
    t.equal(user.fills.length, fills?.rows.length ?? 0, `the fills of ${userId}`)
  }
}

t.test(
  'a batch publishes fills, orders, positions and the balance, in this order, each numbered',
  async t => {
    const test = await TestExchange.open(t)
    await test.create()
    await test.playAll(['asha buy 10 @ 6', 'ben sell 4 @ 6'])
    t.same(words(await heardAfter(test, 'asha')), [
      'order resting 0 of 10',
      'balance 1000 60',
      'fill 4 @ 6',
      'order partially_filled 4 of 10',
      'position 4 0',
      'balance 976 36',
    ])
    t.same(words(await heardAfter(test, 'ben')), [
      'fill 4 @ 6',
      'order filled 4 of 4',
      'position 0 4',
      'balance 984 0',
    ])
    t.same(words(await heardAfter(test, 'asha', 4)), words(await heardAfter(test, 'asha')).slice(4))
    t.same(await heardAfter(test, 'asha', 7), [])
    t.same(await heardAfter(test, 'asha', 99), [])
    t.same(await heardAfter(test, 'nobody'), [])
  },
)

t.test('locking contracts is published although none has moved', async t => {
  const test = await TestExchange.open(t)
  await test.create()
  await test.playAll(['asha buy 10 @ 6', 'ben sell 10 @ 6'])
  const { userSeq } = test.exchange.userChannel.snapshot('asha')
  const order = await test.place('asha sell 4 @ 9')
  await test.cancel(order)
  const messages = await heardAfter(test, 'asha', userSeq)
  const positions = messages.flatMap(message => (message.type === 'position' ? [message.position] : []))
  t.match(positions, [
    { yes: 1000, yesLocked: 400 },
    { yes: 1000, yesLocked: 0 },
  ])
  await sameAsMemory(t, test, ['asha', 'ben'])
})

t.test('a refusal is published, and moves no money', async t => {
  const test = await TestExchange.open(t)
  await test.create()
  await test.playAll(['asha buy 1000 @ 6'])
  t.same(words(await heardAfter(test, 'asha')), ['order rejected 0 of 0', 'balance 1000 0'])
})

t.test('private messages go to their user only, and never for the escrow or the house', async t => {
  const test = await TestExchange.open(t)
  await test.create()
  await test.playAll(['asha buy 10 @ 6', 'ben sell 10 @ 6', 'cora buy 1 @ 2'])
  const before = test.exchange.userChannel.userSeq('cora')
  await test.playAll(['asha sell 5 @ 7', 'ben buy 5 @ 7'])
  t.equal(test.exchange.userChannel.userSeq('cora'), before)
  const owners = test.rows<{ owner: string }>(
    'SELECT DISTINCT owner FROM updates JOIN accounts ON number = account ORDER BY owner',
  )
  t.same(owners, [{ owner: 'user:asha' }, { owner: 'user:ben' }, { owner: 'user:cora' }])
})

t.test('private messages add up to the balances in memory and in the tables', async t => {
  const test = await TestExchange.open(t, { shardCount: 2 })
  t.same(await liveFullDay(test, new Dice(11), 400), [], 'the day covers every kind of command')
  const owners = test.rows<{ owner: string }>("SELECT owner FROM accounts WHERE owner LIKE 'user:%'")
  const users = owners.map(({ owner }) => owner.slice('user:'.length))
  t.ok(users.length >= 5)
  await sameAsMemory(t, test, users)
  const before = await Promise.all(users.map(userId => heardAfter(test, userId)))
  await test.restart()
  await sameAsMemory(t, test, users)
  t.same(await Promise.all(users.map(userId => heardAfter(test, userId))), before)
})

t.test('a replay continues from any number, in bounded pages', async t => {
  const test = await TestExchange.open(t)
  await test.create()
  await test.create()
  for (let n = 0; n < 150; n++) {
    await test.playAll(
      [`asha buy 0.1 @ ${1 + (n % 5)}`],
      (n % 2 === 0 ? MARKET : MARKET + 1) as typeof MARKET,
    )
  }
  const whole = await heardAfter(test, 'asha')
  t.equal(whole.length, 300)
  for (let from = 0; from <= whole.length; from++) {
    const page = await test.exchange.userChannel.messagesAfter('asha', from)
    t.same(page, whole.slice(from, from + page.length), `after ${from}`)
    if (page.length > 200 || (page.length === 0) !== (from === whole.length))
      t.fail(`${page.length} after ${from}`)
  }
})

t.test('a batch with many messages of one user is read in parts, from any of them', async t => {
  const test = await TestExchange.open(t)
  await test.create()
  for (let n = 0; n < 8; n++) await test.playAll([`asha buy 1 @ ${(10 + n) / 10}`])
  await Promise.all(['ben sell 5 @ 1', 'cora sell 2 @ 1', 'ben sell 1 @ 1'].map(order => test.place(order)))
  const whole = await heardAfter(test, 'asha')
  t.equal(whole.filter(({ type }) => type === 'fill').length, 8)
  const database = openReadOnly(test.file)
  t.teardown(() => database.close())
  const [account = 0] = test
    .rows<{ number: AccountNumber }>("SELECT number FROM accounts WHERE owner = 'user:asha'")
    .map(({ number }) => number)
  for (const messagesMax of [1, 3, 4, 7]) {
    const reader = new MessageReader(database, messagesMax)
    for (let from = 0; from < whole.length; from++) {
      const part = reader.after(account as AccountNumber, from, whole.length)
      t.ok(part.length > 0 && part.length <= messagesMax, `${part.length} messages of ${messagesMax}`)
      t.same(part, whole.slice(from, from + part.length), `after ${from}`)
    }
  }
})

t.test('a settlement publishes to each user the closed position and the new balance', async t => {
  const test = await TestExchange.open(t)
  await test.create()
  await test.playAll(['asha buy 10 @ 6', 'ben sell 10 @ 6', 'asha buy 2 @ 3'])
  const { userSeq } = test.exchange.userChannel.snapshot('asha')
  test.now += 25 * HOUR
  test.exchange.advanceClock()
  await new Operator(test).settle('yes')
  t.same(words(await heardAfter(test, 'asha', userSeq)), [
    'order cancelled 0 of 2',
    'balance 940 0',
    'position 0 0',
    'balance 1040 0',
  ])
  t.same(
    words((await heardAfter(test, 'ben')).slice(-1)),
    ['position 0 0'],
    'users without a payout are notified too',
  )
})

t.test('a crash keeps a prefix of the published messages', async t => {
  const test = await TestExchange.open(t)
  await test.create()
  await test.playAll(['asha buy 10 @ 6', 'ben sell 4 @ 6'])
  const image = test.crashImage(join(dirname(test.file), 'image.db'))
  const before = await heardAfter(test, 'asha')
  await test.playAll(['ben sell 4 @ 6'])
  const whole = await heardAfter(test, 'asha')
  const left = await TestExchange.open(t, { file: image })
  t.same(await heardAfter(left, 'asha'), before)
  t.same(whole.slice(0, before.length), before)
})
