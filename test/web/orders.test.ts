import t from 'tap'
import type { Market, Order } from '../../src/client/shapes.js'
import type { AmendingPower } from '../../src/web/trade/orders/amendment.js'
import { ownLockedLots, planAmendment } from '../../src/web/trade/orders/amendment.js'
import { exitNote } from '../../src/web/trade/orders/exit-note.js'
import { whyText } from '../../src/web/trade/orders/order-why.js'
import { typedNumbers } from '../../src/web/trade/orders/typed-numbers.js'
import type { KeyPress } from '../../src/web/trade/ticket/keys/shortcuts.js'
import { SHORTCUT_KEYS, shortcutOf } from '../../src/web/trade/ticket/keys/shortcuts.js'
import { termsOf } from '../../src/web/trade/ticket/ticket-draft.js'

const MARKET = { payout: 10, tick_size: 0.05, min_bet: 2, max_bet: 100 } as unknown as Market
const TERMS = termsOf(MARKET)
const POWER: AmendingPower = {
  yesLots: 0,
  noLots: 0,
  yesLocked: 0,
  noLocked: 0,
  ownLocked: 0,
  moneyUnits: 100_000,
}
/** Buys 10 YES at ₹6, of which 4 are filled: the other six hold ₹36. */
const ORDER = {
  price: 6,
  quantity: 10,
  filled_quantity: 4,
  remaining_quantity: 6,
  offer_type: 'buy',
  outcome: 'yes',
  side: 'yes',
  order_type: 'LO',
  reduce_only: false,
  state: 'partially_filled',
  reason: null,
} as unknown as Order

const plan = (price: string, quantity: string, order = ORDER, power = POWER) =>
  planAmendment(order, typedNumbers(price, quantity), TERMS, power)

t.test('a change to an open order sends what differs, and says what it does to the queue', async t => {
  const rows: readonly (readonly [string, string, object, boolean, number])[] = [
    ['6.00', '10', {}, true, 360_000],
    ['₹6', '8', { quantity: 8 }, true, 240_000],
    ['6', '11', { quantity: 11 }, false, 420_000],
    ['5.5', '10', { price: 5.5 }, false, 330_000],
    ['६.५०', '11', { price: 6.5, quantity: 11 }, false, 455_000],
  ]
  for (const [price, quantity, change, keepsPlace, heldUnits] of rows) {
    const found = plan(price, quantity)
    t.match(found, { change, keepsPlace, heldUnits, fault: undefined }, `${quantity} at ${price}`)
    t.same(found.change, change)
  }
})

t.test('a change that the exchange would refuse is refused on the page', async t => {
  const rows: readonly (readonly [string, string, string])[] = [
    ['', '10', 'Enter a price from ₹0.10 to ₹9.90.'],
    ['6.01', '10', 'Prices here move in steps of ₹0.05.'],
    ['6', '', 'Enter a number of contracts, for example 10 or 2.5.'],
    ['6', '4', '4 are filled already. Enter more, or cancel the order.'],
    ['6', '3', '4 are filled already. Enter more, or cancel the order.'],
    ['6', '22', 'Maximum order: ₹100.00.'],
    ['9', '10', 'Available ₹46.00; this order needs ₹54.00.'],
    ['0.2', '10', 'Minimum order: ₹2.00.'],
  ]
  for (const [price, quantity, words] of rows)
    t.equal(plan(price, quantity).fault?.words, words, `${quantity} at ${price}`)
  t.same(plan('6', '12').fault?.fixes, [{ label: 'Use 11.66', lots: 1166 }], 'the total that would do')
  t.equal(plan('7.65', '10').fault, undefined, 'what the order holds counts for the new one')
})

t.test('a smaller quantity is never refused: the exchange lowers it without a check', async t => {
  t.equal(plan('6', '4.2').fault, undefined, 'also below the minimum order')
})

t.test('contracts that the order locks may be sold by the amended one', async t => {
  const sale = { ...ORDER, offer_type: 'sell', side: 'no', reduce_only: true } as Order
  const power = { ...POWER, yesLots: 100, yesLocked: 600, ownLocked: 600, moneyUnits: 0 }
  t.equal(plan('7', '11', sale, power).fault, undefined)
  t.equal(plan('7', '12', sale, power).fault?.words, 'You can sell up to 7 YES.')
  // The same sale by a program that may go short buys NO with what it cannot cover.
  const short = plan('7', '12', { ...sale, reduce_only: false }, { ...power, moneyUnits: 40_000 })
  t.equal(short.fault, undefined)
  t.equal(short.heldUnits, 100 * 300)
})

t.test('an open order without fills cannot be lowered to nothing', async t => {
  const order = { ...ORDER, filled_quantity: 0, remaining_quantity: 10 } as Order
  for (const quantity of ['0', '0.05'])
    t.equal(plan('6', quantity, order).fault?.words, 'Enter at least 0.1 contracts, or cancel the order.')
  t.equal(plan('6', '0.1', order).fault, undefined)
})

t.test('a change never says that it holds less than it does', async t => {
  const order = { ...ORDER, id: '1', filled_quantity: 0, remaining_quantity: 10 } as Order
  const withNo = { ...POWER, noLots: 1000 }
  t.equal(plan('6', '8', order, withNo).heldUnits, 800 * 600, 'lowering it leaves free contracts free')
  t.equal(plan('5', '10', order, withNo).heldUnits, 0, 'an order placed again sells them first')
  const other = { ...order, id: '2' }
  const locked = { yesLocked: 0, noLocked: 1000 }
  const own = (orders: readonly Order[]) => ownLockedLots(order, orders, locked)
  t.equal(own([order]), 1000)
  t.equal(own([order, other]), 0, 'they may all be those of the other order')
  t.equal(own([order, { ...other, remaining_quantity: 4 }]), 600)
  t.equal(own([order, { ...other, side: 'no' }, { ...other, event_id: '9' }]), 1000)
  t.equal(plan('5', '10', order, { ...POWER, ...locked }).heldUnits, 1000 * 500)
})

t.test('an exit says what it cannot sell', async t => {
  t.match(exitNote(0, 0, 0, undefined, 'YES'), /no free YES/)
  t.match(exitNote(500, 500, 0, undefined, 'YES'), /No buyers/)
  t.match(exitNote(500, 500, 0, 'self_trade', 'YES'), /Your own order/)
  t.match(exitNote(500, 500, 300, undefined, 'YES'), /2 YES stay yours/)
  t.notMatch(exitNote(500, 500, 500, undefined, 'YES'), /stay yours/)
  t.match(exitNote(500, 300, 300, undefined, 'YES'), /largest order here\. 2 YES stay yours/)
})

t.test('a refused order says why, with the figures', async t => {
  const rows: readonly (readonly [Partial<Order>, string])[] = [
    [{ reason: 'price_off_tick', price: 6.23 }, 'Nearest: ₹6.20 or ₹6.25.'],
    [{ reason: 'price_out_of_range', price: 9.95 }, '₹9.95 is outside this market’s range, ₹0.10 to ₹9.90.'],
    [{ reason: 'bet_below_min', quantity: 0.2 }, 'Worth ₹1.20; the minimum order is ₹2.00.'],
    [{ reason: 'bet_above_max', quantity: 30 }, 'Worth ₹180.00; the maximum order is ₹100.00.'],
    [{ reason: 'bet_above_max', offer_type: 'sell', quantity: 30 }, 'Worth ₹120.00;'],
    [{ reason: 'bet_above_max', order_type: 'MO' }, 'Stopped at this market’s maximum order of ₹100.00.'],
    [{ reason: 'funds_insufficient' }, 'Needed ₹60.00, more than your available balance.'],
    [{ reason: 'funds_insufficient', order_type: 'MO' }, 'Your balance ran out.'],
    [{ reason: 'position_insufficient' }, 'You did not have 10 free YES to sell.'],
    [{ reason: 'market_halted' }, 'Trading is halted.'],
  ]
  for (const [change, words] of rows) {
    const order = { ...ORDER, ...change }
    t.ok(whyText(order, MARKET).includes(words), words, { said: whyText(order, MARKET) })
    t.match(whyText(order, undefined), /^[A-Z].*\.$/, 'without its market it still has a reason')
  }
  for (const reason of [null, 'user_cancelled'] as const)
    t.equal(whyText({ ...ORDER, reason }, MARKET), '', 'nothing was refused')
})

const PRESS: KeyPress = {
  key: 'b',
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  repeat: false,
  isComposing: false,
  defaultPrevented: false,
}

t.test('a key does what its list says', async t => {
  for (const [name, key] of Object.entries(SHORTCUT_KEYS)) t.equal(shortcutOf({ ...PRESS, key }, null), name)
  t.equal(shortcutOf({ ...PRESS, key: 'B' }, null), 'buy', 'also with caps lock')
  for (const key of ['0', '7', '७']) t.equal(shortcutOf({ ...PRESS, key }, null), 'digit')
  t.equal(shortcutOf({ ...PRESS, key: 'z' }, null), undefined)
  const radio = { tagName: 'INPUT', type: 'radio' }
  t.equal(shortcutOf(PRESS, radio), 'buy', 'a chosen side is no field to type in')
})

t.test('no key does anything while someone types, or when it belongs to the browser', async t => {
  const fields = [
    { tagName: 'INPUT', type: 'text' },
    { tagName: 'INPUT', type: 'search' },
    { tagName: 'INPUT', type: 'password' },
    { tagName: 'INPUT' },
    { tagName: 'TEXTAREA' },
    { tagName: 'SELECT' },
    { tagName: 'DIV', isContentEditable: true },
  ]
  for (const field of fields)
    for (const key of [...Object.values(SHORTCUT_KEYS), '5'])
      t.equal(shortcutOf({ ...PRESS, key }, field), undefined, `${key} in ${field.tagName} ${field.type}`)
  for (const held of ['ctrlKey', 'metaKey', 'altKey', 'repeat', 'isComposing', 'defaultPrevented'] as const)
    t.equal(shortcutOf({ ...PRESS, [held]: true }, null), undefined, held)
  for (const tagName of ['A', 'BUTTON', 'SUMMARY'])
    t.equal(shortcutOf({ ...PRESS, key: 'Enter' }, { tagName }), undefined, `Enter presses the ${tagName}`)
})
