import t from 'tap'
import type { Order } from '../../src/client/shapes.js'
import { ownOrders } from '../../src/web/trade/market/own-resting-orders.js'
import { faultOf } from '../../src/web/trade/ticket/draft-faults.js'
import type { TicketDraft } from '../../src/web/trade/ticket/ticket-draft.js'
import { sideOf, termsOf } from '../../src/web/trade/ticket/ticket-draft.js'
import { resultOf } from '../../src/web/trade/ticket/ticket-result.js'
import { sumTicket } from '../../src/web/trade/ticket/ticket-sum.js'

const TERMS = termsOf({ payout: 10, tick_size: 0.05, min_bet: 1, max_bet: 1000 })
const RICH = { yesLots: 0, noLots: 0, moneyUnits: 100_000_000 }
const BUY: TicketDraft = { deal: 'buy', outcome: 'yes', orderType: 'LO', priceTicks: 620, lots: 1000 }
const BOOK = {
  bids: [[6, 4]] as const,
  asks: [
    [6.1, 4],
    [6.2, 100],
  ] as const,
}

t.test('10 YES at ₹6.20 cost ₹62 for a payout of ₹100, and less if others ask less', async t => {
  const empty = sumTicket(BUY, TERMS, RICH, { bids: [], asks: [] }, [])
  t.same([empty?.costUnits, empty?.payoutUnits, empty?.restingLots], [620_000, 1_000_000, 1000])
  const met = sumTicket(BUY, TERMS, RICH, BOOK, [])
  t.equal(met?.costUnits, 400 * 610 + 600 * 620)
  t.equal(met?.restingLots, 0)
})

t.test('10 NO at ₹3.80 cost the rest of the payout', async t => {
  const sum = sumTicket({ ...BUY, outcome: 'no', priceTicks: 400 }, TERMS, RICH, BOOK, [])
  t.equal(sum?.estimate.filledLots, 400, 'the bid at ₹6 is met at ₹4')
  t.equal(sum?.costUnits, 1000 * 400)
})

t.test('buying the other outcome first sells the contracts held', async t => {
  const sum = sumTicket(BUY, TERMS, { ...RICH, noLots: 700 }, { bids: [], asks: [] }, [])
  t.equal(sum?.soldLots, 700)
  t.equal(sum?.costUnits, 300 * 620)
  t.equal(sum?.proceedsUnits, 700 * 380)
  t.equal(sum?.payoutUnits, 300 * 1000, 'only what is new pays in the end')
})

t.test('a market order stops when the money runs out, and never rests', async t => {
  const poor = { ...RICH, moneyUnits: 300_000 }
  const sum = sumTicket({ ...BUY, orderType: 'MO' }, TERMS, poor, BOOK, [])
  t.equal(sum?.estimate.stop, 'funds_insufficient')
  t.equal(sum?.estimate.filledLots, 400 + Math.floor((300_000 - 400 * 610) / 620))
  t.equal(sum?.restingLots, 0)
})

t.test('shows no total until every number is filled in', async t => {
  t.equal(sumTicket({ ...BUY, lots: undefined }, TERMS, RICH, BOOK, []), undefined)
  t.equal(sumTicket({ ...BUY, priceTicks: undefined }, TERMS, RICH, BOOK, []), undefined)
})

t.test('each error names its field and the remedy', async t => {
  const rows: readonly (readonly [Partial<TicketDraft>, string | undefined])[] = [
    [{}, undefined],
    [{ priceTicks: undefined }, 'price: Enter a price from ₹0.10 to ₹9.90.'],
    [{ priceTicks: 995 }, 'price: The price must be from ₹0.10 to ₹9.90.'],
    [{ priceTicks: 621 }, 'price: The price must be a multiple of ₹0.05.'],
    [{ lots: undefined }, 'quantity: Enter a number of contracts, for example 10 or 2.5.'],
    [{ lots: 9 }, 'quantity: Minimum order: 0.1 contracts.'],
    [{ lots: 10 }, 'quantity: Minimum order: ₹1.00.'],
    [{ lots: 100_000 }, 'quantity: Maximum order: ₹1,000.00.'],
    [{ deal: 'sell' }, 'quantity: You have no YES to sell. To bet against, buy NO.'],
    [{ orderType: 'MO', priceTicks: undefined }, undefined],
  ]
  for (const [change, words] of rows) {
    const fault = faultOf({ ...BUY, ...change }, TERMS, RICH)
    t.equal(fault && `${fault.field}: ${fault.words}`, words, JSON.stringify(change))
  }
  const poor = faultOf(BUY, TERMS, { ...RICH, moneyUnits: 10_000 })
  t.equal(poor?.words, 'Available ₹1.00; this order needs ₹62.00.')
  const few = faultOf({ ...BUY, deal: 'sell' }, TERMS, { ...RICH, yesLots: 250 })
  t.equal(few?.words, 'You can sell up to 2.5 YES.')
  t.equal(faultOf(BUY, TERMS, { ...RICH, moneyUnits: undefined }), undefined, 'unknown money judges nothing')
})

t.test('buying YES and selling NO are the same side of the book', async t => {
  t.same(
    (['buy', 'sell'] as const).flatMap(deal =>
      (['yes', 'no'] as const).map(outcome => sideOf({ deal, outcome })),
    ),
    ['yes', 'no', 'no', 'yes'],
  )
})

const ORDER = {
  id: '1',
  event_id: '1000001',
  side: 'no',
  outcome: 'no',
  offer_type: 'buy',
  price: 3.8,
  quantity: 10,
  filled_quantity: 0,
  remaining_quantity: 10,
  average_price: null,
  state: 'resting',
  reason: null,
} as unknown as Order

t.test('describes an order by how it ended', async t => {
  const rows: readonly (readonly [Partial<Order>, string, string])[] = [
    [{}, 'good', 'Placed: 10 NO resting at ₹3.80.'],
    [
      { state: 'filled', filled_quantity: 10, remaining_quantity: 0, average_price: 3.75 },
      'good',
      'Bought 10 NO at ₹3.75.',
    ],
    [
      { state: 'partially_filled', filled_quantity: 4, remaining_quantity: 6, average_price: 3.75 },
      'good',
      'Bought 4 NO at ₹3.75. 6 NO resting at ₹3.80.',
    ],
    [{ state: 'rejected', reason: 'market_halted' }, 'bad', 'Not placed: trading is halted'],
    [{ state: 'cancelled', reason: 'no_liquidity' }, 'bad', 'Not filled: no matching orders.'],
    [
      {
        state: 'cancelled',
        reason: 'no_liquidity',
        filled_quantity: 4,
        average_price: 3.7,
        offer_type: 'sell',
      },
      'neutral',
      'Sold 4 NO at ₹3.70. The rest was cancelled: no matching orders.',
    ],
  ]
  for (const [change, mood, words] of rows) {
    const result = resultOf({ ...ORDER, ...change })
    t.equal(result.mood, mood, words)
    t.ok(result.words.startsWith(words), words, { words: result.words })
  }
})

t.test('shows own orders on the ladder at their YES price', async t => {
  t.same(ownOrders([ORDER], '1000001', 10), [{ side: 'no', yesPrice: 6.2, remaining: 10 }])
  t.same(ownOrders([ORDER], '1000002', 10), [], 'and in their own market')
})
