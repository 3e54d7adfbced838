import t from 'tap'
import { assert, BrokenInvariant, unreachable } from '../../src/core/assert.js'
import type { MarketStatus, MarketTerms } from '../../src/core/market.js'
import { betRefusal, capacityMax, moveMarket, priceRefusal, tradeId } from '../../src/core/market.js'
import type { OrderState } from '../../src/core/order.js'
import { isOpen, moveOrder, unitCost } from '../../src/core/order.js'
import type { AccountNumber, MarketCode, TimeMs } from '../../src/core/units.js'
import { amount, lots, NO_LOTS, QUANTITY_LOTS_MAX, ticks } from '../../src/core/units.js'

const TERMS: MarketTerms = {
  code: 1_000_001 as MarketCode,
  payout: ticks(1000),
  tickSize: ticks(5),
  minBet: amount(10 * 10_000),
  maxBet: amount(500 * 10_000),
  capacity: lots(100_000),
  startAt: 0 as TimeMs,
  endAt: 1 as TimeMs,
  escrow: 9 as AccountNumber,
}

t.test('a failed assertion reports the rule that was broken', async t => {
  t.throws(() => assert(false, 'two and two are four'), { message: 'broken: two and two are four' })
  t.doesNotThrow(() => assert(true, 'fine'))
  t.throws(() => unreachable('odd' as never), BrokenInvariant)
})

t.test('the life of a market', async t => {
  const allowed: Record<MarketStatus, string> = {
    scheduled: 'open closed voided',
    open: 'halted closed voided',
    halted: 'open closed voided',
    closed: 'resolved voided',
    resolved: 'settled',
    settled: '',
    voided: '',
  }
  const all = Object.keys(allowed) as MarketStatus[]
  for (const from of all) {
    t.test(`never leaves ${from} but to ${allowed[from] || 'nothing'}`, async t => {
      for (const to of all) {
        if (allowed[from].split(' ').includes(to)) t.equal(moveMarket(from, to), to)
        else t.throws(() => moveMarket(from, to), BrokenInvariant, `${from} to ${to}`)
      }
    })
  }
})

t.test('the life of an order', async t => {
  const final: OrderState[] = ['filled', 'cancelled', 'expired', 'rejected']
  const open: OrderState[] = ['queued', 'resting', 'partially_filled']

  t.test('never leaves a final state', async t => {
    for (const from of final) {
      t.notOk(isOpen(from))
      for (const to of [...open, ...final]) t.throws(() => moveOrder(from, to), BrokenInvariant)
    }
  })

  t.test('never returns to an earlier state', async t => {
    for (const state of open) t.ok(isOpen(state))
    t.throws(() => moveOrder('resting', 'queued'), BrokenInvariant)
    t.throws(() => moveOrder('partially_filled', 'resting'), BrokenInvariant)
    t.throws(() => moveOrder('resting', 'rejected'), BrokenInvariant)
    t.equal(moveOrder('partially_filled', 'partially_filled'), 'partially_filled')
  })
})

t.test('the costs of both outcomes add up to the payout', async t => {
  t.equal(unitCost('yes', ticks(54), ticks(1000)), 54)
  t.equal(unitCost('no', ticks(54), ticks(1000)), 946)
})

t.test('the price of an order', async t => {
  const refusal = (rupees: number) => {
    const price = Math.round(rupees * 100)
    return priceRefusal(TERMS, rupees, price / 100 === rupees ? ticks(price) : undefined)
  }

  t.test('is accepted on the tick, including both ends of the range', async t => {
    for (const rupees of [0.1, 0.15, 5, 9.85, 9.9]) t.equal(refusal(rupees), undefined, `${rupees}`)
  })

  t.test('is refused outside the range', async t => {
    for (const rupees of [0, -1, 0.05, 0.09, 0.0999, 9.91, 9.9001, 9.95, 10, 1e9])
      t.equal(refusal(rupees), 'price_out_of_range', `${rupees}`)
  })

  t.test('is refused off the tick', async t => {
    for (const rupees of [0.11, 0.101, 5.01, 5.005, 9.89])
      t.equal(refusal(rupees), 'price_off_tick', `${rupees}`)
  })
})

t.test('the bet of an order', async t => {
  const bet = (side: 'yes' | 'no', price: number, quantity: number, covered = 0) =>
    betRefusal(TERMS, side, ticks(price), lots(quantity), lots(covered))

  t.test('is refused one unit below the minimum and one unit above the maximum', async t => {
    t.equal(bet('yes', 500, 200), undefined, 'exactly ₹10')
    t.equal(bet('yes', 500, 199), 'bet_below_min')
    t.equal(bet('yes', 500, 10_000), undefined, 'exactly ₹500')
    t.equal(bet('yes', 500, 10_001), 'bet_above_max')
  })

  t.test('counts the cost of the order itself: for NO, the payout less the YES price', async t => {
    t.equal(bet('no', 900, 1000), undefined)
    t.equal(bet('no', 900, 999), 'bet_below_min')
    t.equal(bet('no', 100, 5556), 'bet_above_max')
  })

  t.test(
    'has no minimum when the whole order sells contracts, but has one when only part of it does',
    async t => {
      t.equal(bet('yes', 500, 1, 1), undefined)
      t.equal(bet('yes', 500, 2, 1), 'bet_below_min')
      t.equal(bet('yes', 500, 10_001, 10_001), 'bet_above_max')
    },
  )
})

t.test('the escrow of the largest capacity stays within 2^53', async t => {
  for (const payout of [100, 1000, 10_000, 1_000_000, 9_999_999]) {
    const most = capacityMax(ticks(payout))
    t.ok(Number.isSafeInteger(most * payout), `payout ${payout}`)
    t.ok(most <= QUANTITY_LOTS_MAX)
  }
  t.ok(capacityMax(ticks(1)) > NO_LOTS)
})

t.test('trade ids are the same on every replay', async t => {
  t.equal(tradeId(TERMS.code, 7), '1000001-7')
})
