import t from 'tap'
import { NO_SLOT } from '../../src/core/book/order-book.js'
import type { MarketCode, OrderNumber, TimeMs } from '../../src/core/units.js'
import { Engine } from '../../src/engine/engine.js'
import { stateHash } from '../../src/engine/state-hash.js'
import { Dice } from '../fixtures/dice.js'
import { EngineDesk, MARKET } from '../fixtures/naive/engine-desk.js'
import { tradeAtRandom } from '../fixtures/naive/random-trading.js'

const OTHER = 1_000_002 as MarketCode

function openDesk(): EngineDesk {
  const desk = new EngineDesk()
  desk.create()
  desk.create({ code: OTHER })
  for (const user of ['anna', 'bala']) desk.open(user, 1e6)
  desk.commit()
  return desk
}

/** The engine as a start would build it: terms, progress and open orders from the tables. */
function restored(engine: Engine): Engine {
  const copy = new Engine()
  for (const market of engine.markets()) {
    const { terms, progress } = market
    const orders = [...market.orders()].sort((a, b) => a.number - b.number)
    copy.restore(terms, progress, orders)
  }
  return copy
}

t.test('messages', async t => {
  t.test('are numbered without gaps in each market, whatever else the batch contains', async t => {
    const desk = openDesk()
    for (let round = 0; round < 3; round++) {
      for (const market of [OTHER, MARKET]) {
        desk.place({ user: 'anna', side: 'no', quantity: 5, price: 500, market })
        desk.place({ user: 'bala', side: 'yes', quantity: 4, price: 500, market })
      }
      const { events } = desk.commit()
      for (const code of [MARKET, OTHER]) {
        const own = events.filter(({ market }) => market === code)
        t.same(
          own.map(({ seq }) => seq),
          [1, 2, 3, 4].map(place => 4 * round + place),
        )
        t.same(
          own.map(({ type }) => type),
          ['order_placed', 'order_placed', 'traded', 'book_changed'],
        )
      }
    }
  })

  t.test(
    'report changed levels once per batch, with the current quantity rather than the change',
    async t => {
      const desk = openDesk()
      desk.place({ user: 'anna', side: 'yes', quantity: 5, price: 500 })
      desk.place({ user: 'anna', side: 'yes', quantity: 5, price: 500 })
      desk.place({ user: 'anna', side: 'yes', quantity: 1, price: 400 })
      t.match(desk.commit().events.at(-1), {
        type: 'book_changed',
        bids: [
          [500, 10],
          [400, 1],
        ],
        asks: [],
      })
      desk.place({ user: 'bala', side: 'no', quantity: 3, price: 500 })
      desk.place({ user: 'anna', side: 'yes', quantity: 2, price: 500 })
      const changes = desk.commit().events.filter(({ type }) => type === 'book_changed')
      t.match(changes, [{ bids: [[500, 9]], asks: [] }])
    },
  )

  t.test('report a price that moves from bid to ask within a batch on both sides', async t => {
    const desk = openDesk()
    desk.place({ user: 'anna', side: 'yes', quantity: 5, price: 500 })
    desk.commit()
    desk.place({ user: 'bala', side: 'no', quantity: 8, price: 500 })
    t.match(desk.commit().events.at(-1), { type: 'book_changed', bids: [[500, 0]], asks: [[500, 3]] })
  })

  t.test('leave out the book when no level changed', async t => {
    const desk = openDesk()
    desk.place({ user: 'bala', side: 'no', quantity: 8, price: 'market' })
    t.notOk(desk.commit().events.some(({ type }) => type === 'book_changed'))
  })
})

t.test('the state hash', async t => {
  const hashAfter = (change: (desk: EngineDesk) => void) => {
    const desk = openDesk()
    desk.place({ user: 'anna', side: 'no', quantity: 5, price: 500 })
    desk.place({ user: 'bala', side: 'no', quantity: 5, price: 500 })
    change(desk)
    desk.commit()
    return stateHash(desk.engine)
  }

  t.test('differs when anything differs', async t => {
    const hashes = [
      hashAfter(() => undefined),
      hashAfter(desk => desk.cancel(1 as OrderNumber)),
      hashAfter(desk => desk.cancel(2 as OrderNumber)),
      hashAfter(desk => desk.place({ user: 'anna', side: 'no', quantity: 5, price: 501 })),
      hashAfter(desk => desk.place({ user: 'anna', side: 'no', quantity: 5, price: 502 })),
      hashAfter(desk => desk.place({ user: 'anna', side: 'no', quantity: 6, price: 501 })),
      hashAfter(desk => desk.place({ user: 'bala', side: 'no', quantity: 5, price: 501 })),
      hashAfter(desk => desk.place({ user: 'bala', side: 'yes', quantity: 5, price: 499 })),
      hashAfter(desk => desk.place({ user: 'bala', side: 'yes', quantity: 5, price: 'market' })),
      hashAfter(desk => desk.place({ user: 'bala', side: 'yes', quantity: 5, price: 499, market: OTHER })),
      hashAfter(desk => desk.move('halted')),
      hashAfter(desk => desk.move('halted', OTHER)),
    ]
    t.equal(new Set(hashes).size, hashes.length)
    for (const hash of hashes) t.match(hash, /^[0-9a-f]{14}$/)
  })

  t.test('is equal for equal histories', async t => {
    t.equal(
      hashAfter(() => undefined),
      hashAfter(() => undefined),
    )
  })
})

t.test('a random day of trading', async t => {
  const dice = Dice.fromEnvironment(t)
  const { desk, reached, missing } = tradeAtRandom(dice, 600)

  t.test('passes the auditor and covers every way an order can end', async t => {
    t.same(missing, [], reached)
  })

  t.test('ends in the same state when replayed', async t => {
    const again = new Engine()
    const third = new Engine()
    const differs = desk.batches.findIndex(
      batch => JSON.stringify(again.apply(batch)) !== JSON.stringify(third.apply(batch)),
    )
    t.equal(differs, -1, 'no batch differs')
    t.equal(stateHash(again), stateHash(desk.engine))
  })

  t.test('does not depend on how the commands are batched', async t => {
    const one = new Engine()
    one.apply({ at: 0 as TimeMs, commands: desk.batches.flatMap(batch => batch.commands) })
    for (const [index, { book, progress }] of one.markets().entries()) {
      const other = desk.engine.markets()[index]
      t.same([...book.orders()], [...(other?.book.orders() ?? [])])
      // A batch reports its levels once, so only the message numbers differ.
      t.same({ ...progress, seq: 0 }, { ...other?.progress, seq: 0 })
    }
  })

  t.test('continues after a restart as if it had not been interrupted', async t => {
    const copy = restored(desk.engine)
    t.equal(stateHash(copy), stateHash(desk.engine))
    const [order] = [...(desk.engine.markets()[0]?.book.orders() ?? [])]
    t.ok(order, 'something rests')
    if (order === undefined) return
    desk.cancel(order.number)
    desk.place({ user: 'user1', side: 'yes', quantity: 50, price: 'market', selfTrade: 'off' })
    const outcome = desk.commit()
    const batch = desk.batches.at(-1)
    t.same(batch && copy.apply(batch), outcome)
    t.equal(stateHash(copy), stateHash(desk.engine))
    t.equal(copy.markets()[0]?.book.find(order.number), NO_SLOT)
  })
})
