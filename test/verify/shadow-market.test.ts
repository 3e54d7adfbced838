import t from 'tap'
import type { CreateOrder, ReplaceOrder } from '../../src/core/command.js'
import type { EngineEvent, Fill } from '../../src/core/engine-event.js'
import type { MarketListing, MarketTerms } from '../../src/core/market.js'
import type { TimeMs } from '../../src/core/units.js'
import { ExpectedLine } from '../../src/verify/stored/expected-line.js'
import { ShadowMarket } from '../../src/verify/shadow/shadow-market.js'
import { followOrder } from '../../src/verify/shadow/shadow-order.js'

const FILL = { trade: 1, price: 500, quantity: 2, maker: 1, makerOwner: 11 }

interface Placed {
  readonly number: number
  readonly account?: number
  readonly side?: 'yes' | 'no'
  readonly price?: number | 'market'
  readonly quantity?: number
  readonly selfTrade?: 'taker' | 'maker' | 'off'
  readonly timeInForce?: 'IOC' | 'FOK'
  readonly postOnly?: true
  readonly fills?: readonly Partial<typeof FILL>[]
  readonly executed?: number
}

/** Makes a shadow market, feeds it a sequence of events, and collects its findings. */
class Story {
  readonly found: string[] = []
  readonly #market = new ShadowMarket(
    { code: 1_000_001, payout: 1000 } as MarketTerms,
    {} as MarketListing,
    say => this.found.push(say().replace('market 1000001: ', '')),
  )
  #seq = 0

  place(placed: Placed): this {
    const { number, account = 10 + number, side = 'no', price = 500, quantity = 5, fills = [] } = placed
    const isLimit = price !== 'market'
    const order = followOrder(
      {
        ...{ number, suffix: 'x', outcome: side },
        ...{ account, orderType: isLimit ? 'LO' : 'MO', selfTrade: placed.selfTrade ?? 'taker' },
        ...{ timeInForce: placed.timeInForce, postOnly: placed.postOnly },
        data: { side },
        admission: { price: isLimit ? price : 0, quantity, covered: 0, hold: 0 },
      } as unknown as CreateOrder,
      0 as TimeMs,
      new ExpectedLine(),
      undefined,
      undefined,
    )
    this.#market.orders.set(number, order)
    const told = fills.map(fill => ({ ...FILL, ...fill })) as unknown as Fill[]
    const executed = placed.executed ?? told.reduce((sum, fill) => sum + fill.quantity, 0)
    return this.tell({ type: 'order_placed', order: number, executed, fills: told })
  }

  cancel(number: number, remaining: number, reason = 'user_cancelled'): this {
    return this.tell({ type: 'order_cancelled', order: number, remaining, reason })
  }

  /** Marks the next order with this number as a replacement. */
  replaces(number: number, old: number, remaining: number): this {
    const command = { number: old, remaining, order: { number } } as unknown as ReplaceOrder
    this.#market.replacing.set(number, command)
    return this
  }

  tell(body: object, seq = this.#seq + 1): this {
    this.#seq = seq
    this.#market.take({ market: 1_000_001, seq, ...body } as unknown as EngineEvent, 0)
    this.#market.checkBook()
    return this
  }
}

const rests = (number: number, changes: Partial<Placed> = {}) => ({ number, ...changes })
const takes = (fill: Partial<typeof FILL>, changes: Partial<Placed> = {}): Placed => {
  return { number: 9, side: 'yes', quantity: 2, fills: [fill], ...changes }
}

const WHOLE = { side: 'no', price: 498, timeInForce: 'FOK' } as const

t.test('what the rules allow is accepted', async t => {
  const story = new Story()
    .place(rests(1))
    .place(rests(2))
    .place(rests(3, { price: 490 }))
    .cancel(1, 5)
    .place(takes({ maker: 3, makerOwner: 13, price: 490 }))
    .place(
      takes({ maker: 3, makerOwner: 13, price: 490, quantity: 3, trade: 2 }, { number: 10, quantity: 3 }),
    )
    .place(takes({ maker: 2, makerOwner: 12, trade: 3 }, { number: 11, price: 'market' }))
    .place(takes({ maker: 2, makerOwner: 12, trade: 4 }, { number: 12, account: 12, selfTrade: 'off' }))
    .place(rests(13, { side: 'yes', price: 499 }))
    .place(takes({ maker: 13, makerOwner: 23, price: 499, trade: 5 }, { side: 'no', number: 14, price: 499 }))
    .place(rests(15, { side: 'yes', timeInForce: 'IOC' }))
    .cancel(15, 5)
    .place(rests(16, { price: 502, postOnly: true }))
    .replaces(17, 13, 3)
    .cancel(13, 3, 'order_replaced')
    .place(rests(17, { side: 'yes', price: 498 }))
    .place(takes({ maker: 17, makerOwner: 27, price: 498, trade: 6 }, { ...WHOLE, number: 18 }))
    .place(rests(19, { side: 'yes', price: 300 }))
    .replaces(20, 16, 5)
    .cancel(16, 5, 'order_replaced')
    .cancel(19, 5, 'self_trade')
    .place(rests(20, { price: 503, account: 29, selfTrade: 'maker' }))
  t.same(story.found, [])
})

t.test('each broken rule is the only finding', async t => {
  const rows: readonly (readonly [what: string, (story: Story) => Story, found: readonly string[]])[] = [
    [
      'a worse price before a better one',
      story =>
        story
          .place(rests(1))
          .place(rests(2, { price: 490 }))
          .place(takes({})),
      ['trade 1: at 500, the best price is 490'],
    ],
    [
      'a younger order before an older one',
      story =>
        story
          .place(rests(1))
          .place(rests(2))
          .place(takes({ maker: 2, makerOwner: 12 })),
      ['trade 1: order 2 fills before order 1'],
    ],
    [
      "a price beyond a buyer's limit",
      story => story.place(rests(1)).place(takes({}, { price: 499 })),
      ["trade 1: at 500, beyond the taker's limit of 499"],
    ],
    [
      "a price beyond a seller's limit",
      story => story.place(rests(1, { side: 'yes' })).place(takes({}, { side: 'no', price: 501 })),
      ["trade 1: at 500, beyond the taker's limit of 501"],
    ],
    [
      "a price that is not the maker's",
      story => story.place(rests(1)).place(takes({ price: 499 })),
      ["trade 1: at 499, the maker's price is 500"],
    ],
    [
      'an order that has left',
      story => story.place(rests(1)).cancel(1, 5).place(takes({})),
      ['trade 1: order 1 does not rest'],
    ],
    [
      'an order that never was',
      story => story.place(takes({ maker: 7 })),
      ['trade 1: order 7 does not rest'],
    ],
    [
      'two orders of one side',
      story => story.place(rests(1, { side: 'yes' })).place(takes({})),
      ['trade 1: both orders are of one side'],
    ],
    [
      'a maker of someone else',
      story => story.place(rests(1)).place(takes({ makerOwner: 12 })),
      ['trade 1: order 1 is not of account 12'],
    ],
    [
      'a trade with oneself',
      story => story.place(rests(1)).place(takes({}, { account: 11 })),
      ['trade 1: a user trades with themself'],
    ],
    [
      'more than the maker has',
      story => story.place(rests(1)).place(takes({ quantity: 6 }, { quantity: 6 })),
      ['trade 1: 6 of 5 are filled'],
    ],
    [
      'more than the taker wants',
      story => story.place(rests(1)).place(takes({ quantity: 3 })),
      ['order 9 is filled beyond its quantity'],
    ],
    [
      'nothing at all',
      story => story.place(rests(1)).place(takes({ quantity: 0 }, { price: 499 })),
      ['trade 1: at 500', 'trade 1: 0 of 5 are filled'],
    ],
    [
      'fills that are not what was executed',
      story => story.place(rests(1)).place(takes({}, { executed: 1 })),
      ['order 9 executed 1, its fills 2'],
    ],
    [
      'a trade number left out',
      story => story.place(rests(1)).place(takes({ trade: 2 })),
      ['trade 2: it follows trade 0'],
    ],
    [
      'orders that should have met',
      story => story.place(rests(1)).place(rests(2, { side: 'yes' })),
      ['the book is crossed: bid 500, ask 500'],
    ],
    [
      'a cancel of another quantity',
      story => story.place(rests(1)).cancel(1, 4),
      ['order 1 is cancelled with 4 left, it has 5'],
    ],
    ['a cancel of nobody', story => story.cancel(1, 4), ['order 1 is reported, but is not open']],
    ['a message left out', story => story.tell({ type: 'book_changed' }, 2), ['message 2 follows 0']],
    [
      'a post-only order that takes',
      story => story.place(rests(1)).place(takes({}, { postOnly: true })),
      ['order 9 takes, and must not'],
    ],
    [
      'a fill-or-kill order that is filled in part',
      story => story.place(rests(1)).place(takes({}, { quantity: 3, timeInForce: 'FOK' })),
      ['order 9 is filled in part, and must be filled whole'],
    ],
    [
      'an immediate order that rests',
      story => story.place(rests(1, { timeInForce: 'IOC' })).place(takes({})),
      ['trade 1: order 1 does not rest'],
    ],
    [
      'a new order beside the old one',
      story => story.place(rests(1)).replaces(2, 1, 5).place(rests(2)),
      ['message 2: none is replaced, instead of order 1 with 5 left'],
    ],
    [
      'an order that makes way for none',
      story => story.place(rests(1)).cancel(1, 5, 'order_replaced').place(rests(2)),
      ['message 3: order 1 with 5 left is replaced, instead of none'],
    ],
    [
      'an order that is replaced although the new one is refused',
      story =>
        story
          .place(rests(1))
          .replaces(1, 1, 5)
          .cancel(1, 5, 'order_replaced')
          .tell({ type: 'order_rejected', order: 1 }),
      ['message 3: order 1 with 5 left is replaced, instead of none'],
    ],
    [
      'an order that is replaced after a fill that nobody had seen',
      story =>
        story
          .place(rests(1))
          .place(takes({}))
          .replaces(2, 1, 5)
          .cancel(1, 3, 'order_replaced')
          .place(rests(2)),
      ['message 4: order 1 with 3 left is replaced, instead of order 1 with 5 left'],
    ],
    [
      'a market order that rests',
      story => story.place(rests(1, { price: 'market' })).place(takes({})),
      ['trade 1: order 1 does not rest'],
    ],
  ]
  for (const [what, tell, expected] of rows) {
    const { found } = tell(new Story())
    const isRight =
      found.length === expected.length && expected.every((text, at) => found[at]?.startsWith(text))
    t.ok(isRight, what, { expected, found })
  }
})

t.test('a long queue drops only the orders that left', async t => {
  const story = new Story().place(rests(1)).place(rests(2))
  for (let number = 3; number < 2000; number++) story.place(rests(number)).cancel(number, 5)
  story.place({ ...takes({ maker: 1, quantity: 5 }, { quantity: 5 }), number: 2000 })
  story.place(rests(2001)).cancel(2, 5)
  story.place({ ...takes({ maker: 2001, makerOwner: 2011, trade: 2 }), number: 2002 })
  t.same(story.found, [])
})
