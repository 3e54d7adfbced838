import t from 'tap'
import { BrokenInvariant } from '../../src/core/assert.js'
import type { BatchOutcome, EngineEvent } from '../../src/core/engine-event.js'
import type { MarketCode, OrderNumber, TimeMs } from '../../src/core/units.js'
import { amount, lots } from '../../src/core/units.js'
import type { DeskOrder } from '../fixtures/naive/engine-desk.js'
import { EngineDesk, MARKET } from '../fixtures/naive/engine-desk.js'

const CASH = 100_000
/** More items than V8 passes to one call on a stack of usual size. */
const DEEP = 140_000
const NOBODY = 999 as OrderNumber

/** Opens a desk with one open market and three users with the same balance. */
function openDesk(capacity = 1e9): EngineDesk {
  const desk = new EngineDesk()
  desk.create({ capacity: lots(capacity) })
  for (const user of ['anna', 'bala', 'chand']) desk.open(user, CASH)
  desk.commit()
  return desk
}

/** Places one order and commits it alone. */
function trade(desk: EngineDesk, words: string, more: Partial<DeskOrder> = {}): BatchOutcome {
  const [user = '', side, quantity, , price] = words.split(' ')
  desk.place({
    user,
    side: side === 'yes' ? 'yes' : 'no',
    quantity: Number(quantity),
    price: price === 'market' ? price : Number(price),
    ...more,
  })
  return desk.commit()
}

function told<Type extends EngineEvent['type']>(outcome: BatchOutcome, type: Type) {
  return outcome.events.filter(
    (event): event is Extract<EngineEvent, { readonly type: Type }> => event.type === type,
  )
}

/** Returns how the order was last reported to end. */
const cancelled = (outcome: BatchOutcome) =>
  told(outcome, 'order_cancelled').map(({ order, remaining, reason }) => `${order} ${remaining} ${reason}`)

t.test('money', async t => {
  t.test('two buyers mint pairs: each pays their own price and the escrow holds both payments', async t => {
    const desk = openDesk()
    trade(desk, 'anna no 10 @ 540')
    t.same(desk.balance('anna'), { cash: CASH, held: 4600 })
    const outcome = trade(desk, 'bala yes 10 @ 540')
    t.same(desk.balance('anna'), { cash: CASH - 4600, held: 0 })
    t.same(desk.balance('bala'), { cash: CASH - 5400, held: 0 })
    t.same(
      [desk.contracts('anna'), desk.contracts('bala')],
      [
        { yes: 0, no: 10 },
        { yes: 10, no: 0 },
      ],
    )
    t.match(outcome.markets, [{ openPairs: 10, volume: 10, trades: 1, lastPrice: 540 }])
    t.match(told(outcome, 'traded'), [{ taker: 2, takerSide: 'yes', fills: [{ trade: 1, maker: 1 }] }])
  })

  t.test('price improvement is refunded at once, even while the remainder rests', async t => {
    const desk = openDesk()
    trade(desk, 'anna no 10 @ 400')
    trade(desk, 'bala yes 15 @ 540')
    t.same(desk.balance('bala'), { cash: CASH - 4000, held: 5 * 540 })
    trade(desk, 'chand no 9 @ 300')
    t.same(desk.balance('chand'), { cash: CASH - 5 * 460, held: 4 * 700 })
  })

  t.test('selling owned contracts needs no money and mints no pair', async t => {
    const desk = openDesk()
    trade(desk, 'anna no 10 @ 540')
    trade(desk, 'bala yes 10 @ 540')
    trade(desk, 'bala no 10 @ 700')
    t.same(desk.balance('bala'), { cash: CASH - 5400, held: 0 })
    const outcome = trade(desk, 'chand yes 4 @ 700')
    t.match(outcome.markets, [{ openPairs: 10 }])
    t.same(desk.balance('bala'), { cash: CASH - 5400 + 2800, held: 0 })
    t.same(
      [desk.contracts('bala'), desk.contracts('chand')],
      [
        { yes: 6, no: 0 },
        { yes: 4, no: 0 },
      ],
    )
    t.match(outcome.orders, [
      { number: 4, state: 'filled' },
      { number: 3, covered: 6, state: 'partially_filled' },
    ])
  })

  t.test('two sellers burn pairs and are paid from the escrow', async t => {
    const desk = openDesk()
    trade(desk, 'anna no 10 @ 540')
    trade(desk, 'bala yes 10 @ 540')
    trade(desk, 'bala no 10 @ 600')
    const outcome = trade(desk, 'anna yes 10 @ 600')
    t.match(outcome.markets, [{ openPairs: 0 }])
    t.same(desk.balance('bala'), { cash: CASH + 600, held: 0 })
    t.same(desk.balance('anna'), { cash: CASH - 600, held: 0 })
    t.same(
      [desk.contracts('anna'), desk.contracts('bala')],
      [
        { yes: 0, no: 0 },
        { yes: 0, no: 0 },
      ],
    )
  })

  t.test('a merge turns pairs into cash, but never more than are open', async t => {
    const desk = openDesk()
    desk.place({ user: 'anna', side: 'no', quantity: 5, price: 500 })
    desk.place({ user: 'bala', side: 'yes', quantity: 5, price: 500 })
    // In the same batch, so the desk does not yet know that he will hold YES.
    desk.place({ user: 'bala', side: 'no', quantity: 3, price: 400 })
    desk.place({ user: 'chand', side: 'yes', quantity: 3, price: 400 })
    desk.commit()
    t.same(desk.contracts('bala'), { yes: 5, no: 3 })
    t.equal(desk.merge('bala'), 3)
    const outcome = desk.commit()
    t.match(outcome.markets, [{ openPairs: 5 }])
    t.same(desk.contracts('bala'), { yes: 2, no: 0 })
    t.same(desk.balance('bala'), { cash: CASH - 2500 - 1800 + 3000, held: 0 })
    const [merge] = desk.batches.at(-1)?.commands ?? []
    t.match(merge, { type: 'MERGE_PAIRS', quantity: 3 })
    if (merge?.type !== 'MERGE_PAIRS') return
    const tooMany = { ...merge, quantity: lots(6) }
    t.throws(() => desk.engine.apply({ at: 0 as TimeMs, commands: [tooMany] }), BrokenInvariant)
  })

  t.test('an account opens with money from outside', async t => {
    const desk = new EngineDesk()
    desk.open('anna', 7)
    t.same(desk.commit().accounts, [
      { account: 4, cash: 7, held: 0 },
      { account: 1, cash: -7, held: 0 },
    ])
  })
})

t.test('orders that end early', async t => {
  t.test('a market order stops when its funds run out, and the unused part is released', async t => {
    const desk = openDesk()
    desk.open('dev', 1530)
    trade(desk, 'anna no 2 @ 500')
    trade(desk, 'anna no 9 @ 540')
    const outcome = trade(desk, 'dev yes 9 @ market')
    t.same(cancelled(outcome), ['3 7 funds_insufficient'])
    t.same(desk.balance('dev'), { cash: 530, held: 0 })
    t.match(told(outcome, 'order_placed'), [{ order: 3, executed: 2 }])
  })

  t.test('a market order cut by the maximum bet reports bet_above_max, not missing funds', async t => {
    const desk = openDesk()
    trade(desk, 'anna no 9 @ 500')
    t.same(cancelled(trade(desk, 'bala yes 9 @ market', { betMax: 1200 })), ['2 7 bet_above_max'])
    t.same(desk.balance('bala'), { cash: CASH - 1000, held: 0 })
  })

  t.test('a market order never rests, and leaves nothing held', async t => {
    const desk = openDesk()
    const outcome = trade(desk, 'bala yes 9 @ market')
    t.same(cancelled(outcome), ['1 9 no_liquidity'])
    t.same(desk.balance('bala'), { cash: CASH, held: 0 })
    t.same(told(outcome, 'book_changed'), [])
  })

  t.test('the capacity of the event is never exceeded', async t => {
    const desk = openDesk(12)
    trade(desk, 'anna no 10 @ 500')
    trade(desk, 'bala yes 10 @ 500')
    trade(desk, 'anna no 5 @ 500')
    t.same(cancelled(trade(desk, 'chand yes 5 @ 500')), ['4 3 event_capacity'])
    t.same(cancelled(trade(desk, 'chand yes 5 @ 500')), ['5 5 event_capacity'])
    t.same(desk.balance('chand'), { cash: CASH - 1000, held: 0 })
    trade(desk, 'bala no 10 @ 400')
    const outcome = trade(desk, 'chand yes 4 @ 400')
    t.match(outcome.markets, [{ openPairs: 12 }], 'contracts still change hands')
    t.same(cancelled(outcome), [])
  })

  t.test('an order fills or cancels no more resting orders than its admission allows', async t => {
    const desk = openDesk()
    for (const price of [500, 500, 510]) trade(desk, `anna no 1 @ ${price}`)
    for (const price of [500, 505]) trade(desk, `bala no 1 @ ${price}`)
    const killed = trade(desk, 'bala yes 3 @ 510', { selfTrade: 'maker', timeInForce: 'FOK', makersMax: 4 })
    t.same(cancelled(killed), ['6 3 fill_or_kill'], 'two of its own are in the way of the third fill')
    t.match(told(killed, 'order_placed'), [{ executed: 0 }])
    const swept = trade(desk, 'bala yes 9 @ 510', { selfTrade: 'maker', makersMax: 4 })
    t.same(cancelled(swept), ['4 1 self_trade', '5 1 self_trade', '7 7 match_limit'])
    t.match(told(swept, 'order_placed'), [{ executed: 2 }])
    t.same(desk.balance('bala'), { cash: CASH - 2 * 500, held: 0 })
    t.equal(desk.engine.markets()[0]?.book.size, 1, 'the last order of the other side rests on')
    const exact = trade(desk, 'bala yes 1 @ 510', { timeInForce: 'FOK', makersMax: 1 })
    t.same(cancelled(exact), [])
  })

  t.test(
    'an amendment of an older journal is compared with the minimum of its arrival, a later one is not',
    async t => {
      for (const isOlder of [true, undefined]) {
        const desk = openDesk()
        const number = desk.place({ user: 'anna', side: 'yes', quantity: 10, price: 500 })
        desk.commit()
        const terms = { minBet: amount(5000) }
        desk.send({ type: 'EDIT_MARKET', id: 'edit', market: MARKET, terms, listing: {} })
        desk.replace(number, { price: 499, quantity: 10, ...(isOlder && { isOlder }) })
        const outcome = desk.commit()
        const refused = told(outcome, 'order_rejected').map(({ reason }) => reason)
        t.same(refused, isOlder ? ['bet_below_min'] : [])
        t.same(cancelled(outcome), isOlder ? [] : [`${number} 10 order_replaced`])
        t.same(desk.balance('anna'), { cash: CASH, held: isOlder ? 5000 : 4990 })
      }
    },
  )

  t.test('a user trades with themselves only if they ask for it', async t => {
    const desk = openDesk()
    trade(desk, 'bala no 5 @ 500')
    t.same(cancelled(trade(desk, 'bala yes 3 @ 500')), ['2 3 self_trade'])
    t.same(desk.balance('bala'), { cash: CASH, held: 2500 })
    const kept = trade(desk, 'bala yes 3 @ 500', { selfTrade: 'maker' })
    t.same(cancelled(kept), ['1 5 self_trade'])
    t.same(desk.balance('bala'), { cash: CASH, held: 1500 })
    const own = trade(desk, 'bala no 3 @ 500', { selfTrade: 'off' })
    t.equal(told(own, 'traded').length, 1)
    t.same(desk.contracts('bala'), { yes: 3, no: 3 })
    t.same(desk.balance('bala'), { cash: CASH - 3000, held: 0 })
  })
})

t.test('cancels', async t => {
  t.test('give back the hold and the locks, once', async t => {
    const desk = openDesk()
    trade(desk, 'anna no 10 @ 540')
    trade(desk, 'bala yes 6 @ 540')
    trade(desk, 'bala no 9 @ 700')
    desk.cancel(1 as OrderNumber)
    desk.cancel(3 as OrderNumber)
    desk.cancel(1 as OrderNumber)
    const outcome = desk.commit()
    t.same(cancelled(outcome), ['1 4 user_cancelled', '3 9 user_cancelled'])
    t.same(desk.balance('anna'), { cash: CASH - 6 * 460, held: 0 })
    t.same(desk.balance('bala'), { cash: CASH - 6 * 540, held: 0 })
  })

  t.test('do nothing to an order that is filled, cancelled or unknown', async t => {
    const desk = openDesk()
    trade(desk, 'anna no 5 @ 540')
    trade(desk, 'bala yes 5 @ 540')
    desk.cancel(1 as OrderNumber)
    desk.cancel(NOBODY)
    const outcome = desk.commit()
    t.same(outcome.events, [])
    t.same(outcome.orders, [])
    t.same(outcome.accounts, [])
  })

  t.test('remove an order of the same batch without a book change', async t => {
    const desk = openDesk()
    const number = desk.place({ user: 'anna', side: 'no', quantity: 5, price: 540 })
    desk.cancel(number)
    const outcome = desk.commit()
    t.match(outcome.orders, [{ number, filled: 0, covered: 0, state: 'cancelled', reason: 'user_cancelled' }])
    t.match(outcome.accounts, [{ cash: 0, held: 0 }])
  })
})

t.test('the life of a market', async t => {
  t.test('its close cancels every resting order and releases every hold', async t => {
    const desk = openDesk()
    trade(desk, 'anna no 10 @ 540')
    trade(desk, 'bala yes 6 @ 540')
    trade(desk, 'bala no 9 @ 700')
    trade(desk, 'chand yes 2 @ 100')
    desk.move('closed')
    const outcome = desk.commit()
    t.same(cancelled(outcome).sort(), ['1 4 market_closed', '3 9 market_closed', '4 2 market_closed'])
    t.match(told(outcome, 'market_moved'), [{ status: 'closed' }])
    for (const user of ['anna', 'bala', 'chand']) t.equal(desk.balance(user).held, 0)
    t.equal(desk.engine.markets()[0]?.book.size, 0)
  })

  t.test('no order trades before it opens or after it closes', async t => {
    const desk = new EngineDesk()
    desk.create({}, 'scheduled')
    desk.open('anna', CASH)
    desk.commit()
    t.match(told(trade(desk, 'anna no 5 @ 500'), 'order_rejected'), [{ reason: 'market_not_open' }])
    desk.move('open')
    trade(desk, 'anna no 5 @ 500')
    desk.move('closed')
    const outcome = trade(desk, 'anna no 5 @ 500')
    t.match(told(outcome, 'order_rejected'), [{ order: 3, reason: 'market_closed' }])
    t.match(outcome.orders.at(-1), { number: 3, state: 'rejected', reason: 'market_closed' })
    t.same(desk.balance('anna'), { cash: CASH, held: 0 })
  })

  t.test('never makes an illegal move, and is never created twice', async t => {
    const desk = openDesk()
    desk.move('settled')
    t.throws(() => desk.commit(), BrokenInvariant)
    const other = openDesk()
    other.create()
    t.throws(() => other.commit(), BrokenInvariant)
  })

  t.test('a command for an unknown market fails', async t => {
    const desk = openDesk()
    desk.cancel(1 as OrderNumber, 1_000_002 as MarketCode)
    t.throws(() => desk.commit(), BrokenInvariant)
  })

  t.test('a refusal by the desk is reported and recorded, and moves no money', async t => {
    const desk = openDesk()
    const order: DeskOrder = { user: 'anna', side: 'yes', quantity: 5, price: 1 }
    const number = desk.placeRefused(order, 'price_out_of_range')
    const outcome = desk.commit()
    t.match(told(outcome, 'order_rejected'), [{ order: number, reason: 'price_out_of_range', seq: 1 }])
    t.match(outcome.orders, [{ number, state: 'rejected', reason: 'price_out_of_range', filled: 0 }])
    t.same(outcome.accounts, [])
    t.same(outcome.positions, [])
  })
})

t.test('one command may change more than one call can take as arguments', async t => {
  for (const user of ['anna', 'bala']) {
    const desk = new EngineDesk(false)
    desk.create()
    for (const name of ['anna', 'bala']) desk.open(name, 1e12)
    desk.commit()
    for (let n = 0; n < DEEP; n++) desk.place({ user: 'anna', side: 'no', quantity: 1, price: 500 })
    desk.commit()
    const outcome = trade(desk, `${user} yes ${DEEP} @ 500`, { selfTrade: 'maker' })
    t.equal(outcome.orders.length, DEEP + 1, 'an older journal has no bound')
    t.equal(desk.engine.markets()[0]?.book.size, user === 'anna' ? 1 : 0)
  }
  const crowd = new EngineDesk(false)
  crowd.create()
  for (let n = 0; n < DEEP; n++) crowd.open(`user ${n}`, 1000)
  crowd.open('bala', 1e12)
  crowd.commit()
  for (let n = 0; n < DEEP; n++) crowd.place({ user: `user ${n}`, side: 'no', quantity: 1, price: 1 })
  crowd.commit()
  t.equal(trade(crowd, `bala yes ${DEEP} @ 1`).positions.length, DEEP + 1)
})
