import t from 'tap'
import type { Order } from '../../src/client/shapes.js'
import type { Book } from '../../src/web/trade/market/ladder-rows.js'
import { exchangeFacts } from '../../src/web/trade/exchange-facts.js'
import { ownOrders } from '../../src/web/trade/market/own-resting-orders.js'
import { emptyBookFault, faultOf } from '../../src/web/trade/ticket/draft-faults.js'
import { nearestPrices } from '../../src/web/trade/ticket/price-fixes.js'
import { atMarket } from '../../src/web/trade/ticket/market-limit.js'
import { contractsFor, partOf } from '../../src/web/trade/ticket/rupee-quantity.js'
import type { TicketDraft } from '../../src/web/trade/ticket/ticket-draft.js'
import { sideOf, termsOf } from '../../src/web/trade/ticket/ticket-draft.js'
import { firstOffer } from '../../src/web/trade/ticket/first-offer.js'
import { resultOf } from '../../src/web/trade/ticket/ticket-result.js'
import { chooseOutcome, followDeal } from '../../src/web/trade/ticket/choose-outcome.js'
import {
  chooseDeal,
  newTicket,
  offerPrice,
  openSheet,
  pickPrice,
} from '../../src/web/trade/ticket/ticket-state.js'
import { receivedOf, sumTicket } from '../../src/web/trade/ticket/ticket-sum.js'
import { draftOf } from '../../src/web/trade/ticket/typed-draft.js'
import { DEFAULTS } from '../../src/web/trade/settings/known-settings.js'
import { Dice } from '../fixtures/dice.js'
import { calledAt } from '../../src/web/trade/market/called-at.js'
import { worthNow } from '../../src/web/trade/market/worth-now.js'

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

const AROUND = { terms: TERMS, power: RICH, book: BOOK, own: [], tolerance: 1 } as const

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

t.test('the fee of what fills and of what rests counts to the total, and to the money needed', async t => {
  const terms = termsOf({
    payout: 10,
    tick_size: 0.05,
    min_bet: 1,
    max_bet: 1000,
    fee_taker_bp: 100,
    fee_maker_bp: 50,
  })
  const empty = sumTicket(BUY, terms, RICH, { bids: [], asks: [] }, [])
  t.equal(empty?.feeUnits, 1178, '0.5 % of 6.2 × 3.8 ÷ 10 a contract, while it rests')
  const met = sumTicket(BUY, terms, RICH, BOOK, [])
  t.equal(met?.feeUnits, Math.ceil((400 * 610 * 390 + 600 * 620 * 380) / 100_000))
  t.equal(sumTicket(BUY, TERMS, RICH, BOOK, [])?.feeUnits, 0, 'none without rates')
  const sale = met && { ...met, proceedsUnits: 62_000, feeUnits: 1178 }
  t.equal(sale && receivedOf(sale), 60_822, 'a sale brings its proceeds less the fee')
  const faultWith = (moneyUnits: number) => faultOf(BUY, terms, { ...RICH, moneyUnits })
  t.equal(faultWith(622_356), undefined)
  t.match(faultWith(622_355), { field: 'quantity', fixes: [{ lots: 999 }] })
})

t.test('an order at market trades at what was shown, a tolerance worse, or not at all', async t => {
  const rows: readonly (readonly [string, Partial<TicketDraft>, object, number | undefined])[] = [
    ['the worst price that it meets, and 1% of the payout', {}, {}, 630],
    ['only as deep as it goes', { lots: 400 }, {}, 620],
    ['exactly as shown', {}, { tolerance: 0 }, 620],
    ['a sale takes less', { deal: 'sell', lots: 400 }, { power: { ...RICH, yesLots: 400 } }, 590],
    ['the price of NO rises as that of YES falls', { outcome: 'no', lots: 400 }, {}, 410],
    ['on the tick', {}, { terms: termsOf({ payout: 10, tick_size: 0.1, min_bet: 1, max_bet: 1000 }) }, 630],
    ['no tolerance below one tick', {}, { terms: { ...TERMS, tickTicks: 20 } }, 620],
    ['within the range', { lots: 100 }, { book: { bids: [], asks: [[9.85, 4]] }, tolerance: 5 }, 990],
    ['as far as the money goes', {}, { power: { ...RICH, moneyUnits: 627_000 } }, 625],
    [
      'as far as the largest order goes',
      { lots: 1600 },
      { terms: { ...TERMS, maxBetUnits: 1_000_000 } },
      625,
    ],
    [
      'beyond the money the price stays, and the ticket says so',
      {},
      { power: { ...RICH, moneyUnits: 1 } },
      620,
    ],
    ['nobody to trade with', {}, { book: { bids: [], asks: [] } }, undefined],
  ]
  for (const [what, order, change, ticks] of rows)
    t.equal(atMarket({ ...BUY, ...order }, { ...AROUND, ...change }).priceTicks, ticks, what)
})

t.test('an order at market never rests, and is refused where it could not be paid', async t => {
  const deep = atMarket({ ...BUY, lots: 20_000 }, AROUND)
  t.equal(sumTicket(deep, TERMS, RICH, BOOK, [])?.restingLots, 0)
  const poor = { ...RICH, moneyUnits: 300_000 }
  const draft = atMarket(BUY, { ...AROUND, power: poor })
  t.equal(faultOf(draft, TERMS, poor)?.words, 'Available ₹30.00; this order needs ₹62.00.')
  t.equal(faultOf(draft, TERMS, poor)?.fixes?.[0]?.lots, 483)
  const penniless = { ...RICH, moneyUnits: 0, isPenniless: true }
  t.match(faultOf(draft, TERMS, penniless)?.words, /Ask the operator for money\.$/)
  exchangeFacts.value = { ...exchangeFacts.value, contact: 'help@mandi.example' }
  t.match(faultOf(draft, TERMS, penniless)?.words, /Ask the operator for money: help@mandi\.example$/)
  t.match(
    faultOf(draft, TERMS, { ...penniless, isPenniless: false })?.words,
    /^Available ₹0/,
    'held by orders',
  )
})

t.test('an amount at market is one that the worst price for all of it fits', async t => {
  const power = { ...RICH, moneyUnits: 1_000_000 }
  const ticket = newTicket('')
  const draft = draftOf(ticket, { ...AROUND, power })
  t.equal(faultOf(draft, TERMS, power), undefined)
  t.equal(draft.lots, Math.floor(1_000_000 / 620))
})

t.test('an order paid with contracts is worth what they bring or might bring', async t => {
  const cheap = { bids: [], asks: [[3, 1000]] as const }
  const noes = { ...RICH, noLots: 100_000 }
  t.equal(
    sumTicket({ ...BUY, lots: 60_000, priceTicks: 300 }, TERMS, noes, cheap, [])?.worthUnits,
    60_000 * 700,
  )
  const sale = { ...BUY, deal: 'sell', lots: 1000, priceTicks: 50 } as const
  const yeses = { ...RICH, yesLots: 1000 }
  t.equal(sumTicket(sale, TERMS, yeses, { bids: [[0.5, 10]], asks: [] }, [])?.worthUnits, 1000 * 950)
})

t.test('money that is short by less than a paisa does not look like enough', async t => {
  const draft = { ...BUY, lots: 100, priceTicks: 1000 }
  const terms = { ...TERMS, payoutTicks: 2000 }
  const words = faultOf(draft, terms, { ...RICH, moneyUnits: 99_990 })?.words
  t.equal(words, 'Available ₹9.99; this order needs ₹10.00.')
})

t.test('opening the sheet keeps a typed price, and renews one that the page filled in', async t => {
  const ticket = newTicket('', { ...DEFAULTS, ticket_type: 'LO' })
  openSheet(ticket, 'yes', 6.2)
  t.equal(ticket.priceText.value, '6.20')
  openSheet(ticket, 'yes', 6.3)
  t.equal(ticket.priceText.value, '6.30')
  ticket.priceText.value = '5'
  openSheet(ticket, 'yes', 6.4)
  t.equal(ticket.priceText.value, '5')
  openSheet(ticket, 'no', 3.7)
  t.equal(ticket.priceText.value, '3.70', 'the price of the other outcome is another one')
  ticket.sent.isSending.value = true
  openSheet(ticket, 'no', 3.9)
  t.equal(ticket.priceText.value, '3.70', 'an order on its way stays as it is')
})

t.test('what was to be bought is not what is sold, and comes back with the deal', t => {
  const ticket = newTicket('', { ...DEFAULTS, ticket_contracts: '25' })
  chooseDeal(ticket, 'sell')
  t.same([ticket.deal.value, ticket.quantityText.value], ['sell', ''])
  ticket.quantityText.value = '4'
  chooseDeal(ticket, 'sell')
  t.equal(ticket.quantityText.value, '4', 'a second click changes nothing')
  openSheet(ticket, 'yes', 6.2)
  t.same([ticket.deal.value, ticket.quantityText.value], ['buy', '25'])
  chooseDeal(ticket, 'sell')
  t.equal(ticket.quantityText.value, '4')
  t.end()
})

t.test('a price that the page filled in follows the deal; a typed or picked one stays', async t => {
  const started = (power: Partial<typeof RICH> = {}) => {
    const ticket = newTicket('', { ...DEFAULTS, ticket_type: 'LO' })
    offerPrice(ticket, 6.1)
    const view = { ...AROUND, ticket, payout: 10, power: { ...RICH, ...power } }
    const turn = (deal: 'buy' | 'sell') => {
      chooseDeal(ticket, deal)
      followDeal(view)
      return ticket.priceText.value
    }
    return { ticket, view, turn }
  }
  const { ticket, view, turn } = started()
  followDeal(view)
  t.equal(ticket.priceText.value, '6.10', 'without a change of the deal nothing changes')
  t.equal(turn('sell'), '6.00', 'the best bid')
  t.equal(turn('buy'), '6.10', 'the best offer')
  t.equal(started({ noLots: 100 }).turn('sell'), '3.90', 'that of the outcome that one can sell')
  ticket.priceText.value = '5.5'
  t.equal(turn('sell'), '5.5')
  t.equal(turn('buy'), '5.5')
  chooseOutcome(view, 'no')
  t.equal(turn('sell'), '3.90')
  pickPrice(ticket, 6.1, 10)
  t.equal(turn('buy'), '3.90', 'picked, though it is what the page had filled in')

  const bare = started()
  const none = { ...bare.view, book: { bids: [], asks: [] } }
  chooseDeal(bare.ticket, 'sell')
  followDeal(none)
  t.equal(bare.ticket.priceText.value, '6.10', 'without any offer there is nothing better')
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
    [{ priceTicks: 621 }, 'price: Prices here move in steps of ₹0.05.'],
    [{ priceTicks: undefined, typedTicks: 620.5 }, 'price: Prices here move in steps of ₹0.05.'],
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

t.test('offers the valid prices next to one that is not, and none outside the range', async t => {
  const rows: readonly (readonly [number, readonly number[]])[] = [
    [621, [620, 625]],
    [620.5, [620, 625]],
    [3, [10]],
    [0, [10]],
    [994, [990]],
    [5000, [990]],
  ]
  for (const [typed, prices] of rows) t.same(nearestPrices(typed, TERMS), prices, String(typed))
  const coarse = termsOf({ payout: 10, tick_size: 0.5, min_bet: 1, max_bet: 1000 })
  t.same(nearestPrices(20, coarse), [50], '₹0.10 is in the range, but not on the step')
  for (const { typed, fault } of [621, 3, 994].map(ticks => ({
    typed: ticks,
    fault: faultOf({ ...BUY, priceTicks: ticks }, TERMS, RICH),
  }))) {
    t.ok(fault?.fixes?.length, `${typed} can be mended`)
    for (const { priceTicks } of fault?.fixes ?? [])
      t.equal(faultOf({ ...BUY, priceTicks }, TERMS, RICH), undefined, `${typed} becomes ${priceTicks}`)
  }
})

t.test('each offered quantity is one that the exchange takes', async t => {
  const few = { ...RICH, moneyUnits: 235_0000, yesLots: 250 }
  const rows: readonly Partial<TicketDraft>[] = [{ lots: 100_000 }, { lots: 5000 }, { lots: 10 }, { lots: 9 }]
  for (const change of [...rows, { deal: 'sell' } as const]) {
    const fault = faultOf({ ...BUY, ...change }, TERMS, few)
    const [{ lots } = { lots: undefined }] = fault?.fixes ?? []
    // What is too little for one limit may also be too little for the next.
    const after = faultOf({ ...BUY, ...change, lots }, TERMS, few)
    t.ok(lots !== undefined && after?.words !== fault?.words, JSON.stringify(change), { fault, after })
  }
  const [buy] = faultOf({ ...BUY, deal: 'sell' }, TERMS, RICH)?.fixes ?? []
  t.equal(buy?.buy, 'no', 'who has no YES to sell may buy NO')
})

t.test('an amount becomes as many contracts as it pays for, and never more', async t => {
  const budget = (units: number) => ({ spendUnits: units, holdUnits: RICH.moneyUnits })
  const limit = (rupees: number) => contractsFor(budget(rupees * 10_000), BUY, TERMS, BOOK, [])
  t.same(limit(100), { lots: 1612, leftUnits: 560 }, '₹100 at ₹6.20')
  t.same(limit(0.05), { lots: 0, leftUnits: 500 })
  const market = (rupees: number) =>
    contractsFor(budget(rupees * 10_000), { ...BUY, orderType: 'MO', priceTicks: undefined }, TERMS, BOOK, [])
  t.same(market(24.4), { lots: 400, leftUnits: 0 }, 'the best level alone')
  t.same(market(100), { lots: 400 + 1219, leftUnits: 220 }, 'and on at the next one')
  t.same(market(10_000), { lots: 10_400, leftUnits: 100_000_000 - 244_000 - 6_200_000 }, 'the book ends')
  t.equal(contractsFor(budget(1), { ...BUY, priceTicks: undefined }, TERMS, BOOK, []), undefined)
  const dice = new Dice(150)
  for (let round = 0; round < 300; round++) {
    const spend = dice.between(1, 9_000_000)
    const order = {
      ...BUY,
      orderType: dice.oneOf(['LO', 'MO'] as const),
      priceTicks: dice.between(2, 198) * 5,
    }
    const got = contractsFor(budget(spend), order, TERMS, BOOK, [])
    const whole = { ...order, lots: got?.lots ?? 0 }
    const draft = order.orderType === 'LO' ? whole : atMarket(whole, AROUND)
    const sum = sumTicket(draft, TERMS, RICH, BOOK, [])
    if ((draft.lots ?? 0) > 0 && (sum === undefined || sum.costUnits > spend))
      t.fail(`seed 150, round ${round}: costs more than the amount`, { spend, draft, sum })
    if (got !== undefined && got.leftUnits < 0) t.fail(`seed 150, round ${round}: overspent`)
  }
})

t.test('a ticket in rupees is refused for its amount, and says what would do', async t => {
  const ticket = newTicket('')
  const draft = () => draftOf(ticket, AROUND)
  const fault = (power = RICH) => faultOf(draft(), TERMS, power)
  t.same([ticket.orderType.value, ticket.unit.value], ['MO', 'rupees'], 'as a newcomer meets it')
  t.equal(draft().lots, 400 + 1219, '₹100 to begin with')
  t.equal(fault(), undefined)
  for (const [text, words] of [
    ['', 'Enter an amount in rupees, for example 100.'],
    ['ten', 'Enter an amount in rupees, for example 100.'],
    ['0.5', 'Minimum order: ₹1.00.'],
    ['१,५००', 'Maximum order: ₹1,000.00.'],
  ] as const) {
    ticket.amountText.value = text
    t.equal(fault()?.words, words, text)
  }
  ticket.amountText.value = '₹ 500'
  const poor = fault({ ...RICH, moneyUnits: 2_350_050 })
  t.equal(poor?.words, 'Available ₹235.00; this order needs ₹500.00.')
  t.equal(poor?.fixes?.[0]?.spendUnits, 2_350_000, 'a fix that can be typed')
  ticket.deal.value = 'sell'
  t.equal(draft().amount, undefined, 'contracts are sold by their number')
})

t.test('a market order that meets nobody leads to a limit order', async t => {
  const empty = { bids: [], asks: [] }
  const fault = emptyBookFault({ ...BUY, orderType: 'MO' }, empty)
  t.match(fault?.words, /No sellers/)
  t.equal(fault?.fixes?.[0]?.orderType, 'LO')
  t.match(emptyBookFault({ ...BUY, deal: 'sell', orderType: 'MO' }, empty)?.words, /No buyers/)
  t.equal(emptyBookFault(BUY, empty), undefined, 'a limit order may be the first')
  t.equal(emptyBookFault({ ...BUY, orderType: 'MO' }, BOOK), undefined)
})

t.test('a new ticket begins at a limit where its outcome has no offers', async t => {
  const offer = { deal: 'buy', outcome: 'yes', orderType: 'MO' } as const
  const bidsOnly = { bids: BOOK.bids, asks: [] }
  const begins = (outcome: 'yes' | 'no', book: Book, last_price: number | null) =>
    firstOffer({ ...offer, outcome }, book, { payout: 10, last_price })
  t.same(begins('yes', bidsOnly, null), { orderType: 'LO', price: 5 }, 'half of the payout')
  t.same(begins('yes', bidsOnly, 6), { orderType: 'LO', price: 6 }, 'the last price')
  t.same(begins('no', { bids: [], asks: [] }, 7), { orderType: 'LO', price: 3 }, 'the last price of NO')
  t.same(begins('no', bidsOnly, 7), { orderType: 'MO', price: 4 }, 'the bids of YES sell NO')
  t.same(begins('yes', BOOK, 7), { orderType: 'MO', price: 6.1 })
})

t.test('shares are of the most, in whole rupees or contracts where there are any', async t => {
  t.same(
    [0.25, 0.5, 1].map(share => partOf(12_345, share)),
    [3000, 6100, 12_345],
  )
  t.equal(partOf(150, 0.25), 37)
  t.equal(partOf(0, 0.5), 0)
})

t.test('a price from the book is filled in for the outcome, as a limit', async t => {
  const ticket = newTicket('?outcome=no')
  pickPrice(ticket, 6.2, 10)
  t.same([ticket.priceText.value, ticket.orderType.value], ['3.80', 'LO'])
  t.equal(newTicket('?exit=no').exiting.value, 'no')
  t.equal(newTicket('').exiting.value, undefined)
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
      'Bought 10 NO for ₹37.50.',
    ],
    [
      { state: 'partially_filled', filled_quantity: 4, remaining_quantity: 6, average_price: 3.75 },
      'good',
      'Bought 4 NO for ₹15.00. 6 NO resting at ₹3.80.',
    ],
    [{ state: 'rejected', reason: 'market_halted' }, 'bad', 'Not placed: trading is halted'],
    [{ state: 'cancelled', reason: 'no_liquidity' }, 'bad', 'Not filled: no matching orders.'],
    [
      { state: 'rejected', reason: 'order_expired' },
      'bad',
      'Not placed: your order reached the exchange too late.',
    ],
    [
      {
        state: 'cancelled',
        reason: 'no_liquidity',
        order_type: 'LO',
        time_in_force: 'IOC',
        filled_quantity: 4,
        remaining_quantity: 6,
        average_price: 3.7,
      },
      'neutral',
      'Bought 4 NO for ₹14.80. 6 NO not bought: no more sellers at ₹3.80 or less.',
    ],
    [
      {
        state: 'cancelled',
        reason: 'no_liquidity',
        filled_quantity: 4,
        average_price: 3.7,
        offer_type: 'sell',
      },
      'neutral',
      'Sold 4 NO for ₹14.80. The rest was cancelled: no matching orders.',
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

t.test('contracts are worth what the book pays for them, not their last price', async t => {
  const book = {
    bids: [
      [6, 4],
      [5.5, 2],
    ],
    asks: [[6.4, 10]],
  } as const
  const yes = { outcome: 'yes', held: 5, payout: 10 } as const
  t.same(worthNow(yes, book, []), { sold: 5, money: 4 * 6 + 5.5, isAll: true })
  t.same(worthNow({ ...yes, held: 50 }, book, []), { sold: 6, money: 35, isAll: false })
  t.same(worthNow({ ...yes, outcome: 'no' }, book, []), { sold: 5, money: 18, isAll: true })
  t.same(worthNow(yes, { bids: [], asks: [] }, []), { sold: 0, money: 0, isAll: false })
  const own = [{ side: 'yes', yesPrice: 6, remaining: 4 }] as const
  t.match(worthNow(yes, book, own), { sold: 0 }, 'nobody sells to themselves')
})

t.test('a result is called at what the contracts cost of what they pay, where that can be said', async t => {
  t.equal(calledAt({ yes: 50, no: 0, paid: 300 }, 10), 0.6)
  t.equal(calledAt({ yes: 0, no: 2, paid: 50 }, 100), 0.25)
  t.equal(calledAt({ yes: 5, no: 5, paid: 60 }, 10), undefined, 'both outcomes call nothing')
  t.equal(calledAt({ yes: 5, no: 0, paid: -3 }, 10), undefined, 'sales had paid for the rest')
  t.equal(calledAt({ yes: 0, no: 0, paid: 0 }, 10), undefined)
})
