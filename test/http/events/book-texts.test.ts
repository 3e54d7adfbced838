import t from 'tap'
import { orderBookView } from '../../../src/api/events/event-view.js'
import { lots, ticks } from '../../../src/core/units.js'
import type { DeskMarket } from '../../../src/exchange/markets/desk-market.js'
import { BookTexts } from '../../../src/http/book-texts.js'
import { successJson } from '../../../src/http/middleware/envelope.js'
import { Dice } from '../../fixtures/dice.js'
import { appOn } from '../../fixtures/http-scenario.js'
import { HOUR, MARKET, START, TestExchange } from '../../fixtures/test-exchange.js'

const DEPTHS = [1, 3, 10_000]
const written = (market: DeskMarket, depth: number) =>
  successJson(200, 'Order book fetched successfully', orderBookView(market, depth))

t.test('a book read reflects the latest change', async t => {
  const dice = Dice.fromEnvironment(t)
  const test = await TestExchange.open(t)
  const { app } = appOn(test)
  const market = await test.create()
  const other = await test.create({ endAt: START + HOUR })
  let changes = 0
  const check = async (what: string) => {
    for (const { terms } of [market, other]) {
      for (const query of ['', ...DEPTHS.map(depth => `?depth=${depth}`)]) {
        const depth = Number(query.slice(7) || 10_000)
        const text = await (await app.request(`/events/${terms.code}/orderbook${query}`)).text()
        const now = test.exchange.market(terms.code) as DeskMarket
        if (text !== written(now, depth)) t.fail(`${what}: the book of ${terms.code} is an old one`, { text })
      }
    }
    changes++
  }
  for (let step = 0; step < 200; step++) {
    const user = dice.oneOf(['asha', 'ben', 'cora'])
    const price = dice.percent(10) ? 'market' : `@ ${dice.between(46, 54) / 10}`
    const order = `${user} ${dice.oneOf(['buy', 'sell'])} ${dice.between(1, 9)} ${price}`
    const placed = await test.place(order, dice.oneOf([MARKET, other.terms.code]))
    await check(order)
    if (dice.percent(30)) await test.cancel(placed)
    await check('a cancel')
  }
  for (const move of ['halt', 'resume', 'close'] as const) {
    await test.exchange.moveMarket(market, move)
    await check(move)
  }
  test.now = START + HOUR
  test.exchange.advanceClock()
  await test.exchange.drain()
  await check('the end')
  await test.exchange.resolveMarket(other, { outcome: 'void' })
  await test.exchange.drain()
  await check('void')
  t.equal(changes, 405)
  t.match(await (await app.request(`/events/${MARKET}/orderbook`)).text(), /"status":"closed","bids":\[\]/)
})

t.test('a text is written once per change, and the total kept is bounded', async t => {
  const test = await TestExchange.open(t)
  const markets: DeskMarket[] = []
  for (let market = 0; market < 5; market++) markets.push(await test.create())
  const [first, second] = markets as [DeskMarket, DeskMarket]
  const length = written(first, 1).length
  const one = new BookTexts()
  one.read(first, 1)
  t.ok(one.length > length, 'the memory that holds a text counts, too')
  const texts = new BookTexts(3 * one.length)
  const text = texts.read(first, 1)
  t.equal(text.text, written(first, 1))
  t.equal(texts.read(first, 1), text)
  t.equal(texts.length, one.length, 'what is kept is counted once')
  first.ladder.add(true, ticks(400), lots(100))
  t.equal(texts.read(first, 1), text, 'it is not written again before the channel has moved on')
  first.ladder.add(true, ticks(400), lots(-100))
  for (const market of markets) {
    t.equal(texts.read(market, 1).text, written(market, 1))
    t.ok(texts.length <= 3 * one.length)
  }
  for (let depth = 1; depth <= 100; depth++) texts.read(second, depth)
  t.equal(texts.length, 3 * one.length)
  await test.place('asha buy 1 @ 5', first.terms.code)
  t.match(texts.read(first, 1).text, /"bids":\[\[5,1\]\]/)
  t.equal(
    new BookTexts(0).read(first, 1).text,
    written(first, 1),
    'a text too long to be kept is sent all the same',
  )
})

t.test('a plain read of a book is answered at once, and no guard defers it to another turn', async t => {
  const test = await TestExchange.open(t)
  const { app } = appOn(test)
  await test.create()
  for (const base of ['', '/api/v1']) {
    const plain = app.request(`${base}/events/${MARKET}/orderbook`)
    t.notOk(plain instanceof Promise, 'no promise is made')
    t.equal((await plain).status, 200)
  }
  for (const wrong of ['?depht=3', '?%ff', '%ff']) {
    const guarded = await app.request(`/events/${MARKET}/orderbook${wrong}`)
    t.match(String(guarded.status), /^4(?:00|22)$/, `${wrong} is still guarded`)
  }
})
