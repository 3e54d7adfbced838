import t from 'tap'
import { messageText, snapshotText } from '../../src/api/channels/market-messages.js'
import type { MarketMessage } from '../../src/core/records/market-message.js'
import type { TimeMs } from '../../src/core/units.js'
import { Channel, RING_LENGTH } from '../../src/ws/feeds/channel.js'
import { MessageRoom } from '../../src/ws/feeds/message-room.js'
import { Dice } from '../fixtures/dice.js'
import { textsOf } from '../fixtures/sockets/ws-frames.js'
import type { ChannelData } from '../fixtures/sockets/ws-local-book.js'
import { LocalBook } from '../fixtures/sockets/ws-local-book.js'
import { TalkingMarket } from '../fixtures/sockets/ws-market.js'

const AT = 1_700_000_000_000 as TimeMs

interface Talk {
  readonly market: TalkingMarket
  readonly channel: Channel
}

t.test('a channel without messages reaches only its own head', async t => {
  const { channel } = talk(0, 7)
  t.equal(channel.head, 7)
  t.same(reached(channel, 0, 20), [7])
  t.equal(channel.messagesSince(7).frames.length, 0, 'and there is nothing after it')
})

t.test('a channel reaches back to just before its first message', async t => {
  const { channel } = talk(3, 7)
  t.same(reached(channel, 0, 20), [7, 8, 9, 10], 'not 6: message 7 was said before it listened')
})

t.test('a channel of a new market is replayed from the very beginning', async t => {
  const { channel } = talk(2, 0)
  t.same(reached(channel, 0, 5), [0, 1, 2])
  t.equal(dataSince(channel, 0)[0]?.prev_seq, 0)
})

t.test('a channel never reaches a sequence number not yet published', async t => {
  const { channel } = talk(3, 0)
  for (const seq of [4, 5, 1024, 1027, 1028, 2 ** 40]) t.notOk(channel.reaches(seq), `not ${seq}`)
})

t.test('the ring keeps exactly its last 1024 messages', async t => {
  for (const start of [0, 1, 500, 1023, 1024, 1_000_000_007]) {
    const { channel } = talk(RING_LENGTH, start)
    t.ok(channel.reaches(start), 'all that was said, as long as it fits')
    const { market, channel: full } = talk(RING_LENGTH, start)
    full.append(market.say(1), AT)
    t.notOk(full.reaches(start), 'the oldest went')
    t.ok(full.reaches(start + 1), 'the second is still there')
  }
})

t.test('a batch longer than the ring leaves the last 1024 messages', async t => {
  const market = new TalkingMarket(new Dice(3))
  const channel = new Channel(market.desk, 0)
  channel.append(market.say(2 * RING_LENGTH + 3), AT)
  const oldest = RING_LENGTH + 3
  t.same(reached(channel, oldest - 2, oldest + 1), [oldest, oldest + 1])
  t.equal(dataSince(channel, oldest).at(-1)?.seq, channel.head)
})

t.test('of many channels, those silent for longest forget their messages first', async t => {
  const messageRoom = new MessageRoom(10)
  const channels = [1, 2, 3].map(seed => {
    const market = new TalkingMarket(new Dice(seed))
    return { market, channel: new Channel(market.desk, 0, { messageRoom }) }
  })
  const [first, second, third] = channels as [Talk, Talk, Talk]
  for (const { market, channel } of channels) channel.append(market.say(3), AT)
  first.channel.append(first.market.say(1), AT)
  t.same(
    channels.map(({ channel }) => channel.reaches(0)),
    [true, true, true],
    'ten have room',
  )
  third.channel.append(third.market.say(1), AT)
  t.same(
    channels.map(({ channel }) => channel.reaches(0)),
    [true, false, true],
  )
  t.ok(second.channel.reaches(3), 'its readers who have all of it miss nothing')
  second.channel.append(second.market.say(1), AT)
  t.same(reached(second.channel, 0, 6), [3, 4], 'it remembers what it says from then on')
  third.channel.append(third.market.say(20), AT)
  t.same(reached(third.channel, 3, 26).length, 22, 'the one that speaks has what it needs')
  t.same(
    [first, second].map(({ channel }) => channel.reaches(channel.head - 1)),
    [false, false],
  )
  third.channel.forget()
  for (const { market, channel } of [first, second]) channel.append(market.say(5), AT)
  t.same(
    [first, second].map(({ channel }) => channel.reaches(channel.head - 5)),
    [true, true],
    'room again',
  )
})

t.test("the chain from every position in the ring is complete and ends at the market's book", async t => {
  const dice = Dice.fromEnvironment(t)
  const market = new TalkingMarket(dice, dice.between(0, 5000))
  const channel = new Channel(market.desk, market.desk.progress.seq)
  const past: { seq: number; snapshot: string }[] = []
  const said: MarketMessage[] = []
  for (let batch = 0; batch < 300; batch++) {
    past.push({ seq: channel.head, snapshot: snapshotText(market.desk, AT) })
    const messages = market.say(dice.between(1, 12))
    said.push(...messages)
    channel.append(messages, AT)
  }
  const now = bookOf(snapshotText(market.desk, AT))
  const replayed = past.filter(({ seq }) => channel.reaches(seq))
  t.ok(replayed.length > 100, `${replayed.length} places, seed ${dice.seed}`)
  const wrong: string[] = []
  for (const { seq, snapshot } of replayed) {
    const data = dataSince(channel, seq)
    const book = bookOf(snapshot)
    for (const message of data) book.take(message)
    if (book.faults.length > 0 || book.seq !== channel.head) wrong.push(`${seq}: ${book.faults.join()}`)
    if (JSON.stringify(book.levels()) !== JSON.stringify(now.levels())) wrong.push(`${seq}: the levels`)
    if (data.filter(({ type }) => type === 'delta').length > 2) wrong.push(`${seq}: three deltas`)
    const others = data.filter(({ type }) => type !== 'delta').map(({ seq: number }) => number)
    const expected = said.filter(message => message.type !== 'delta' && message.seq > seq)
    if (others.join() !== expected.map(message => message.seq).join()) wrong.push(`${seq}: the others`)
  }
  t.same(wrong, [], `seed ${dice.seed}`)
})

t.test('a reader cut off between any two messages resumes to the right book', async t => {
  const dice = Dice.fromEnvironment(t)
  const market = new TalkingMarket(dice, dice.between(0, 5000))
  const channel = new Channel(market.desk, market.desk.progress.seq)
  const begun = { seq: channel.head, snapshot: snapshotText(market.desk, AT) }
  for (let batch = 0; batch < 40; batch++) channel.append(market.say(dice.between(1, 12)), AT)
  const now = JSON.stringify(bookOf(snapshotText(market.desk, AT)).levels())
  const messages = dataSince(channel, begun.seq)
  const wrong: string[] = []
  for (let count = 0; count <= messages.length; count++) {
    const book = bookOf(begun.snapshot)
    for (const message of messages.slice(0, count)) book.take(message)
    for (const message of dataSince(channel, book.seq ?? 0)) book.take(message)
    if (book.faults.length > 0 || book.seq !== channel.head) wrong.push(`${count}: ${book.faults.join()}`)
    if (JSON.stringify(book.levels()) !== now) wrong.push(`${count} of ${messages.length}: the levels`)
  }
  t.same(wrong, [], `seed ${dice.seed}`)
})

t.test('deltas in a row become one, and prev_seq says what it covers', async t => {
  const market = new TalkingMarket(new Dice(1))
  const channel = new Channel(market.desk, 0)
  channel.append([market.sayDelta(500, 100), market.sayDelta(510, 200), market.sayDelta(500, 0)], AT)
  t.match(dataSince(channel, 0), [
    {
      type: 'delta',
      seq: 3,
      prev_seq: 0,
      bids: [
        [5.1, 2],
        [5, 0],
      ],
      asks: [],
    },
  ])
})

t.test('a merged delta keeps a removed level, because the reader may have it', async t => {
  const market = new TalkingMarket(new Dice(1))
  const channel = new Channel(market.desk, 0)
  channel.append([market.sayDelta(500, 100)], AT)
  channel.append([market.sayDelta(500, 0)], AT)
  t.same(
    dataSince(channel, 0).map(({ bids }) => bids),
    [[[5, 0]]],
  )
})

t.test('messages of other kinds are never merged, omitted or reordered', async t => {
  const market = new TalkingMarket(new Dice(1))
  const channel = new Channel(market.desk, 0)
  const status = (seq: number): MarketMessage => ({ seq, type: 'status', status: 'open', outcome: undefined })
  const [first, second] = [market.sayDelta(500, 100), status(2)]
  const [third, fourth] = [market.sayDelta(500, 200), status(4)]
  channel.append([first, second, { ...third, seq: 3 }, fourth], AT)
  t.same(
    dataSince(channel, 0).map(({ type, seq, prev_seq }) => [type, prev_seq, seq]),
    [
      ['delta', 0, 1],
      ['status', 1, 2],
      ['status', 2, 4],
    ],
  )
})

t.test('a single message is sent as published, with the time of its batch', async t => {
  const { market, channel } = talk(5, 0)
  const [message] = market.say(1)
  if (message === undefined) throw new Error('the market speaks')
  const at = (AT + 777) as TimeMs
  channel.append([message], at)
  t.same(textsOf(channel.messagesSince(5).frames), [messageText(market.desk, message, 5, at)])
})

t.test('readers at the same position share one buffer until something more is published', async t => {
  const { market, channel } = talk(5, 0)
  const texts = channel.messagesSince(2)
  t.equal(channel.messagesSince(2), texts, 'the same')
  t.equal(texts.frames, texts.frames, 'in the same buffer')
  t.not(channel.messagesSince(3), texts)
  channel.append(market.say(1), AT)
  t.not(channel.messagesSince(2), texts, 'a new one: the old would leave out the last message')
  t.equal(dataSince(channel, 2).at(-1)?.seq, 6)
})

t.test('merging does not affect a reader that is up to date', async t => {
  const market = new TalkingMarket(new Dice(1))
  const channel = new Channel(market.desk, 0)
  channel.append([market.sayDelta(500, 100), market.sayDelta(501, 100)], AT)
  channel.messagesSince(0)
  t.match(
    dataSince(channel, 1),
    [{ seq: 2, prev_seq: 1, bids: [[5.01, 1]] }],
    'only what came after its place',
  )
})

function talk(length: number, start: number): { market: TalkingMarket; channel: Channel } {
  const market = new TalkingMarket(new Dice(start + 1), start)
  const channel = new Channel(market.desk, start)
  for (const message of market.say(length)) channel.append([message], AT)
  return { market, channel }
}

function reached(channel: Channel, from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, index) => from + index).filter(seq => channel.reaches(seq))
}

function dataSince(channel: Channel, seq: number): ChannelData[] {
  return textsOf(channel.messagesSince(seq).frames).map(dataOf)
}

function dataOf(text: string): ChannelData {
  return (JSON.parse(text) as { data: ChannelData }).data
}

function bookOf(snapshot: string): LocalBook {
  const book = new LocalBook()
  book.take(dataOf(snapshot))
  return book
}
