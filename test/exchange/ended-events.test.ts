import { setImmediate } from 'node:timers/promises'
import t from 'tap'
import { newProgress } from '../../src/core/market.js'
import type { AccountNumber, MarketCode, TimeMs } from '../../src/core/units.js'
import { amount, lots, ticks } from '../../src/core/units.js'
import { DeskMarket } from '../../src/exchange/markets/desk-market.js'
import { EventRanks } from '../../src/http/event-ranks.js'
import { feedText } from '../../src/http/share/feed.js'
import type { Connection } from '../../src/ws/connection.js'
import type { CancelParts } from '../../src/ws/disconnect-cancels.js'
import { DisconnectCancels } from '../../src/ws/disconnect-cancels.js'
import { HOUR, START, TestExchange } from '../fixtures/test-exchange.js'

const ENDED = 3000
/** The feed shows 30 of them, and looks at a dozen and more properties of each. */
const LOOKS_MAX = 500

/** Counts the looks at any property of events that are over. */
class Looks {
  count = 0

  /** Returns an event that was settled a month ago. */
  settled(number: number): DeskMarket {
    const code = (2_000_000 + number) as MarketCode
    const at = (START - 720 * HOUR + number) as TimeMs
    const market = new DeskMarket({
      terms: {
        ...{ code, payout: ticks(1000), tickSize: ticks(1), minBet: amount(0), maxBet: amount(1) },
        ...{ capacity: lots(1000), startAt: (at - HOUR) as TimeMs, endAt: at },
        escrow: (100_000 + number) as AccountNumber,
      },
      listing: {
        ...{ id: `id-${number}`, title: 'Rain', slug: `old-${number}`, description: '', sot: 'weather' },
        createdAt: (at - HOUR) as TimeMs,
      },
      progress: { ...newProgress('settled'), outcome: 'yes' },
      resolved: { at, sourceUrl: undefined, note: undefined },
    })
    for (const [name, value] of Object.entries(market)) {
      const get = () => {
        this.count++
        return value
      }
      Object.defineProperty(market, name, { get, set: () => t.fail(`${name} of an ended event is written`) })
    }
    return market
  }

  /** Returns how often anything is looked at meanwhile. */
  async during(work: () => unknown): Promise<number> {
    this.count = 0
    await work()
    return this.count
  }
}

t.test('cancel-all, a disconnect, the feed and the clock do not walk the events that are over', async t => {
  const test = await TestExchange.open(t)
  const { exchange } = test
  const looks = new Looks()
  for (let number = 1; number <= ENDED; number++) exchange.directory.add(looks.settled(number))
  const { code } = (await test.create()).terms
  const ranks = new EventRanks(exchange.directory, () => exchange.now())
  t.ok(looks.count > ENDED, 'all were ranked once')
  // Some are freed in each tick, and none is found in the tables.
  for (let tick = 0; tick < ENDED / 50; tick++) exchange.advanceClock()

  const site = { name: 'Raay', language: 'en', timeZone: 'Asia/Kolkata', color: '#1b4fd0' } as const
  const feed = () => feedText({ exchange, ranks }, site, 'https://markets.example.org', exchange.now())
  t.equal([...feed().matchAll(/<entry>/g)].length, 60)
  const cancels = new DisconnectCancels({ exchange, budget: {} } as unknown as CancelParts)
  const disconnect = async () => {
    cancels.begin({ cancelSetting: { userId: 'asha', markets: undefined } } as unknown as Connection)
    while (cancels.waitingCount > 0) await setImmediate()
  }
  const tick = async () => {
    test.now += 1000
    exchange.advanceClock()
    await exchange.drain()
  }
  const works: readonly (readonly [what: string, work: () => unknown, isOver: boolean])[] = [
    ['cancel-all', () => exchange.cancelOrders('asha', undefined), true],
    ['a disconnect', disconnect, true],
    ['a tick', tick, false],
    ['the feed', feed, false],
  ]
  for (const [what, work, isOver] of works) {
    const order = await test.place('asha buy 1 @ 5', code)
    const count = await looks.during(work)
    t.ok(count <= (what === 'the feed' ? LOOKS_MAX : 0), `${what} looks ${count} times at ended events`)
    t.equal(order.state, isOver ? 'cancelled' : 'resting', what)
  }
})
