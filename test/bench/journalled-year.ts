import type { OrderRequest } from '../../src/core/order-request.js'
import type { MarketCode, TimeMs } from '../../src/core/units.js'
import { amount, lots, ticks, UNITS_PER_RUPEE } from '../../src/core/units.js'
import { Exchange } from '../../src/exchange/exchange.js'
import { Dice } from '../fixtures/dice.js'

const SEED = 20_261_122
const DAY = 86_400_000
const YEAR_DAYS = 365
const USERS = 2000
/** Events that are open at the same time, and how long each is. */
const MARKETS_OPEN = 8
const MARKET_DAYS = 7
/** Orders that arrive together: a small exchange has few at a time. */
const TOGETHER = 3
const PAYOUT = ticks(1000)

/**
 * Trades for the year before `end` in one thread, and leaves the files behind: a small exchange with a few events
 * at a time, each of which is settled after a week; limit orders near a price, some market orders, cancels at the
 * end of each event.
 */
export async function journalYear(file: string, orders: number, end: number): Promise<void> {
  const year = new Year(end)
  const exchange = await year.open(file)
  let codes: MarketCode[] = []
  let nextRound = year.now
  for (let placed = 0; placed < orders; ) {
    if (year.now >= nextRound) {
      await year.endAll(exchange, codes)
      codes = await year.createAll(exchange)
      nextRound += MARKET_DAYS * DAY
    }
    const arriving: Promise<unknown>[] = []
    for (let count = 0; count < TOGETHER && placed < orders; count++, placed++)
      arriving.push(exchange.placeOrder(year.order(codes)))
    await Promise.all(arriving)
    year.now += (YEAR_DAYS * DAY * TOGETHER) / orders
  }
  await exchange.close()
}

class Year {
  now: number
  readonly #dice = new Dice(SEED)
  #ids = 0

  constructor(end: number) {
    this.now = end - YEAR_DAYS * DAY
  }

  open(file: string): Promise<Exchange> {
    return Exchange.open({
      file,
      shardCount: 1,
      threads: false,
      queueLengthMax: 8192,
      eventsMax: () => 20_000,
      startingBalance: amount(1_000_000 * UNITS_PER_RUPEE),
      sources: {
        now: () => Math.floor(this.now) as TimeMs,
        watch: () => this.now,
        sinceBoot: () => undefined,
        messageId: () => `3f0c9a52-7d1e-4b86-9c55-${String(this.#next()).padStart(12, '0')}`,
        orderSuffix: () => `Zq4kX${String(this.#next() % 100_000).padStart(5, '0')}`,
        eventId: () => `event${this.#next()}`,
        rest: goOn => goOn(),
      },
      fail: error => {
        throw error
      },
    })
  }

  async createAll(exchange: Exchange): Promise<MarketCode[]> {
    const codes: MarketCode[] = []
    for (let market = 0; market < MARKETS_OPEN; market++) {
      const times = { startAt: this.now as TimeMs, endAt: (this.now + 30 * DAY) as TimeMs }
      const bets = { minBet: amount(0), maxBet: amount(100_000 * UNITS_PER_RUPEE) }
      const terms = { payout: PAYOUT, tickSize: ticks(1), capacity: lots(1e9), ...times, ...bets }
      const texts = { title: 'Will it rain?', description: 'Does it rain?', sot: 'weather' }
      const created = await exchange.createMarket({
        terms: {
          ...terms,
          startAt: Math.floor(times.startAt) as TimeMs,
          endAt: Math.floor(times.endAt) as TimeMs,
        },
        listing: { ...texts, slug: `rain-${this.#next()}` },
      })
      if (typeof created === 'string') throw new Error(created)
      codes.push(created.terms.code)
    }
    return codes
  }

  async endAll(exchange: Exchange, codes: readonly MarketCode[]): Promise<void> {
    for (const code of codes) {
      const market = exchange.market(code)
      if (market === undefined) throw new Error('the event exists')
      await exchange.moveMarket(market, 'close')
      await exchange.drain()
      await exchange.resolveMarket(market, { outcome: this.#dice.oneOf(['yes', 'no']) })
    }
    await exchange.drain()
  }

  order(codes: readonly MarketCode[]): OrderRequest {
    const dice = this.#dice
    const side = dice.oneOf(['yes', 'no'] as const)
    const distance = dice.between(-4, 12) / 100
    const price = Math.round((5 + (side === 'yes' ? -distance : distance)) * 100) / 100
    return {
      userId: `user-${dice.between(1, dice.percent(70) ? USERS / 10 : USERS)}`,
      market: codes[dice.between(0, codes.length - 1)] as MarketCode,
      side,
      orderType: dice.percent(5) ? 'MO' : 'LO',
      selfTrade: 'taker',
      outcome: 'yes',
      yesPrice: price,
      askedPrice: price,
      quantity: dice.between(1, 500) / 10,
    }
  }

  #next(): number {
    this.#ids++
    return this.#ids
  }
}
