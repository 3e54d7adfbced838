import t from 'tap'
import type { QuoteTable } from '../../src/core/house/quote-table.js'
import {
  affordableRests,
  desiredAt,
  desiredRests,
  houseResults,
  lossMax,
  newTable,
  rungPrice,
} from '../../src/core/house/quote-table.js'
import type { Side } from '../../src/core/order.js'
import { amount, ticks } from '../../src/core/units.js'
import { Dice } from '../fixtures/dice.js'

const SIDE_MAX = 15

/** A house with a table and what its budget has become, without an exchange around it. */
class ModelHouse {
  readonly table: QuoteTable
  readonly budget: number
  readonly payout: number
  sold = 0
  cash: number
  yes = 0
  no = 0

  constructor(payout: number, startPrice: number, step: number, budget: number) {
    const made = newTable({
      ...{ payout: ticks(payout), startPrice: ticks(startPrice), step: ticks(step) },
      budget: amount(budget),
    })
    if ('refusal' in made) throw new Error(made.refusal)
    this.table = made
    this.payout = payout
    this.budget = budget
    this.cash = budget
  }

  /** The receipts of the direct path from 0 to what is sold: they are what the house has at least. */
  get direct(): number {
    const { start, lots } = this.table
    let [left, receipts] = [this.sold, 0]
    for (let cell = start; left > 0; cell++) {
      const size = Math.min(left, lots[cell] as number)
      receipts += size * rungPrice(this.table, cell + 1)
      left -= size
    }
    for (let cell = start - 1; left < 0; cell--) {
      const size = Math.min(-left, lots[cell] as number)
      receipts -= size * rungPrice(this.table, cell)
      left += size
    }
    return receipts
  }

  /** All that sales have brought, less what all purchases have cost, as if no pair had been merged. */
  get receipts(): number {
    return this.cash - this.budget + this.payout * this.no
  }

  quotes() {
    const desired = desiredRests(this.table, this.sold, SIDE_MAX)
    return affordableRests(desired, this, ticks(this.payout))
  }

  /** Lets a trader take lots on a side of what rested, the best price first; returns what was left. */
  take(rested: { side: Side; price: number; lots: number }[], side: Side, wanted: number): void {
    const sign = side === 'no' ? 1 : -1
    const own = rested.filter(rest => rest.side === side).sort((a, b) => sign * (a.price - b.price))
    let left = wanted
    for (const rest of own) {
      const size = Math.min(left, rest.lots)
      left -= size
      rest.lots -= size
      this.#fill(side, rest.price, size)
    }
  }

  #fill(side: Side, price: number, size: number): void {
    const [bought, sold] = side === 'yes' ? (['yes', 'no'] as const) : (['no', 'yes'] as const)
    const unit = side === 'yes' ? price : this.payout - price
    const covered = Math.min(this[sold], size)
    this[sold] -= covered
    this[bought] += size - covered
    this.cash += covered * (this.payout - unit) - (size - covered) * unit
    this.sold += side === 'no' ? size : -size
  }
}

type Trader = (house: ModelHouse, dice: Dice) => readonly [Side, number]

const size = (dice: Dice) => dice.between(1, 40) * 100
const EVERYTHING = 1e9

/** The side that a trader takes from: `no` orders of the house sell YES. */
const TRADERS: Readonly<Record<string, Trader>> = {
  random: (_, dice) => [dice.oneOf(['yes', 'no']), size(dice)],
  informed: ({ table, sold, payout }, dice) => {
    const middle = desiredRests(table, sold, 1).no[0]?.price ?? payout
    const isCheap = middle < payout * 0.8 - dice.between(0, 100)
    return [isCheap ? 'no' : 'yes', size(dice)]
  },
  insider: (_, dice) => ['no', size(dice) * 10],
  'insider of the other outcome': (_, dice) => ['yes', size(dice) * 10],
  sweep: (_, dice) => [dice.oneOf(['yes', 'no']), EVERYTHING],
}

for (const [name, trader] of Object.entries(TRADERS)) {
  t.test(`the house never loses more than its budget: ${name}`, async t => {
    const dice = Dice.fromEnvironment(t)
    let worst = 1
    for (let run = 0; run < 60; run++) {
      const payout = dice.oneOf([1000, 1000, 500, 10_000])
      const step = payout / dice.oneOf([20, 50, 100])
      const startPrice = step * dice.between(Math.ceil(10 / step), Math.floor((payout - 10) / step))
      const house = new ModelHouse(payout, startPrice, step, dice.between(1_000, 20_000) * 10_000)
      for (let turn = 0; turn < 60; turn++) {
        const rested = house.quotes().map(({ side, price, lots }) => ({ side, price, lots: lots as number }))
        // Between two requotes some trade.
        for (let trades = dice.between(1, 4); trades > 0; trades--) house.take(rested, ...trader(house, dice))
        const held = house.quotes().reduce((sum, { hold }) => sum + hold, 0)
        const { table, budget, cash, yes, no, sold } = house
        const results = houseResults(table, sold, house, { payout: ticks(payout), budget: amount(budget) })
        const least = Math.min(results.worst, results.ifYes, results.ifNo)
        worst = Math.min(worst, least / budget)
        const fault =
          (least < -budget && `it may lose ${-least} of ${budget}`) ||
          (results.worst > Math.min(results.ifYes, results.ifNo) && 'the worst is not the worst') ||
          (house.receipts < house.direct && `it has ${house.receipts}, the direct path ${house.direct}`) ||
          (cash - held < 0 && `it holds ${held} of ${cash}`) ||
          (sold !== no - yes && `it sold ${sold}, and has ${no} NO and ${yes} YES`)
        if (fault) return t.fail(`${fault} (seed ${dice.seed}, run ${run}, turn ${turn})`)
      }
    }
    t.comment(`worst result: ${worst.toFixed(3)} of the budget`)
    if (name.startsWith('insider')) t.ok(worst < -0.9, 'an insider takes nearly all of it')
    return undefined
  })
}

t.test('the table is the largest whose integer losses are within the budget', async t => {
  const terms = { payout: ticks(1000), startPrice: ticks(500), step: ticks(10), budget: amount(100_000_000) }
  const table = newTable(terms)
  if ('refusal' in table) return t.fail(table.refusal)
  t.equal(table.low, 10)
  t.equal(table.start, 49)
  t.equal(table.lots.length, 98)
  t.equal(Math.floor((table.lots[49] as number) / 10), 605, 'measured: 60.5 contracts at the next rung')
  const loss = lossMax(table, ticks(1000))
  t.ok(loss <= 100_000_000 && loss > 99_900_000, `${loss} of 100,000,000`)
  const more = newTable({ ...terms, budget: amount(100_100_000) })
  t.ok('lots' in more && lossMax(more, ticks(1000)) > loss, 'a larger budget quotes more')
  return undefined
})

t.test('loses no more than any budget, however small, and whatever the steps', async t => {
  const dice = Dice.fromEnvironment(t)
  const wide = { payout: ticks(10_000), startPrice: ticks(7200), step: ticks(4650), budget: amount(3631) }
  const few = newTable(wide)
  t.match(few, { lots: [1] }, 'a step so wide that one lot needs less than a liquidity of 1')
  for (let time = 0; time < 2000; time++) {
    const tickSize = dice.oneOf([1, 5, 10, 50])
    const payout = ticks(dice.oneOf([100, 500, 1000, 10_000, 100_000]))
    const terms = {
      payout,
      startPrice: ticks(tickSize * dice.between(1, payout / tickSize - 1)),
      step: ticks(tickSize * dice.between(1, Math.ceil(payout / tickSize / dice.oneOf([2, 3, 10, 100])))),
      budget: amount(dice.between(1, dice.oneOf([5000, 200_000, 100_000_000]))),
    }
    const first = newTable(terms)
    const budget = 'atLeast' in first ? first.atLeast : terms.budget
    const made = 'atLeast' in first ? newTable({ ...terms, budget }) : first
    if ('refusal' in made && !('atLeast' in made)) continue
    const loses = 'lots' in made ? lossMax(made, payout) : Number.POSITIVE_INFINITY
    if (loses > budget) return t.fail(`${JSON.stringify(terms)}: loses ${loses} of ${budget}`)
  }
  return undefined
})

t.test('each rung has what is not sold above the middle, and what is sold below', async t => {
  const table = { low: ticks(400), step: ticks(100), start: 1, lots: [5, 7, 9] } as unknown as QuoteTable
  const plain = (sold: number) => {
    const { yes, no } = desiredRests(table, sold, SIDE_MAX)
    const text = (rests: typeof yes) => rests.map(({ price, lots }) => `${lots}@${price}`).join(' ') || '-'
    return `${text(yes)} | ${text(no)}`
  }
  t.equal(plain(0), '5@400 | 7@600 9@700')
  t.equal(plain(3), '3@500 5@400 | 4@600 9@700')
  t.equal(plain(7), '7@500 5@400 | 9@700')
  t.equal(plain(16), '9@600 7@500 5@400 | -')
  t.equal(plain(-2), '3@400 | 2@500 7@600 9@700')
  t.equal(plain(-5), '- | 5@500 7@600 9@700')
  t.throws(() => plain(17), /sells no more/)
  t.throws(() => plain(-6), /buys no more/)
  for (const sold of [-5, -2, 0, 3, 7, 16]) {
    const { yes, no } = desiredRests(table, sold, SIDE_MAX)
    for (const rest of [...yes, ...no]) t.equal(desiredAt(table, sold, rest), rest.lots)
    t.equal(desiredAt(table, sold, { side: 'no', price: ticks(400) }), 0, 'no ask at the lowest rung')
    t.equal(desiredAt(table, sold, { side: 'yes', price: ticks(550) }), 0, 'no bid between rungs')
  }
})

t.test('refuses what cannot be quoted, and says what it would take', async t => {
  const terms = { payout: ticks(1000), startPrice: ticks(500), step: ticks(10), budget: amount(10_000) }
  const small = newTable(terms)
  if (!('atLeast' in small)) return t.fail('a rupee is too little')
  t.ok('lots' in newTable({ ...terms, budget: small.atLeast }), 'the least budget is enough')
  const below = newTable({ ...terms, budget: amount(small.atLeast - 1) })
  t.match(below, { refusal: 'budget_too_small' })
  t.match(newTable({ ...terms, step: ticks(600) }), { refusal: 'no_rungs' })
  const fine = { payout: ticks(10_000), startPrice: ticks(5000), step: ticks(1), budget: amount(1e12) }
  t.match(newTable(fine), { refusal: 'rungs_too_many' })
  const asksOnly = newTable({ ...terms, startPrice: ticks(10), budget: amount(100_000_000) })
  if ('refusal' in asksOnly) return t.fail(asksOnly.refusal)
  t.same(desiredRests(asksOnly, 0, SIDE_MAX).yes, [], 'with no rung below, nothing is bid')
  return undefined
})
