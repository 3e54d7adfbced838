import t from 'tap'
import { BrokenInvariant } from '../../src/core/assert.js'
import { postFill, postMerge, postPlaced, postReleased } from '../../src/core/clearing.js'
import { NO_FILL_FEE } from '../../src/core/fees.js'
import { EXTERNAL, Ledger } from '../../src/core/ledger.js'
import type { MarketTerms } from '../../src/core/market.js'
import type { Side } from '../../src/core/order.js'
import { Postings } from '../../src/core/postings.js'
import type { AccountNumber, MarketCode, OrderNumber, TimeMs } from '../../src/core/units.js'
import {
  amount,
  amountToRupees,
  complement,
  least,
  lots,
  QUANTITY_LOTS_MAX,
  ticks,
  times,
  toContracts,
  toRupees,
  wholeParts,
} from '../../src/core/units.js'
import { Dice } from '../fixtures/dice.js'

const MARKET = 1_000_001 as MarketCode
const ESCROW = 9 as AccountNumber
const ANNA = 4 as AccountNumber
const BALA = 5 as AccountNumber
const TERMS: MarketTerms = {
  code: MARKET,
  payout: ticks(1000),
  tickSize: ticks(1),
  minBet: amount(0),
  maxBet: amount(1e12),
  capacity: lots(1e9),
  startAt: 0 as TimeMs,
  endAt: 1 as TimeMs,
  escrow: ESCROW,
}

t.test('units', async t => {
  t.test('price × quantity is exact up to the largest order and never rounds beyond', async t => {
    t.equal(times(ticks(10_000), lots(QUANTITY_LOTS_MAX)), 1e15)
    t.equal(times(ticks(3), lots((2 ** 53 - 2) / 3)), 2 ** 53 - 2)
    t.throws(() => times(ticks(3), lots(2 ** 52)), BrokenInvariant)
    t.throws(() => times(ticks(0.5), lots(3)), BrokenInvariant)
  })

  t.test('the prices of both outcomes add up to the payout', async t => {
    t.equal(complement(ticks(1), ticks(1000)), 999)
    t.equal(complement(complement(ticks(54), ticks(1000)), ticks(1000)), 54)
    t.equal(least(lots(2), lots(3)), 2)
    t.equal(least(lots(3), lots(2)), 2)
  })

  t.test('every number with two decimals is read exactly', async t => {
    const dice = Dice.fromEnvironment(t)
    for (let n = 0; n < 20_000; n++) {
      const parts = dice.oneOf([n, dice.between(0, 1e6), dice.between(0, QUANTITY_LOTS_MAX)])
      const literal = `${Math.floor(parts / 100)}.${String(parts % 100).padStart(2, '0')}`
      if (wholeParts(Number(literal), 100) !== parts) t.fail(literal)
    }
    t.equal(wholeParts(0.1 + 0.2, 100), undefined, 'a sum of floats is not 0.30')
    t.equal(wholeParts(1.005, 100), undefined)
    t.equal(wholeParts(0.001, 100), undefined)
  })

  t.test('a number that is not a whole count of parts is rejected', async t => {
    for (const value of [
      Number.NaN,
      Number.POSITIVE_INFINITY,
      Number.NEGATIVE_INFINITY,
      1e300,
      2 ** 53,
      5e-324,
    ])
      t.equal(wholeParts(value, 100), undefined, `${value}`)
  })

  t.test('numbers are shown without float dust', async t => {
    t.equal(toRupees(ticks(29)), 0.29)
    t.equal(toContracts(lots(57)), 0.57)
    t.equal(amountToRupees(amount(290_057)), 29.0057)
  })
})

t.test('settlement', async t => {
  const fill = (taker: number, maker: number, takerSide: Side = 'yes') => {
    const postings = new Postings()
    const makerSide = takerSide === 'yes' ? 'no' : 'yes'
    const pairs = postFill(
      postings,
      TERMS,
      { trade: 1, price: ticks(540), quantity: lots(10) },
      { owner: ANNA, side: takerSide, covered: lots(taker), order: 2 as OrderNumber, fee: NO_FILL_FEE },
      { owner: BALA, side: makerSide, covered: lots(maker), order: 1 as OrderNumber, fee: NO_FILL_FEE },
    )
    const cash = new Map(postings.accounts().map(posting => [posting.account, posting.cash]))
    const held = new Map(postings.accounts().map(posting => [posting.account, posting.held]))
    const contracts = new Map(postings.positions().map(position => [position.account, position]))
    return { pairs, cash, held, anna: contracts.get(ANNA), bala: contracts.get(BALA) }
  }

  t.test('mints a pair when neither side holds contracts', async t => {
    const { pairs, cash, held, anna, bala } = fill(0, 0)
    t.equal(pairs, 10)
    t.same(cash.get(ANNA), -5400)
    t.same(cash.get(BALA), -4600)
    t.same(cash.get(ESCROW), 10_000)
    t.same([held.get(ANNA), held.get(BALA), held.get(ESCROW)], [-5400, -4600, 0])
    t.match(anna, { yes: 10, no: 0, yesLocked: 0, noLocked: 0 })
    t.match(bala, { yes: 0, no: 10, yesLocked: 0, noLocked: 0 })
  })

  t.test('transfers contracts when one side sells, and leaves the escrow unchanged', async t => {
    const { pairs, cash, anna, bala } = fill(10, 0)
    t.equal(pairs, 0)
    t.same(cash.get(ANNA), 4600, 'her NO is sold at the NO price')
    t.same(cash.get(BALA), -4600)
    t.equal(cash.get(ESCROW), 0)
    t.match(anna, { yes: 0, no: -10, noLocked: -10 })
    t.match(bala, { no: 10 })
  })

  t.test('burns a pair when both sides sell', async t => {
    const { pairs, cash, held, anna, bala } = fill(10, 10)
    t.equal(pairs, -10)
    t.same([cash.get(ANNA), cash.get(BALA), cash.get(ESCROW)], [4600, 5400, -10_000])
    t.equal(held.get(ANNA), 0, 'a covered part holds no money')
    t.match(anna, { yes: 0, no: -10, noLocked: -10 })
    t.match(bala, { yes: -10, no: 0, yesLocked: -10 })
  })

  t.test('neither creates nor loses money, whatever the covered parts and the side', async t => {
    for (let taker = 0; taker <= 10; taker++) {
      for (let maker = 0; maker <= 10; maker++) {
        for (const side of ['yes', 'no'] as const) {
          const { pairs, cash, anna, bala } = fill(taker, maker, side)
          const sum = [...cash.values()].reduce((a, b) => a + b, 0)
          const yes = (anna?.yes ?? 0) + (bala?.yes ?? 0)
          const no = (anna?.no ?? 0) + (bala?.no ?? 0)
          const isRight = sum === 0 && yes === pairs && no === pairs && cash.get(ESCROW) === 1000 * pairs
          if (!isRight) t.fail(`taker ${taker}, maker ${maker}, ${side}`)
        }
      }
    }
  })

  t.test('placing and releasing cancel each other out', async t => {
    const postings = new Postings()
    const leg = { owner: ANNA, side: 'yes', covered: lots(3) } as const
    postPlaced(postings, TERMS, leg, amount(70))
    t.match(postings.positions(), [{ noLocked: 3, yesLocked: 0 }])
    t.match(postings.accounts(), [{ account: ANNA, cash: 0, held: 70 }])
    postReleased(postings, TERMS, leg, amount(70))
    t.match(postings.positions(), [{ noLocked: 0 }])
    t.match(postings.accounts(), [{ held: 0 }])
  })

  t.test('a merge pays the payout for each pair', async t => {
    const postings = new Postings()
    postMerge(postings, TERMS, ANNA, lots(7))
    t.match(postings.positions(), [{ account: ANNA, yes: -7, no: -7 }])
    t.match(postings.accounts(), [
      { account: ANNA, cash: 7000, held: 0 },
      { account: ESCROW, cash: -7000 },
    ])
  })
})

t.test('postings that do not sum to zero are rejected', async t => {
  const postings = new Postings()
  postings.cash(ANNA, 5)
  t.throws(() => postings.accounts(), BrokenInvariant)
  postings.cash(BALA, -5)
  t.equal(postings.accounts().length, 2)
  postings.cash(BALA, 0.5)
  t.throws(() => postings.accounts(), BrokenInvariant)
})

t.test('the ledger', async t => {
  const open = (cash: number, held = 0) => {
    const ledger = new Ledger()
    ledger.open(ANNA, cash, held)
    return ledger
  }
  const post = (ledger: Ledger, cash: number, held: number) =>
    ledger.post([{ account: ANNA, cash, held }], [])

  t.test('never lets a hold exceed the available cash, pending holds included', async t => {
    const ledger = open(100, 20)
    ledger.hold(ANNA, amount(50))
    t.same(ledger.balance(ANNA), { cash: 100, held: 20, available: 30 })
    t.throws(() => ledger.hold(ANNA, amount(31)), BrokenInvariant)
    ledger.hold(ANNA, amount(30))
    t.equal(ledger.balance(ANNA).available, 0)
    t.throws(() => ledger.hold(ANNA, amount(-1)), BrokenInvariant)
  })

  t.test('rejects releasing a hold twice', async t => {
    const ledger = open(100)
    ledger.hold(ANNA, amount(50))
    ledger.endHold(ANNA, amount(50))
    t.equal(ledger.balance(ANNA).available, 100)
    t.throws(() => ledger.endHold(ANNA, amount(50)), BrokenInvariant)
  })

  t.test('never lets cash or a hold go below zero, or a hold exceed cash', async t => {
    t.throws(() => post(open(100), -101, 0), BrokenInvariant)
    t.throws(() => post(open(100), 0, -1), BrokenInvariant)
    t.throws(() => post(open(100), 0, 101), BrokenInvariant)
    t.throws(() => post(open(2 ** 53 - 1), 2, 0), BrokenInvariant)
    const ledger = open(100)
    post(ledger, -100, 0)
    t.same(ledger.balance(ANNA), { cash: 0, held: 0, available: 0 })
  })

  t.test('lets only the external account go negative', async t => {
    const ledger = open(0)
    ledger.post(
      [
        { account: ANNA, cash: 100, held: 0 },
        { account: EXTERNAL, cash: -100, held: 0 },
      ],
      [],
    )
    t.equal(ledger.balance(EXTERNAL).cash, -100)
  })

  t.test('rejects unknown accounts, and opening an account twice', async t => {
    t.throws(() => open(1).balance(BALA), BrokenInvariant)
    t.throws(() => open(1).open(ANNA), BrokenInvariant)
  })

  t.test('refuses to lock contracts that are not free', async t => {
    const ledger = open(0)
    ledger.restore(MARKET, ANNA, {
      yes: lots(10),
      no: lots(4),
      yesLocked: lots(3),
      noLocked: lots(0),
      paid: 0,
    })
    t.equal(ledger.free(MARKET, ANNA, 'yes'), 7)
    ledger.lock(MARKET, ANNA, 'yes', lots(5))
    t.equal(ledger.free(MARKET, ANNA, 'yes'), 2)
    t.throws(() => ledger.lock(MARKET, ANNA, 'yes', lots(3)), BrokenInvariant)
    t.throws(() => ledger.lock(MARKET, BALA, 'yes', lots(1)), BrokenInvariant)
    t.equal(ledger.freePairs(MARKET, ANNA), 2)
    ledger.endLock(MARKET, ANNA, 'yes', lots(5))
    t.equal(ledger.freePairs(MARKET, ANNA), 4)
    t.throws(() => ledger.endLock(MARKET, ANNA, 'yes', lots(1)), BrokenInvariant)
  })

  t.test('rejects negative contracts, and locks beyond the contracts', async t => {
    const change = { market: MARKET, account: ANNA, yes: 0, no: 0, yesLocked: 0, noLocked: 0, paid: 0 }
    t.throws(() => open(0).post([], [{ ...change, yes: -1 }]), BrokenInvariant)
    t.throws(() => open(0).post([], [{ ...change, noLocked: 1 }]), BrokenInvariant)
    t.throws(() => open(0).post([], [{ ...change, yes: 1, yesLocked: -1 }]), BrokenInvariant)
    const ledger = open(0)
    ledger.post([], [{ ...change, yes: 2, yesLocked: 1 }])
    t.same(ledger.contracts(MARKET, ANNA), { yes: 2, no: 0, yesLocked: 1, noLocked: 0, paid: 0 })
    t.equal(ledger.holders(MARKET), 1)
    t.same([...ledger.positions(MARKET)].length, 1)
    t.same(ledger.contracts(MARKET, BALA), { yes: 0, no: 0, yesLocked: 0, noLocked: 0, paid: 0 })
  })

  t.test('lists exactly the markets in which an account has contracts', async t => {
    const ledger = open(0)
    const other = (MARKET + 1) as MarketCode
    const change = { account: ANNA, yes: 0, no: 0, yesLocked: 0, noLocked: 0, paid: 0 }
    ledger.post([], [{ ...change, market: other, no: 1 }])
    ledger.post([], [{ ...change, market: MARKET, yes: 2 }])
    ledger.post([], [{ ...change, market: (MARKET + 2) as MarketCode, paid: 5 }])
    t.same(ledger.marketsOf(ANNA), [MARKET, other])
    t.same(ledger.marketsOf(BALA), [])
    ledger.post([], [{ ...change, market: MARKET, yes: -2 }])
    t.same(ledger.marketsOf(ANNA), [other])
    ledger.post([], [{ ...change, market: other, yes: 1, no: -1 }])
    t.same(ledger.marketsOf(ANNA), [other], 'after changing sides')
    ledger.restore(MARKET, BALA, { ...ledger.contracts(other, ANNA) })
    t.same(ledger.marketsOf(BALA), [MARKET], 'including positions loaded from the table')
  })

  t.test('lists every account for an audit', async t => {
    t.same(
      Array.from(open(7).accounts(), ([number, { cash }]) => [number, cash]),
      [
        [1, 0],
        [2, 0],
        [3, 0],
        [ANNA, 7],
      ],
    )
  })
})
