import t from 'tap'
import type { EventSort } from '../../../src/api/events/event-query.js'
import { EVENT_SORTS } from '../../../src/api/events/event-query.js'
import type { MarketStatus } from '../../../src/core/market.js'
import { isOver, newProgress } from '../../../src/core/market.js'
import type { AccountNumber, MarketCode, TimeMs } from '../../../src/core/units.js'
import { amount, lots, ticks } from '../../../src/core/units.js'
import { DeskMarket } from '../../../src/exchange/markets/desk-market.js'
import { MarketDirectory } from '../../../src/exchange/markets/market-directory.js'
import { compareRanks, ranked, rankOf } from '../../../src/http/event-order.js'
import { EventRanks } from '../../../src/http/event-ranks.js'
import { Dice } from '../../fixtures/dice.js'
import { HOUR, START } from '../../fixtures/test-exchange.js'

/** A directory without an exchange, with a clock moved by hand. */
class Town {
  now = START as TimeMs
  readonly directory = new MarketDirectory()
  #ranks: EventRanks | undefined
  readonly #later: (() => void)[] = []
  /** How often a market's terms were read. */
  looks = 0

  /** As they are from a start on, which finds the events added before. */
  get ranks(): EventRanks {
    this.#ranks ??= new EventRanks(
      this.directory,
      () => this.now,
      go => this.#later.push(go),
    )
    return this.#ranks
  }

  add(number: number, status: MarketStatus = 'open', endAt = START + number * 1000): DeskMarket {
    const code = (1_000_000 + number) as MarketCode
    const market = new DeskMarket({
      terms: {
        ...{ code, payout: ticks(1000), tickSize: ticks(1), minBet: amount(0), maxBet: amount(1) },
        ...{ capacity: lots(1000), startAt: START as TimeMs, endAt: endAt as TimeMs },
        escrow: number as AccountNumber,
      },
      listing: {
        ...{ id: `id-${number}`, title: 'Rain', slug: `rain-${number}`, description: '', sot: 'weather' },
        createdAt: this.now,
      },
      progress: newProgress(status),
      resolved: isOver(status) ? { at: endAt as TimeMs, sourceUrl: undefined, note: undefined } : undefined,
    })
    const { terms } = market
    const look = () => {
      this.looks++
      return terms
    }
    Object.defineProperty(market, 'terms', { get: look })
    this.directory.add(market)
    return market
  }

  trade(market: DeskMarket, price: number, quantity: number): void {
    market.day.add(ticks(price), lots(quantity), this.now)
    const volume = lots(market.progress.volume + quantity)
    this.directory.change(market, { ...market.progress, volume, lastPrice: ticks(price) })
  }

  end(market: DeskMarket): void {
    market.resolved = { at: this.now, sourceUrl: undefined, note: undefined }
    this.directory.change(market, { ...market.progress, status: 'settled' })
  }

  /** Runs what was left for another turn of the event loop; returns false if that is nothing. */
  turn(): boolean {
    for (const go of this.#later.splice(0)) go()
    return this.#later.length > 0
  }

  listed(sort: EventSort, after?: DeskMarket, isLive = false): number[] {
    return Array.from(this.ranks.behind(sort, after, isLive), ({ terms }) => terms.code - 1_000_000)
  }

  expected(sort: EventSort): number[] {
    const rank = rankOf(sort, this.now)
    return [...this.directory.all()]
      .map(market => ranked(market, rank))
      .sort(compareRanks)
      .map(({ market }) => market.terms.code - 1_000_000)
  }
}

t.test('every sort lists each event once, in order, whatever was traded and ended', t => {
  const dice = Dice.fromEnvironment(t)
  const town = new Town()
  for (let number = 1; number <= 100; number++) town.add(number, dice.oneOf(['open', 'settled', 'closed']))
  for (let step = 0; step < 60; step++) {
    const live = [...town.directory.live()] as [DeskMarket, ...DeskMarket[]]
    for (let count = dice.between(0, 5); count > 0; count--) {
      town.trade(dice.oneOf(live), dice.between(100, 900), dice.between(1, 9))
    }
    if (dice.percent(30)) town.end(dice.oneOf(live))
    if (dice.percent(30)) town.add(200 + step)
    town.now = (town.now + dice.between(2000, HOUR)) as TimeMs
    for (const sort of EVENT_SORTS) {
      const expected = town.expected(sort)
      t.same(town.listed(sort), expected, `${sort} at step ${step}`)
      const index = dice.between(0, expected.length - 1)
      const after = town.directory.get((1_000_000 + (expected[index] ?? 0)) as MarketCode)
      t.same(town.listed(sort, after), expected.slice(index + 1), 'behind a cursor')
    }
  }
  t.end()
})

t.test('within a second, an event that is new is listed, and one that ended is listed once', t => {
  const town = new Town()
  const [first] = [town.add(1), town.add(2)]
  for (const sort of EVENT_SORTS) t.equal(town.listed(sort).length, 2)
  town.end(first)
  town.trade(town.add(3), 500, 7)
  for (const sort of EVENT_SORTS) t.same(town.listed(sort).sort(), [1, 2, 3], sort)
  t.equal(town.listed('newest', undefined, true).includes(3), true)
  t.end()
})

t.test('an order that nobody has asked for in hours is complete when it is asked for again', t => {
  const town = new Town()
  for (let number = 1; number <= 20; number++) town.add(number)
  for (const sort of EVENT_SORTS) t.same(town.listed(sort), town.expected(sort))
  for (let number = 21; number <= 60; number++) {
    town.now = (town.now + HOUR) as TimeMs
    const market = town.add(number)
    town.trade(market, 500, number)
    if (number % 3 === 0) town.end(market)
  }
  for (const sort of EVENT_SORTS) t.same(town.listed(sort), town.expected(sort), sort)
  t.end()
})

t.test('a ranked list costs what is live and what it shows, not what is over', t => {
  const town = new Town()
  for (let number = 1; number <= 5000; number++) town.add(number, 'settled', START - 48 * HOUR + number)
  for (let number = 5001; number <= 5010; number++) town.add(number)
  const first = (sort: EventSort) => {
    town.looks = 0
    const [market] = town.ranks.behind(sort, undefined)
    t.ok(market)
    return town.looks
  }
  for (const sort of EVENT_SORTS) {
    first(sort)
    t.ok(first(sort) < 10, `${sort} is kept`)
    town.now = (town.now + 5000) as TimeMs
    t.ok(first(sort) < 200, `${sort} is ranked again without the events that are over`)
    const last = town.directory.get(1_000_001 as MarketCode)
    town.looks = 0
    const [behind] = town.ranks.behind(sort, last)
    t.ok(town.looks < 200, `${sort} finds the place of a cursor`)
    t.not(behind, last)
  }
  t.end()
})

t.test('an event committed out of the order of codes gets its place without a look at the others', t => {
  const town = new Town()
  for (let number = 1; number <= 3000; number++) if (number !== 2990) town.add(number)
  town.looks = 0
  const late = town.add(2990)
  t.ok(town.looks < 100, `${town.looks} looks`)
  const codes = [...town.directory.all()].map(({ terms }) => terms.code)
  t.same(
    codes,
    codes.toSorted((a, b) => a - b),
  )
  t.same([...town.directory.behind(1_002_998)].length, 2)
  t.equal([...town.directory.live(1_002_989)][0], late)
  town.looks = 0
  t.equal(town.directory.hasId('id-2990'), true)
  t.equal(town.directory.hasId('id-4000'), false)
  t.equal(town.looks, 0)
  t.end()
})

t.test('the categories are counted as events come, move, are edited and end', t => {
  const town = new Town()
  const markets = [1, 2, 3].map(number => town.add(number))
  const relist = (market: DeskMarket | undefined, category: string) => {
    if (market === undefined) return
    const before = market.listing
    market.listing = { ...before, category }
    town.directory.relist(before, market)
  }
  relist(markets[0], 'Rain')
  relist(markets[1], 'rain')
  relist(markets[2], 'Snow')
  const { categories } = town.directory
  t.same(
    [...categories.all()],
    [
      { spelling: 'Rain', events: 2, trading: 2 },
      { spelling: 'Snow', events: 1, trading: 1 },
    ],
  )
  if (markets[0] !== undefined) town.end(markets[0])
  relist(markets[2], 'RAIN')
  t.same([...categories.all()], [{ spelling: 'Rain', events: 3, trading: 2 }])
  t.end()
})

t.test('many events are ranked in turns, and each is listed once meanwhile', t => {
  const town = new Town()
  const count = 20_000
  for (let number = 1; number <= count; number++) town.add(number)
  for (const sort of ['closing', 'newest'] as const) {
    town.listed(sort)
    while (town.turn());
    const order = town.listed(sort)
    town.now = (town.now + HOUR) as TimeMs
    for (const number of [5, 6, 7]) {
      const market = town.directory.get((1_000_000 + number) as MarketCode)
      if (market !== undefined) market.listing = { ...market.listing, createdAt: town.now }
    }
    town.looks = 0
    const [first] = town.ranks.behind(sort, undefined)
    t.ok(town.looks < 2000, `${sort} looks at ${town.looks} at once`)
    t.equal(first?.terms.code, 1_000_000 + (order[0] ?? 0), 'the order is the one before')
    const added = town.add(sort === 'closing' ? count + 1 : count + 2)
    const ended = town.directory.get(1_000_008 as MarketCode)
    if (ended !== undefined && sort === 'closing') town.end(ended)
    for (let turn = 1; ; turn++) {
      const listed = town.listed(sort)
      t.equal(new Set(listed).size, listed.length)
      t.equal(listed.length, order.length + 1, `turn ${turn}`)
      town.looks = 0
      const isLeft = town.turn()
      t.ok(town.looks < 2000, `${town.looks} looks in a turn`)
      if (!isLeft) break
      t.ok(turn < 1000)
    }
    t.same(town.listed(sort), town.expected(sort))
    t.ok(town.listed(sort).includes(added.terms.code - 1_000_000))
  }
  t.end()
})
