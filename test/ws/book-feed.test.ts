import t from 'tap'
import type { MarketCode } from '../../src/core/units.js'
import { TRY_AGAIN_LATER } from '../../src/ws/connection.js'
import { LAG_MAX } from '../../src/ws/feeds/book-feed.js'
import { RING_LENGTH } from '../../src/ws/feeds/channel.js'
import { KEPT_CHARS_MAX, PLACES_MAX } from '../../src/ws/feeds/kept-replays.js'
import { Dice } from '../fixtures/dice.js'
import { FakeConnection } from '../fixtures/sockets/ws-connection.js'
import { CODE, emptyMarket, TalkingMarket } from '../fixtures/sockets/ws-market.js'
import { AT, Stage } from './ws-stage.js'

const SLICE = 256

t.test('a new reader gets the snapshot at once, and then only new messages', async t => {
  const stage = new Stage()
  stage.say(3)
  const reader = stage.reader()
  t.match(reader.received, [{ type: 'snapshot', seq: 3 }], 'before anything else has run')
  stage.say(2)
  t.equal(reader.received.length, 1, 'a publication writes nothing itself')
  stage.run()
  t.match(reader.received[1], { prev_seq: 3 })
  t.ok(stage.isUpToDate(reader))
})

t.test('a message in flight when a reader joins is not sent to it twice', async t => {
  const stage = new Stage()
  const first = stage.reader()
  stage.say(4)
  const second = stage.reader()
  stage.run()
  t.match(second.received, [{ type: 'snapshot', seq: 4 }])
  t.equal(second.received.length, 1)
  t.ok(stage.isUpToDate(first))
})

t.test('from_seq replays the messages after it, and none if there are none', async t => {
  const stage = new Stage()
  stage.say(10)
  const replayed = stage.reader(6)
  t.equal(replayed.received[0]?.prev_seq, 6)
  t.equal(replayed.received.at(-1)?.seq, 10)
  t.notOk(replayed.received.some(({ type }) => type === 'snapshot'))
  const current = stage.reader(10)
  t.same(current.received, [], 'it has everything')
  stage.say(1)
  stage.run()
  t.match(current.received, [{ prev_seq: 10, seq: 11 }])
})

t.test('a from_seq that is too old, or in the future, gets a snapshot', async t => {
  const stage = new Stage()
  stage.say(RING_LENGTH + 10)
  for (const seq of [0, 9, RING_LENGTH + 11, Number.MAX_SAFE_INTEGER]) {
    t.match(stage.reader(seq).received, [{ type: 'snapshot', seq: RING_LENGTH + 10 }], `from ${seq}`)
  }
  t.notOk(stage.reader(10).received[0]?.type === 'snapshot', 'the oldest that is kept')
})

t.test('a channel opened by its first publication knows what preceded the first reader', async t => {
  const stage = new Stage(41)
  stage.say(3)
  t.equal(stage.reader(41).received[0]?.prev_seq, 41)
  t.match(stage.reader(40).received, [{ type: 'snapshot', seq: 44 }], 'what an earlier run said is not kept')
})

t.test('subscribing again starts over and leaves one reader, not two', async t => {
  const stage = new Stage()
  const reader = stage.reader()
  stage.say(2)
  stage.feed.subscribe(reader.asConnection, stage.market.desk)
  stage.say(1)
  stage.run()
  t.match(
    reader.received.map(({ type, seq }) => [type === 'snapshot', seq]),
    [
      [true, 0],
      [true, 2],
      [false, 3],
    ],
  )
  t.same(reader.book.faults, [])
})

t.test('a reader that has unsubscribed or left receives nothing more', async t => {
  const stage = new Stage()
  const [gone, left, other] = [stage.reader(), stage.reader(), stage.reader()]
  stage.say(1)
  stage.feed.unsubscribe(gone.asConnection, CODE)
  for (const _ of stage.feed.leave(left.asConnection)) t.fail('one place is given up in one step')
  stage.run()
  stage.say(1)
  stage.run()
  t.equal(gone.received.length, 1, 'not even what was on its way')
  t.equal(left.received.length, 1)
  t.same([gone.places.size, left.places.size], [0, 0])
  t.ok(stage.isUpToDate(other))
})

t.test('unsubscribing from an event that is not followed is harmless', async t => {
  const stage = new Stage()
  const reader = stage.reader()
  stage.feed.unsubscribe(new FakeConnection().asConnection, CODE)
  stage.feed.unsubscribe(reader.asConnection, 1_000_999 as MarketCode)
  stage.say(1)
  stage.run()
  t.ok(stage.isUpToDate(reader))
})

t.test('a reader of one event receives nothing of another', async t => {
  const stage = new Stage()
  const other = emptyMarket({ seq: 5 }, 1_000_002 as MarketCode)
  const reader = new FakeConnection()
  stage.feed.subscribe(reader.asConnection, other)
  stage.say(3)
  stage.run()
  t.match(reader.received, [{ type: 'snapshot', event_id: '1000002', seq: 5 }])
  t.equal(reader.received.length, 1)
})

t.test('readers are written to in slices, so that orders get their turn in between', async t => {
  const stage = new Stage()
  const readers = Array.from({ length: 2 * SLICE + 10 }, () => stage.reader())
  stage.say(1)
  const served = () => readers.filter(reader => stage.isUpToDate(reader)).length
  t.same([served(), stage.sweep(), served()], [0, true, SLICE])
  t.same([stage.sweep(), served()], [true, 2 * SLICE])
  t.same([stage.sweep(), served()], [true, 2 * SLICE + 10])
  t.notOk(stage.sweep(), 'and then there is nothing left to do')
})

t.test('messages published between two slices reach the waiting readers in one write', async t => {
  const stage = new Stage()
  const readers = Array.from({ length: SLICE + 1 }, () => stage.reader())
  stage.say(2)
  stage.sweep()
  stage.say(2)
  stage.run()
  const last = readers.at(-1)
  t.equal(last?.writes, 2, 'the snapshot, and all four messages at once')
  t.ok(readers.every(reader => stage.isUpToDate(reader)))
})

t.test('publications before the sweep are written together, and only one sweep is scheduled', async t => {
  const stage = new Stage()
  const reader = stage.reader()
  for (let n = 0; n < 20; n++) stage.say(1)
  t.equal(stage.scheduled, 1)
  stage.run()
  t.equal(reader.writes, 2)
  t.ok(stage.isUpToDate(reader))
})

t.test('a slow reader is sent nothing until it drains, then everything merged', async t => {
  const stage = new Stage()
  const reader = stage.reader()
  reader.isCongested = true
  for (let n = 0; n < 300; n++) stage.sayAndRun(2)
  t.equal(reader.writes, 1, 'nothing since the snapshot')
  reader.isCongested = false
  stage.feed.resume(reader.asConnection)
  stage.run()
  t.equal(reader.writes, 2)
  t.equal(reader.received[1]?.prev_seq, 0)
  t.ok(
    reader.received.filter(({ type }) => type === 'delta').length <= 2,
    'the deltas are merged into the first, and the last ends the chain',
  )
  t.notOk(reader.received.slice(1).some(({ type }) => type === 'snapshot'))
  t.ok(stage.isUpToDate(reader))
})

t.test('a reader slower than the ring gets a new snapshot and continues from there', async t => {
  const stage = new Stage()
  const reader = stage.reader()
  reader.isCongested = true
  stage.sayAndRun(RING_LENGTH + 1)
  reader.isCongested = false
  stage.feed.resume(reader.asConnection)
  stage.run()
  t.match(reader.received.slice(1), [{ type: 'snapshot', seq: RING_LENGTH + 1 }])
  stage.sayAndRun(1)
  t.equal(reader.received.at(-1)?.prev_seq, RING_LENGTH + 1)
  t.ok(stage.isUpToDate(reader))
})

t.test('a reader that never drains is closed with 1013, but only once it is far behind', async t => {
  const stage = new Stage()
  const reader = stage.reader()
  reader.isCongested = true
  stage.sayAndRun(LAG_MAX)
  t.same(reader.closings, [], 'as far behind as one may be')
  stage.sayAndRun(1)
  t.same(reader.closings, [[TRY_AGAIN_LATER, 'too slow']])
  stage.sayAndRun(1)
  t.equal(reader.closings.length, 1)
  t.equal(reader.writes, 1)
})

t.test('ten readers that never read do not affect a hundred others', async t => {
  const dice = Dice.fromEnvironment(t)
  const stage = new Stage(0, dice)
  const slow = Array.from({ length: 10 }, () => stage.reader())
  const readers = Array.from({ length: 100 }, () => stage.reader())
  for (const reader of slow) reader.isCongested = true
  let rounds = 0
  while (slow.some(({ isOpen }) => isOpen)) {
    stage.sayAndRun(dice.between(1, 40))
    rounds++
    if (!readers.every(reader => reader.received.at(-1)?.seq === stage.head)) t.fail('one was left behind')
  }
  t.ok(
    readers.every(reader => stage.isUpToDate(reader) && reader.writes === rounds + 1),
    `seed ${dice.seed}`,
  )
  t.ok(slow.every(({ closings: [closing] }) => closing?.[0] === TRY_AGAIN_LATER))
})

t.test('a connection that drains resumes only the channels it has fallen behind on', async t => {
  const stage = new Stage()
  const reader = stage.reader()
  stage.feed.resume(reader.asConnection)
  t.equal(stage.scheduled, 0, 'nothing to do')
  stage.feed.resume(new FakeConnection().asConnection)
  t.equal(stage.scheduled, 0)
})

t.test('every reader that stays ends with the book of the market and no gap, whatever it does', async t => {
  const dice = Dice.fromEnvironment(t)
  const stage = new Stage(dice.between(0, 3000), dice)
  const readers: FakeConnection[] = []
  for (let step = 0; step < 4000; step++) {
    const reader = readers[dice.between(0, Math.max(0, readers.length - 1))]
    const roll = dice.between(1, 100)
    if (reader === undefined || roll <= 3) readers.push(stage.reader())
    else if (roll <= 7) stage.feed.subscribe(reader.asConnection, stage.market.desk, reader.book.seq)
    else if (roll <= 16) reader.isCongested = true
    else if (roll <= 25) stage.drain(reader)
    else if (roll <= 65) stage.say(dice.between(1, dice.percent(2) ? 600 : 5))
    else stage.sweep()
  }
  for (const reader of readers) stage.drain(reader)
  stage.run()
  const wrong = readers.filter(reader => reader.isOpen && !stage.isUpToDate(reader))
  t.same(
    wrong.map(({ book }) => book.faults),
    [],
    `${readers.length} readers, seed ${dice.seed}`,
  )
})

t.test('a reader that keeps up loses no message to a batch longer than the ring', async t => {
  const stage = new Stage()
  const reader = stage.reader()
  stage.say(3 * RING_LENGTH)
  stage.say(RING_LENGTH)
  stage.run()
  t.equal(reader.received.filter(({ type }) => type === 'snapshot').length, 1, 'only the first')
  t.same(reader.book.faults, [])
  t.ok(stage.isUpToDate(reader))
})

t.test('readers that keep up get no second snapshot, however seldom their turn comes', async t => {
  const dice = Dice.fromEnvironment(t)
  const stage = new Stage(0, dice)
  const readers = Array.from({ length: 40 }, () => stage.reader())
  const slow = stage.reader()
  for (let step = 0; step < 3000; step++) {
    stage.share.piecesLeft = dice.between(0, 2)
    stage.say(dice.between(1, 9))
    slow.isCongested = dice.percent(50)
    if (dice.percent(5)) stage.drain(slow)
    if (dice.percent(8)) stage.sweep()
  }
  stage.share.piecesLeft = Number.POSITIVE_INFINITY
  stage.drain(slow)
  stage.run()
  const snapshots = readers.map(({ received }) => received.filter(({ type }) => type === 'snapshot').length)
  t.ok(stage.head > 10 * RING_LENGTH, 'they had to be served before their turn')
  t.ok(
    snapshots.every(count => count === 1),
    `seed ${dice.seed}`,
  )
  t.ok([...readers, slow].every(reader => stage.isUpToDate(reader)))
})

t.test('the reader of a small event waits neither for those of a large one nor for drained ones', async t => {
  const stage = new Stage()
  const small = new TalkingMarket(new Dice(6), 0, 1_000_002 as MarketCode)
  const many = Array.from({ length: 3 * SLICE }, () => stage.reader())
  const [drained, lone] = [many.slice(0, SLICE), new FakeConnection()]
  stage.feed.subscribe(lone.asConnection, small.desk)
  for (const reader of drained) reader.isCongested = true
  stage.sayAndRun(1)
  for (const reader of drained) stage.drain(reader)
  stage.say(1)
  stage.feed.publish({ market: small.desk, at: AT, messages: small.say(1) })
  stage.sweep()
  t.equal(lone.book.seq, 1)
  stage.run()
  t.ok(many.every(reader => stage.isUpToDate(reader)))
})

t.test('while orders wait, subscribers are served as far as there is time, the others later', async t => {
  const stage = new Stage()
  const readers = Array.from({ length: 20 }, () => stage.reader())
  const written = readers.map(({ writes }) => writes)
  const served = () => readers.filter(({ writes }, index) => writes > (written[index] ?? 0)).length
  stage.share.piecesLeft = 0
  stage.say(1)
  stage.sweep()
  t.equal(served(), 0)
  stage.share.piecesLeft = 7
  stage.sweep()
  t.equal(served(), 7)
  stage.say(3)
  stage.share.piecesLeft = Number.POSITIVE_INFINITY
  stage.run()
  t.ok(
    readers.every(({ book }) => book.seq === stage.head),
    'and nobody misses anything',
  )
  t.equal(served(), 20)
})

t.test('what is encoded for readers has a bound in all, whatever places they name', async t => {
  const stage = new Stage()
  const dice = new Dice(7)
  const reader = { places: new Map(), isCongested: false, isOpen: true, write: () => {} } as never
  let most = 0
  for (let event = 0; event < 6; event++) {
    const market = new TalkingMarket(dice, 0, (CODE + event) as MarketCode)
    stage.feed.publish({ market: market.desk, at: AT, messages: market.say(RING_LENGTH) })
    for (let place = 0; place < PLACES_MAX; place++) {
      stage.feed.subscribe(reader, market.desk, place)
      most = Math.max(most, stage.feed.keptChars)
    }
  }
  t.ok(most <= KEPT_CHARS_MAX, `${most} characters at most`)
  t.ok(most > KEPT_CHARS_MAX / 2, 'and they were more')
})

t.test('a channel that is over leaves nothing that was encoded for its readers', async t => {
  const stage = new Stage()
  stage.say(20)
  const reader = stage.reader(3)
  t.ok(stage.feed.keptChars > 0)
  stage.market.desk.progress = { ...stage.market.desk.progress, status: 'settled' }
  stage.feed.unsubscribe(reader.asConnection, CODE)
  t.equal(stage.feed.keptChars, 0)
})
