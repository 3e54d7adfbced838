import t from 'tap'
import { reasonSentence, reasonWords } from '../../src/api/orders/order-reason-texts.js'
import type { CancelReason, Refusal } from '../../src/core/order.js'
import { hundredthsIn } from '../../src/web/kit/hundredths.js'
import { chanceText, countText, rupeesText } from '../../src/web/kit/number-texts.js'
import { timeLeftText } from '../../src/web/kit/time-texts.js'
import { candlesFor } from '../../src/web/trade/chart/chart-range.js'
import { chanceOf } from '../../src/web/trade/implied-probability.js'
import { sparkPath } from '../../src/web/kit/spark-path.js'

t.test('formats money as in India, to the paisa', async t => {
  t.equal(rupeesText(1_000_000), '₹10,00,000.00')
  t.equal(rupeesText(-3.5), '−₹3.50')
  t.equal(rupeesText(3.5, 'signed'), '+₹3.50')
  t.equal(rupeesText(0, 'signed'), '₹0.00', 'nothing has no sign')
  t.equal(rupeesText(-0.001), '₹0.00', 'nor has what is less than a paisa')
  t.equal(rupeesText(0.1 + 0.2), '₹0.30')
})

t.test('groups counts as in India, and abbreviates them where space is short', async t => {
  t.equal(countText(1_234_567.5), '12,34,567.5')
  t.equal(countText(999.25, 'scarce'), '999.25')
  t.equal(countText(4267.86, 'scarce'), '4,268', 'hundredths of thousands say nothing')
  t.equal(countText(99_999.4, 'scarce'), '99,999')
  t.equal(countText(99_999.7, 'scarce'), '1 lakh')
  t.equal(countText(123_456, 'scarce'), '1.2 lakh')
  t.equal(countText(9_999_999, 'scarce'), '1 crore', 'never 100 lakh')
  t.equal(countText(34_000_000, 'scarce'), '3.4 crore')
})

t.test('never rounds a probability to certainty', async t => {
  t.equal(chanceText(0.625), '62.5%')
  t.equal(chanceText(0.6249, 'headline'), '62%')
  t.equal(chanceText(0.996, 'headline'), '99.6%')
  t.equal(chanceText(0.004, 'headline'), '0.4%')
  t.equal(chanceText(undefined), '–')
})

t.test('the probability is the middle of a narrow spread, otherwise the last trade', async t => {
  const quotes = { payout: 10, bid: 6, ask: 6.4, last: 5 }
  t.equal(chanceOf(quotes), 0.62)
  t.equal(chanceOf({ ...quotes, ask: 7.5 }), 0.5, 'a wide spread says less than a trade')
  t.equal(chanceOf({ ...quotes, ask: 8, last: null }), undefined, 'nor does it say anything alone')
  t.equal(chanceOf({ ...quotes, bid: 6, ask: 7 }), 0.65, 'a tenth of the payout is close')
  t.equal(chanceOf({ ...quotes, bid: null }), 0.5)
  t.equal(chanceOf({ ...quotes, bid: null, last: null }), undefined, 'one side alone says nothing')
})

t.test('parses typed amounts into hundredths, or undefined', async t => {
  const rows: readonly (readonly [string, number | undefined])[] = [
    ['6.5', 650],
    ['6.', 600],
    ['.5', 50],
    ['1,00,000', 10_000_000],
    ['0.29', 29],
    ['₹6.50', 650],
    [' ₹ 1,000 ', 100_000],
    ['Rs. 500', 50_000],
    ['500/-', 50_000],
    ['1 00 000', 10_000_000],
    ['१२.५०', 1250],
    ['₹१,०००', 100_000],
    ['6.505', undefined],
    ['6,50', undefined],
    ['6 5', undefined],
    ['1,00', undefined],
    ['1,000,00', undefined],
    ['₹', undefined],
    ['1.2.3', undefined],
    ['', undefined],
    ['-1', undefined],
    ['1e3', undefined],
    ['six', undefined],
    ['.', undefined],
  ]
  for (const [text, hundredths] of rows) t.equal(hundredthsIn(text), hundredths, `"${text}"`)
})

t.test('formats the remaining time in its two largest units', async t => {
  t.equal(timeLeftText(3 * 86_400_000 + 4 * 3_600_000 + 59_000), '3 d 4 h')
  t.equal(timeLeftText(3325 * 86_400_000), '9 y 40 d')
  t.equal(timeLeftText(364 * 86_400_000), '364 d')
  t.equal(timeLeftText(3 * 86_400_000), '3 d')
  t.equal(timeLeftText(3_600_000 + 5000), '1 h')
  t.equal(timeLeftText(61_000), '1 min 1 s')
  t.equal(timeLeftText(0), 'moments')
  t.equal(timeLeftText(-5000), 'moments', 'never less than nothing')
})

t.test('every reason of the exchange has a text', async t => {
  // A record of all reasons, so that the compiler notices a new one that is missing here.
  const reasons: Readonly<Record<Refusal | CancelReason, true>> = {
    market_not_open: true,
    market_halted: true,
    market_closed: true,
    order_expired: true,
    order_would_take: true,
    order_changed: true,
    position_insufficient: true,
    price_out_of_range: true,
    price_off_tick: true,
    quantity_off_step: true,
    quantity_too_large: true,
    bet_below_min: true,
    bet_above_max: true,
    funds_insufficient: true,
    user_cancelled: true,
    user_disconnected: true,
    timer_ended: true,
    season_turn: true,
    self_trade: true,
    no_liquidity: true,
    event_capacity: true,
    match_limit: true,
    fill_or_kill: true,
    order_replaced: true,
    quotes_replaced: true,
  }
  for (const reason of Object.keys(reasons)) t.notMatch(reasonSentence(reason), reason, reason)
  for (const unknown of ['something_new', 'toString']) {
    t.match(reasonSentence(unknown), unknown, 'an unknown reason is shown as it came')
    t.equal(reasonWords(unknown), unknown)
  }
})

t.test('shows a range with the finest candles that fit into one response', async t => {
  const now = Date.parse('2026-11-21T17:03:20Z')
  const began = now - 3 * 86_400_000
  const count = (range: Parameters<typeof candlesFor>[0], beganAt = began) => {
    const { interval, from, to } = candlesFor(range, now, beganAt)
    const minutes = { '1m': 1, '5m': 5, '15m': 15, '1h': 60, '1d': 1440 }[interval]
    return [interval, (Date.parse(to) - Date.parse(from)) / 60_000 / minutes] as const
  }
  t.same(
    (['1H', '6H', '1D', '1W', '1M'] as const).map(range => count(range)[0]),
    ['1m', '1m', '5m', '15m', '1h'],
  )
  t.equal(count('ALL')[0], '15m')
  for (const range of ['1H', '6H', '1D', '1W', '1M', 'ALL'] as const) {
    t.ok(count(range)[1] <= 1000, `${range} fits one answer`)
    t.ok(count(range, 0)[1] <= 1000, `${range} fits one answer, however old the market`)
  }
  t.ok(Date.parse(candlesFor('1H', now, began).to) > now, 'the candle under way is in it')
})

t.test('a sparkline spans 0 to 1 over its full height, with few points', async t => {
  t.equal(sparkPath([], 120, 36), '')
  t.equal(sparkPath([0.5], 120, 36), 'M0.0 18.0L120.0 18.0')
  t.equal(sparkPath([0, 1], 120, 36), 'M0.0 34.0L120.0 2.0')
  t.equal(sparkPath(new Array(5000).fill(0.5), 120, 36).split('L').length, 60)
})
