import t from 'tap'
import { match } from '../../src/core/book/matching.js'
import { OrderBook } from '../../src/core/book/order-book.js'
import type { OrderFee } from '../../src/core/fees.js'
import {
  affordableWithFee,
  chargeFee,
  chargeFill,
  FEE_RATE_MAX,
  feeMax,
  feeMaxOfCost,
  restingHold,
} from '../../src/core/fees.js'
import type { Side } from '../../src/core/order.js'
import { unitCost } from '../../src/core/order.js'
import type { AccountNumber, OrderNumber } from '../../src/core/units.js'
import { amount, lots, ticks } from '../../src/core/units.js'
import { Dice } from '../fixtures/dice.js'

/** The exact fee of some fills, rounded up once, as on paper. */
function exactFee(payout: number, fills: readonly (readonly [rate: number, price: number, lots: number])[]) {
  let owed = 0n
  for (const [rate, price, quantity] of fills) {
    owed += BigInt(rate) * BigInt(price) * BigInt(payout - price) * BigInt(quantity)
  }
  const unit = 10_000n * BigInt(payout)
  return Number(owed / unit) + (owed % unit > 0n ? 1 : 0)
}

const ORDERS = 4000

t.test('fee of an order', async t => {
  t.test('is rate × price × (payout − price) ÷ payout, rounded up', async t => {
    const fee = (rate: number, price: number, quantity: number) =>
      chargeFee(rate, ticks(price), ticks(1000), lots(quantity), 0).due
    t.equal(fee(100, 500, 100), 250, '1 % of one contract at half the payout is ₹0.025')
    t.equal(fee(100, 100, 100), fee(100, 900, 100), 'both outcomes of a trade have one fee')
    t.equal(fee(1, 10, 1), 1, 'less than a unit is a unit')
    t.equal(fee(0, 500, 100), 0)
  })

  t.test('is the exact fee rounded up once, into however many fills it is sliced', async t => {
    const dice = Dice.fromEnvironment(t)
    for (let order = 0; order < ORDERS; order++) {
      const payout = dice.between(1, 100) * 100
      const fills: [number, number, number][] = []
      let [paid, credit] = [0, 0]
      for (let fill = dice.between(1, 8); fill > 0; fill--) {
        const rate = dice.oneOf([1, 7, 100, 250, FEE_RATE_MAX])
        const price = dice.between(1, payout - 1)
        const quantity = dice.percent(5) ? dice.between(1, 1_000_000_000) : dice.between(1, 300)
        const charge = chargeFee(rate, ticks(price), ticks(payout), lots(quantity), credit)
        fills.push([rate, price, quantity])
        paid += charge.due
        credit = charge.credit
        const isBelowOne = credit >= 0 && credit < 10_000 * payout
        if (!isBelowOne || paid !== exactFee(payout, fills)) {
          t.fail(`${paid} paid with a credit of ${credit} for ${fills.join(' ')} of ${payout}`)
          return
        }
      }
    }
    t.pass()
  })

  t.test('never exceeds what contracts sold bring, nor the bounds that are shown and held', async t => {
    const dice = Dice.fromEnvironment(t)
    for (let order = 0; order < ORDERS; order++) {
      const payout = ticks(dice.between(1, 100) * 100)
      const unit = ticks(dice.between(1, payout - 1))
      const quantity = lots(dice.between(1, 1000))
      const { due } = chargeFee(FEE_RATE_MAX, unit, payout, quantity, 0)
      const better = ticks(dice.between(1, unit))
      const cheaper = chargeFee(FEE_RATE_MAX, better, payout, quantity, 0).due
      const isFine =
        due <= (payout - unit) * quantity &&
        due <= feeMaxOfCost(FEE_RATE_MAX, amount(unit * quantity)) &&
        cheaper <= feeMax(FEE_RATE_MAX, unit, payout, quantity) &&
        better * quantity + cheaper <= unit * quantity + due
      if (!isFine) return t.fail(`${quantity} lots at ${unit} or ${better} of ${payout}`)
    }
    return t.pass()
  })

  t.test('leaves of a market order what its money pays for, and not a lot more', async t => {
    const dice = Dice.fromEnvironment(t)
    for (let order = 0; order < ORDERS; order++) {
      const payout = ticks(dice.between(1, 100) * 100)
      const unit = ticks(dice.between(1, payout - 1))
      const rate = dice.between(1, FEE_RATE_MAX)
      const money = amount(dice.between(0, 1_000_000))
      const most = affordableWithFee(money, unit, payout, rate)
      const cost = (quantity: number) =>
        unit * quantity + chargeFee(rate, unit, payout, lots(quantity), 0).due
      if (cost(most) > money || cost(most + 1) <= money) {
        return t.fail(`${most} lots at ${unit} of ${payout} for ${money}, at ${rate}`)
      }
    }
    return t.pass()
  })
})

/** An order in play: what it holds, and its owner's cash since it was admitted. */
interface Played {
  readonly side: Side
  readonly price: ReturnType<typeof ticks>
  lots: number
  covered: number
  held: number
  cash: number
}

t.test('hold of an order', async t => {
  t.test('pays for every fill with its fee, and is used up or given back to the unit', async t => {
    const dice = Dice.fromEnvironment(t)
    let tightest = Number.POSITIVE_INFINITY
    for (let number = 0; number < ORDERS; number++) {
      const payout = ticks(dice.between(1, 100) * 100)
      const rates = { taker: dice.between(0, FEE_RATE_MAX), maker: dice.between(0, FEE_RATE_MAX) }
      const size = dice.between(1, 60)
      const side = dice.oneOf(['yes', 'no'] as const)
      const price = ticks(dice.between(1, payout - 1))
      const order: Played = { side, price, lots: size, covered: dice.between(0, size), held: 0, cash: 0 }
      const shape = () => ({ side, price, lots: lots(order.lots), covered: lots(order.covered) })
      const highest = { rate: Math.max(rates.taker, rates.maker), credit: 0 }
      order.held = restingHold(shape(), payout, highest)
      order.cash = order.held
      let fee: OrderFee = { rate: rates.taker, credit: 0 }
      const fills = dice.between(0, 4)
      for (let fill = 0; fill < fills && order.lots > 0; fill++)
        fee = play(order, fee, 'arrives', payout, dice)
      fee = { rate: rates.maker, credit: fee.credit }
      let kept = restingHold(shape(), payout, fee)
      if (kept > order.held) return t.fail(`seed order ${number}: ${kept} to hold of ${order.held}`)
      order.held = kept
      while (order.lots > 0) {
        fee = play(order, fee, 'rests', payout, dice)
        kept = restingHold(shape(), payout, fee)
        const slack = order.cash - kept
        if (slack < 0) return t.fail(`seed order ${number}: ${order.cash} left of ${kept} to hold`)
        tightest = Math.min(tightest, slack)
        order.held = kept
      }
      if (order.held !== 0) return t.fail(`seed order ${number}: ${order.held} held for nothing`)
    }
    return t.equal(tightest, 0, 'the hold is not too large either')
  })
})

/** Fills a part of an order: on arrival at its limit or better, then at its limit. */
function play(
  order: Played,
  fee: OrderFee,
  how: 'arrives' | 'rests',
  payout: ReturnType<typeof ticks>,
  dice: Dice,
): OrderFee {
  const { side } = order
  const best = side === 'yes' ? dice.between(1, order.price) : dice.between(order.price, payout - 1)
  const price = how === 'rests' ? order.price : ticks(best)
  const quantity = dice.between(1, order.lots)
  const covered = Math.min(order.covered, quantity)
  const uncovered = quantity - covered
  const unit = unitCost(side, price, payout)
  const charge = chargeFill(fee, price, payout, lots(covered), lots(uncovered))
  order.cash += (payout - unit) * covered - unit * uncovered - charge.due
  order.held -= unit * uncovered + charge.held
  order.lots -= quantity
  order.covered -= covered
  return { rate: fee.rate, credit: charge.credit }
}

t.test('market order with fees', async t => {
  const fillOf = (hold: number, costLeft: number) => {
    const book = new OrderBook(ticks(1000))
    book.rest(1 as OrderNumber, 5 as AccountNumber, 'no', ticks(500), lots(100), lots(0))
    const fees = { rate: 1000, credit: 0, costLeft }
    const left = { lots: lots(100), covered: lots(0), hold: amount(hold), makersLeft: 10, fees }
    const taker = {
      owner: 4 as AccountNumber,
      side: 'yes',
      limit: ticks(999),
      selfTrade: 'taker',
      ...left,
    } as const
    let filled = 0
    const stop = match(book, taker, lots(1e6), {
      filled: (_maker, _price, quantity) => {
        filled += quantity
      },
      makerCancelled: () => {},
    })
    return { filled, stop, left: taker.hold }
  }

  t.test('stops when its money, with the fee, is used up', async t => {
    // A lot costs 500 and 25 in fees.
    t.match(fillOf(5250, 1e9), { filled: 10, stop: 'funds_insufficient', left: 0 })
    t.match(fillOf(5249, 1e9), { filled: 9, stop: 'funds_insufficient' })
  })

  t.test('stops at max_bet, to which its fee does not count', async t => {
    t.match(fillOf(1e9, 5000), { filled: 10, stop: 'bet_above_max' })
  })
})
