import type { Test } from 'tap'
import t from 'tap'
import type { OrderRecord } from '../../src/core/order-record.js'
import { orderId } from '../../src/core/order-record.js'
import type { MarketCode } from '../../src/core/units.js'
import { lots, ticks, UNITS_PER_RUPEE } from '../../src/core/units.js'
import { Dice } from '../fixtures/dice.js'
import { HOUR, MARKET, START, TestExchange } from '../fixtures/test-exchange.js'

const USERS = ['asha', 'ben', 'cora', 'dev', 'eve'] as const
const LAST = (MARKET + 2) as MarketCode
const MARKETS = [MARKET, (MARKET + 1) as MarketCode, LAST] as const
const MINUTE = 60_000
/** Opening cash in rupees, low enough that many orders lack funds. */
const GIVEN = 400
const ORDERS = 2000
const ORDERS_BETWEEN_RESTARTS = 400
const ENDS = {
  '': 'resting partially_filled filled',
  'cancelled ':
    'user_cancelled self_trade no_liquidity funds_insufficient bet_above_max event_capacity market_closed',
  'rejected ':
    'market_closed funds_insufficient price_off_tick price_out_of_range quantity_off_step ' +
    'bet_below_min bet_above_max',
}

function randomOrder(dice: Dice): string {
  const user = dice.oneOf(USERS)
  const offer = dice.oneOf(['buy', 'sell'])
  const quantity = dice.oneOf([
    0.2,
    1,
    2,
    5,
    10,
    30,
    dice.between(1, 4000) / 100,
    dice.percent(5) ? 1.001 : 3,
  ])
  const outcome = dice.oneOf(['yes', 'no'])
  const isYes = outcome === 'yes'
  const price = dice.oneOf([
    5,
    isYes ? 5.5 : 4.5,
    dice.percent(10) ? 5.005 : 5.05,
    dice.percent(10) ? 9.95 : 6,
  ])
  const where = dice.percent(20) ? 'market' : `@ ${price}`
  const selfTrade = dice.oneOf(['taker', 'taker', 'maker', 'off'])
  return `${user} ${offer} ${quantity} ${outcome} ${where} self ${selfTrade}`
}

/** Checks that every table equals the memory and the trades (invariants, I4). */
function checkTables(t: Test, test: TestExchange): void {
  const accounts = test.rows<{ number: number; owner: string; cash: number; held: number }>(
    'SELECT * FROM accounts',
  )
  const worth = new Map<number, number>()
  const trades = test.rows<
    Record<'price' | 'quantity' | 'taker_account' | 'maker_account', number> & { taker_side: string }
  >('SELECT * FROM trades')
  const add = (account: number, value: number) => worth.set(account, (worth.get(account) ?? 0) + value)
  for (const { price, quantity, taker_account, maker_account, taker_side } of trades) {
    const sign = taker_side === 'yes' ? 1 : -1
    add(taker_account, -sign * price * quantity)
    add(maker_account, sign * price * quantity)
  }
  const positions = test.rows<{ market: number; account: number; yes: number; no: number }>(
    'SELECT * FROM positions',
  )
  for (const { market, account, no } of positions) {
    const payout = test.exchange.market(market as MarketCode)?.terms.payout ?? 0
    add(account, -payout * no)
  }
  let sum = 0
  for (const { number, owner, cash, held } of accounts) {
    sum += cash
    const user = /^user:(.*)$/.exec(owner)?.[1]
    if (user === undefined) continue
    const balance = test.exchange.balance(user)
    const given = GIVEN * UNITS_PER_RUPEE
    if (balance?.cash !== cash || balance.held !== held) t.fail(`${owner}: memory equals the table`)
    if (cash !== given + (worth.get(number) ?? 0)) t.fail(`${owner}: the cash is what the trades say`)
  }
  t.equal(sum, 0, 'all cash sums to zero')
  t.ok(test.exchange.moneyIsAllThere())
}

const endOf = ({ state, reason }: OrderRecord) => (reason === undefined ? state : `${state} ${reason}`)

/** Trades for a day, checking the money whenever nothing is in flight. Returns the endings that none had. */
async function tradeAtRandom(t: Test, dice: Dice): Promise<string[]> {
  const test = await TestExchange.open(t, { startingBalance: GIVEN })
  await test.create({ minBet: 2, maxBet: 60, capacity: lots(1200) })
  await test.create({ tickSize: ticks(5), maxBet: 30 })
  await test.create({ endAt: START + 5 * HOUR, maxBet: 2000 })
  const ids: string[] = []
  const ends = new Set<string>()
  const note = (order: OrderRecord) => {
    ids.push(orderId(order))
    ends.add(endOf(order))
  }
  let pending: Promise<unknown>[] = []
  for (let count = 1; count <= ORDERS; count++) {
    if (count % 20 === 0) test.now += 4 * MINUTE
    pending.push(test.place(randomOrder(dice), dice.oneOf(dice.percent(30) ? [LAST] : MARKETS)).then(note))
    const [first, ...rest] = ids.slice(-40)
    if (dice.percent(15) && first !== undefined) {
      pending.push(test.exchange.cancelOrder(dice.oneOf([first, ...rest])))
    }
    if (dice.percent(30)) {
      await Promise.all(pending)
      pending = []
      if (!test.exchange.moneyIsAllThere()) t.fail(`the money is all there after order ${count}`)
    }
    if (count % ORDERS_BETWEEN_RESTARTS === 0) await restart(t, test, pending)
  }
  await test.exchange.drain()
  checkTables(t, test)
  t.equal(new Set(ids).size, ORDERS, 'each order has an id of its own')
  for (const id of ids) {
    const order = await test.exchange.findOrder(id)
    if (typeof order !== 'object' || orderId(order) !== id) t.fail(`${id} is kept`)
    else if (order.filled > order.quantity) t.fail(`${id} is never filled beyond its quantity`)
    else ends.add(endOf(order))
  }
  t.same(test.failures, [])
  const wanted = Object.entries(ENDS).flatMap(([how, why]) => why.split(' ').map(reason => how + reason))
  return wanted.filter(end => !ends.has(end))
}

async function restart(t: Test, test: TestExchange, pending: Promise<unknown>[]): Promise<void> {
  await Promise.all(pending)
  await test.exchange.drain()
  const before = [
    MARKETS.map(code => test.book(code)),
    USERS.map(test.money, test),
    await test.exchange.stateHashes(),
  ]
  checkTables(t, test)
  await test.restart()
  const after = [
    MARKETS.map(code => test.book(code)),
    USERS.map(test.money, test),
    await test.exchange.stateHashes(),
  ]
  t.same(after, before, 'a restart changes nothing')
}

t.test(
  'the money adds up after 2,000 orders of 5 users, with restarts and every way an order can end',
  async t => t.same(await tradeAtRandom(t, new Dice(1)), [], 'every way to end was taken'),
)

t.test('the money adds up after another 2,000 random orders', async t => {
  await tradeAtRandom(t, Dice.fromEnvironment(t))
})
