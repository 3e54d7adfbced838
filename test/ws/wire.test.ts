import t from 'tap'
import { channelName, messageText, snapshotText } from '../../src/api/channels/market-messages.js'
import type { MarketMessage, PublicTrade } from '../../src/core/records/market-message.js'
import type { TimeMs } from '../../src/core/units.js'
import { lots, ticks, toContracts, toRupees } from '../../src/core/units.js'
import type { DeskMarket } from '../../src/exchange/markets/desk-market.js'
import { frameOf, latin1FrameOf } from '../../src/ws/transports/frame.js'
import { Dice } from '../fixtures/dice.js'
import { textsOf } from '../fixtures/sockets/ws-frames.js'
import { CODE, emptyMarket, TalkingMarket } from '../fixtures/sockets/ws-market.js'

const AT = 1_700_000_000_123 as TimeMs

t.test('the channel is named as in specification 4.2', async t => {
  t.equal(channelName(CODE), 'event_orderbook_1000001')
})

t.test('every message is JSON.stringify of the documented shape, byte for byte', async t => {
  const dice = Dice.fromEnvironment(t)
  const market = new TalkingMarket(dice)
  const types = new Set<string>()
  const wrong: string[] = []
  for (const message of market.say(3000)) {
    const previous = message.seq - dice.between(1, 50)
    const expected = JSON.stringify({
      event: 'event_orderbook_1000001',
      data: {
        type: message.type,
        seq: message.seq,
        prev_seq: previous,
        ts: AT,
        ...shapeOf(message),
      },
    })
    const text = messageText(market.desk, message, previous, AT)
    types.add(message.type)
    if (text !== expected) wrong.push(text)
  }
  t.same(wrong, [], `seed ${dice.seed}`)
  t.equal(types.size, 6, 'each kind of message came up')
})

t.test('a snapshot is JSON.stringify of the documented shape, byte for byte', async t => {
  const dice = Dice.fromEnvironment(t)
  const wrong: string[] = []
  for (let round = 0; round < 200; round++) {
    const { desk } = said(new TalkingMarket(dice), dice.between(0, 20))
    if (dice.percent(50)) desk.progress = { ...desk.progress, lastPrice: ticks(dice.between(10, 990)) }
    const expected = JSON.stringify({ event: 'event_orderbook_1000001', data: snapshotShape(desk) })
    const text = snapshotText(desk, AT)
    if (text !== expected) wrong.push(text)
  }
  t.same(wrong, [], `seed ${dice.seed}`)
})

t.test('an empty book has empty sides, no last price, and still all its fields', async t => {
  t.same(JSON.parse(snapshotText(emptyMarket({ status: 'scheduled' }), AT)), {
    event: 'event_orderbook_1000001',
    data: {
      type: 'snapshot',
      event_id: '1000001',
      seq: 0,
      ts: AT,
      status: 'scheduled',
      bids: [],
      asks: [],
      last_price: null,
    },
  })
})

t.test('prices and quantities never show floating-point noise', async t => {
  const numbers: number[] = []
  for (let price = 1; price < 1000; price++) {
    const { desk } = said(new TalkingMarket(new Dice(1)), 0)
    desk.ladder.apply([[ticks(price), lots(price * 1001)]], [])
    const { data } = JSON.parse(snapshotText(desk, AT)) as { data: { bids: [number, number][] } }
    numbers.push(...data.bids.flat())
  }
  t.equal(numbers.length, 2 * 999)
  t.same(
    numbers.filter(number => !/^\d+(\.\d{1,2})?$/.test(String(number))),
    [],
    'no more than two decimals',
  )
})

t.test('no message contains a user id', async t => {
  const message: MarketMessage = {
    seq: 1,
    type: 'ORDER_PLACED',
    orderId: '1000001-1-Ab3',
    executed: lots(250),
    fills: [{ tradeId: '1000001-1', price: ticks(455), quantity: lots(250) }],
  }
  const { data } = JSON.parse(messageText(emptyMarket(), message, 0, AT)) as { data: { payload: unknown } }
  t.strictSame(data.payload, {
    orderId: '1000001-1-Ab3',
    executedQty: 2.5,
    fills: [{ price: 4.55, qty: 2.5, tradeId: '1000001-1' }],
  })
})

t.test('ws reads a frame as the text it was made of, at every length boundary', async t => {
  for (const length of [0, 1, 124, 125, 126, 127, 128, 255, 256, 65_534, 65_535, 65_536, 65_537, 200_000]) {
    const text = 'x'.repeat(length)
    t.ok(textsOf(frameOf(text))[0] === text, `${length} bytes come back`)
  }
})

t.test('the length of a frame is in bytes, not in characters', async t => {
  for (const text of [
    '₹'.repeat(41),
    '₹'.repeat(42),
    '₹'.repeat(21_845),
    '₹'.repeat(21_846),
    '🂡'.repeat(40),
  ]) {
    t.ok(textsOf(frameOf(text))[0] === text, `${Buffer.byteLength(text)} bytes come back`)
  }
})

t.test(
  'a frame of ASCII is the same in Latin-1, at every length boundary; no other text has one',
  async t => {
    for (const length of [0, 1, 125, 126, 127, 128, 255, 256, 65_535]) {
      const text = 'x'.repeat(length)
      t.ok(Buffer.from(latin1FrameOf(text) ?? '', 'latin1').equals(frameOf(text)), `${length} bytes`)
    }
    for (const text of ['x'.repeat(65_536), 'é', '₹'.repeat(41)]) t.equal(latin1FrameOf(text), undefined)
  },
)

t.test('a frame uses the shortest form of its length, as RFC 6455 requires', async t => {
  const headerOf = (length: number) => frameOf('x'.repeat(length)).length - length
  t.same([125, 126, 65_535, 65_536].map(headerOf), [2, 4, 4, 10])
})

t.test('no frame is masked, compressed, or a fragment', async t => {
  for (const length of [3, 300, 70_000]) {
    const [first = 0, second = 0] = frameOf('x'.repeat(length))
    t.equal(first, 0x81, 'final, no reserved bit, text')
    t.equal(second & 0x80, 0, 'not masked')
  }
})

t.test('consecutive frames in one buffer are read as separate messages', async t => {
  const texts = ['a', 'b'.repeat(126), 'c'.repeat(65_536), '']
  t.same(textsOf(Buffer.concat(texts.map(frameOf))), texts)
})

function said(market: TalkingMarket, length: number): TalkingMarket {
  market.say(length)
  return market
}

function shapeOf(message: MarketMessage): object {
  switch (message.type) {
    case 'delta':
      return { bids: message.bids.map(pairOf), asks: message.asks.map(pairOf) }
    case 'trade':
      return {
        trades: message.trades.map(({ tradeId, price, quantity }) => ({
          tradeId,
          price: toRupees(price),
          qty: toContracts(quantity),
          taker_side: message.takerSide,
          ts: AT,
        })),
      }
    case 'ORDER_PLACED': {
      const { orderId, executed, fills } = message
      return { payload: { orderId, executedQty: toContracts(executed), fills: fills.map(fillShape) } }
    }
    case 'status':
      return { status: message.status }
    default: {
      const { orderId, executed, remainingContracts: remainingQty, reason } = message
      return { payload: { orderId, executedQty: toContracts(executed), remainingQty, reason } }
    }
  }
}

function fillShape({ tradeId, price, quantity }: PublicTrade): object {
  return { price: toRupees(price), qty: toContracts(quantity), tradeId }
}

function snapshotShape({ terms, progress, ladder }: DeskMarket): object {
  return {
    type: 'snapshot',
    event_id: String(terms.code),
    seq: progress.seq,
    ts: AT,
    status: progress.status,
    bids: ladder.bids().map(pairOf),
    asks: ladder.asks().map(pairOf),
    last_price: progress.lastPrice === undefined ? null : toRupees(progress.lastPrice),
  }
}

function pairOf([price, quantity]: ReturnType<DeskMarket['ladder']['bids']>[number]): number[] {
  return [toRupees(price), toContracts(quantity)]
}
