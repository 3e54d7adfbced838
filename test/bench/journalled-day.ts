import { orderSchema, toOrderRequest } from '../../src/api/orders/order-schema.js'
import type { MarketCode, TimeMs } from '../../src/core/units.js'
import { amount, lots, ticks, UNITS_PER_RUPEE } from '../../src/core/units.js'
import { Exchange } from '../../src/exchange/exchange.js'
import { fingerprintOf } from '../../src/exchange/orders/request-fingerprint.js'
import { Dice } from '../fixtures/dice.js'

const SEED = 20_261_121
const USERS = 200
const MARKETS = 4
/** Orders that arrive together: the size of the server's batches under load. */
const TOGETHER = 256
const START = 1_800_000_000_000
const DAY = 86_400_000

/** Trades for a day in one thread and leaves the file behind: limit and market orders, merges, cancels. */
export async function journalDay(file: string, orders: number): Promise<void> {
  const dice = new Dice(SEED)
  let ids = 0
  let now = START
  const next = () => {
    ids++
    return ids
  }
  const exchange = await Exchange.open({
    file,
    shardCount: 1,
    threads: false,
    queueLengthMax: 8192,
    eventsMax: () => 20_000,
    startingBalance: amount(10_000_000 * UNITS_PER_RUPEE),
    sources: {
      now: () => now as TimeMs,
      watch: () => now,
      sinceBoot: () => undefined,
      messageId: () => `3f0c9a52-7d1e-4b86-9c55-${String(next()).padStart(12, '0')}`,
      orderSuffix: () => `Zq4kX${String(next() % 100_000).padStart(5, '0')}`,
      eventId: () => `event${next()}`,
      rest: goOn => goOn(),
    },
    fail: error => {
      throw error
    },
  })
  const codes: MarketCode[] = []
  for (let market = 0; market < MARKETS; market++) {
    const times = { startAt: START as TimeMs, endAt: (START + DAY) as TimeMs }
    const bets = { minBet: amount(0), maxBet: amount(1_000_000 * UNITS_PER_RUPEE) }
    const terms = { payout: ticks(1000), tickSize: ticks(1), capacity: lots(1e10), ...times, ...bets }
    const listing = { title: 'Rain', slug: `rain-${market}`, description: 'Does it rain?', sot: 'weather' }
    const created = await exchange.createMarket({ terms, listing })
    if (typeof created === 'string') throw new Error(created)
    codes.push(created.terms.code)
  }
  for (let placed = 0; placed < orders; ) {
    const arriving: Promise<unknown>[] = []
    for (let count = 0; count < TOGETHER && placed < orders; count++, placed++) {
      const code = codes[dice.between(0, MARKETS - 1)] as MarketCode
      arriving.push(exchange.placeOrder(randomOrder(exchange, dice, code)))
    }
    await Promise.all(arriving)
    now += 10
  }
  await exchange.drain()
  await exchange.close()
}

function randomOrder(exchange: Exchange, dice: Dice, code: MarketCode) {
  const isBuy = dice.percent(50)
  const distance = dice.between(-3, 12) / 100
  const terms = exchange.market(code)?.terms
  if (terms === undefined) throw new Error('the market exists')
  return toOrderRequest(
    orderSchema.parse({
      event_id: String(code),
      l1_expected_price: Math.round((5 + (isBuy ? -distance : distance)) * 100) / 100,
      l1_order_quantity: dice.between(1, 500) / 10,
      offer_type: isBuy ? 'buy' : 'sell',
      order_type: dice.percent(5) ? 'MO' : 'LO',
      userid: `user-${dice.between(1, USERS)}`,
    }),
    terms,
    fingerprintOf,
  )
}
