import t from 'tap'
import { isOpen } from '../../src/core/order.js'
import type { OrderRecord } from '../../src/core/order-record.js'
import { orderId } from '../../src/core/order-record.js'
import { ticks } from '../../src/core/units.js'
import type { OwnOrder } from '../../src/web/trade/market/ladder-rows.js'
import { faultOf } from '../../src/web/trade/ticket/draft-faults.js'
import { atMarket } from '../../src/web/trade/ticket/market-limit.js'
import type { BuyingPower, TicketDraft } from '../../src/web/trade/ticket/ticket-draft.js'
import { termsOf } from '../../src/web/trade/ticket/ticket-draft.js'
import { sumTicket } from '../../src/web/trade/ticket/ticket-sum.js'
import { Dice } from '../fixtures/dice.js'
import { MARKET, TestExchange } from '../fixtures/test-exchange.js'

/**
 * Random orders whose predictions by the ticket are compared with the real exchange's results. Their
 * user has contracts, locked contracts, open orders, and little money.
 */
const ORDERS = 250
const TERMS = { payout: 10, tick_size: 0.05, min_bet: 2, max_bet: 120 }

/** Returns what the page knows about a user: free contracts and money, in the exchange's units. */
function meansOf(test: TestExchange, userId: string): BuyingPower {
  const position = test.exchange.userChannel
    .positions(userId)
    .find(({ market }) => market === MARKET)?.contracts
  const { yes = 0, no = 0, yesLocked = 0, noLocked = 0 } = position ?? {}
  return {
    yesLots: yes - yesLocked,
    noLots: no - noLocked,
    moneyUnits: test.exchange.balance(userId)?.available,
  }
}

function bookOf(test: TestExchange) {
  const ladder = test.exchange.market(MARKET)?.ladder
  const levels = (side: readonly (readonly [number, number])[] = []) =>
    side.map(([price, quantity]) => [price / 100, quantity / 100] as const)
  return { bids: levels(ladder?.bids()), asks: levels(ladder?.asks()) }
}

async function openOrdersOf(test: TestExchange, placed: readonly OrderRecord[]): Promise<OwnOrder[]> {
  const own: OwnOrder[] = []
  for (const record of placed) {
    const now = await test.exchange.findOrder(orderId(record))
    if (typeof now !== 'object' || !isOpen(now.state)) continue
    own.push({ side: now.side, yesPrice: now.price / 100, remaining: (now.quantity - now.filled) / 100 })
  }
  return own
}

function randomDraft(dice: Dice): TicketDraft {
  return {
    deal: dice.percent(75) ? 'buy' : 'sell',
    outcome: dice.oneOf(['yes', 'no']),
    orderType: dice.percent(75) ? 'LO' : 'MO',
    priceTicks: dice.between(60, 190) * 5 + (dice.percent(5) ? 1 : 0) + (dice.percent(3) ? 1000 : 0),
    lots: dice.percent(85) ? dice.between(1, 20) * 100 : dice.between(5, 6000),
  }
}

/** Formats a draft in the language of the tests: `asha buy 10 no @ 5.5`. */
function orderText({ deal, outcome, orderType, priceTicks = 0, lots = 0 }: TicketDraft): string {
  const end = `@ ${priceTicks / 100}${orderType === 'MO' ? ' ioc' : ''}`
  return `asha ${deal} ${lots / 100} ${outcome} ${end}`
}

t.test('the ticket predicts what the exchange does', async t => {
  const dice = new Dice(20_261_121)
  const test = await TestExchange.open(t, { startingBalance: 400 })
  await test.create({ tickSize: ticks(5), minBet: TERMS.min_bet, maxBet: TERMS.max_bet })
  const terms = termsOf(TERMS)
  const placed: OrderRecord[] = []
  const seen = { refused: 0, filled: 0, sold: 0, rested: 0, self_trade: 0, market: 0 }

  for (let number = 0; number < ORDERS; number++) {
    for (const maker of ['mia', 'max', 'moe']) {
      const price = dice.between(20, 180) * 0.05
      await test.place(`${maker} ${dice.oneOf(['buy', 'sell'])} ${dice.between(1, 12)} @ ${price.toFixed(2)}`)
    }
    await test.exchange.drain()
    // If everything is held, release a little.
    const oldest = placed.length > 6 ? placed.shift() : undefined
    if (oldest !== undefined) await test.cancel(oldest)
    await test.exchange.drain()

    const power = meansOf(test, 'asha')
    const own = await openOrdersOf(test, placed)
    const around = { terms, power, book: bookOf(test), own, tolerance: dice.oneOf([0, 1, 5] as const) }
    const typed = randomDraft(dice)
    const draft = typed.orderType === 'LO' ? typed : atMarket(typed, around)
    if (draft.priceTicks === undefined) continue
    const fault = faultOf(draft, terms, power)
    const said = sumTicket(draft, terms, power, around.book, own)
    // Selling contracts not held would be a different order; the page sends reduce_only there.
    const isShort =
      draft.deal === 'sell' && (draft.lots ?? 0) > (draft.outcome === 'yes' ? power.yesLots : power.noLots)
    if (isShort || power.moneyUnits === undefined) {
      if (isShort && fault === undefined) t.fail('selling more than one holds is refused on the page')
      if (power.moneyUnits === undefined) await test.place('asha buy 1 @ 5')
      continue
    }

    const order = await test.place(orderText(draft))
    await test.exchange.drain()
    const after = meansOf(test, 'asha')
    const what = `order ${number}: ${orderText(draft)}`
    if ((order.state === 'rejected') !== (fault !== undefined)) {
      t.fail(what, { fault, state: order.state, reason: order.reason })
      continue
    }
    if (fault !== undefined) {
      seen.refused++
      continue
    }
    if (said === undefined) {
      t.fail(`${what}: an order without a fault has a sum`)
      continue
    }
    if (order.state === 'resting' || order.state === 'partially_filled') placed.push(order)
    const { estimate, restingLots, costUnits } = said
    if (estimate.stop === 'self_trade') seen.self_trade++
    if (draft.orderType === 'MO') seen.market++
    // Orders behind an own order at the same price cannot fill, so less may fill than predicted.
    const isQueued = own.some(({ yesPrice }) => Math.round(yesPrice * 100) === estimate.worstTicks)
    if (estimate.stop === 'self_trade' || (isQueued && order.reason === 'self_trade')) {
      t.equal(order.reason, 'self_trade', what)
      t.ok(order.filled <= estimate.filledLots, what)
      continue
    }
    const paid = power.moneyUnits - (after.moneyUnits ?? 0)
    t.same(
      { filled: order.filled, value: order.filledValue, left: order.quantity - order.filled, paid },
      {
        filled: estimate.filledLots,
        value: estimate.tradedUnits,
        left: draft.orderType === 'LO' ? restingLots : (draft.lots ?? 0) - estimate.filledLots,
        paid: costUnits - estimate.receivedUnits,
      },
      what,
    )
    if (order.filled > 0) seen.filled++
    if (estimate.soldLots > 0) seen.sold++
    if (restingLots > 0) seen.rested++
  }
  for (const [kind, count] of Object.entries(seen)) t.ok(count > 3, `${kind}: ${count} orders`)
})
