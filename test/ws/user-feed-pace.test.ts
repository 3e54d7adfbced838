import t from 'tap'
import type { HeldIn, UserMessage } from '../../src/core/records/user-message.js'
import type { MarketCode, TimeMs } from '../../src/core/units.js'
import { amount, lots } from '../../src/core/units.js'
import type { Exchange } from '../../src/exchange/exchange.js'
import type { Connection } from '../../src/ws/connection.js'
import { READS_MAX, UserFeed } from '../../src/ws/feeds/user-feed.js'
import { MAKINGS_MAX } from '../../src/ws/feeds/user-snapshots.js'
import { FakeConnection } from '../fixtures/sockets/ws-connection.js'

const AT = 5 as TimeMs
const PART = 3

/** A user's channel whose disk answers when the test says so. */
class HeldChannel {
  last = 0
  /** How often the disk was asked. */
  asked = 0
  /** How often a copy of where the user stands was taken. */
  snapshots = 0
  positions: readonly HeldIn[] = []
  #tell: (userIds: readonly string[]) => void = () => {}
  readonly #waiting: ((isThere: boolean) => void)[] = []
  readonly feed: UserFeed

  constructor() {
    const userChannel = {
      onMessages: (listener: (userIds: readonly string[]) => void) => {
        this.#tell = listener
      },
      userSeq: () => this.last,
      snapshot: () => {
        this.snapshots++
        const { last: userSeq, positions } = this
        return {
          userSeq,
          balance: undefined,
          positions,
          hasMorePositions: false,
          orders: [],
          hasMoreOrders: false,
        }
      },
      messagesAfter: async (_: string, userSeq: number) => {
        this.asked++
        const last = this.last
        const isThere = await new Promise<boolean>(resolve => this.#waiting.push(resolve))
        if (!isThere) throw new Error('the disk is gone')
        return messages(userSeq + 1, Math.min(last, userSeq + PART))
      },
    }
    const exchange = { userChannel, market: () => undefined } as unknown as Exchange
    this.feed = new UserFeed(exchange, () => AT)
  }

  /** Starts a reader, in one go. */
  follow(connection: Connection, fromSeq?: number): void {
    for (const _ of this.feed.subscribe(connection, 'asha', fromSeq));
  }

  /** Adds this many messages of a batch. */
  tell(count: number): void {
    this.last += count
    this.#tell(['asha'])
  }

  /** The disk answers all questions that it has been asked, or fails. */
  async answer(isThere = true): Promise<void> {
    for (const resolve of this.#waiting.splice(0)) resolve(isThere)
    await new Promise<void>(resolve => setImmediate(resolve))
  }
}

function held(count: number): HeldIn[] {
  const contracts = { yes: lots(1), no: lots(0), yesLocked: lots(0), noLocked: lots(0), paid: 0 }
  return Array.from({ length: count }, (_, n) => ({ market: (1_000_001 + n) as MarketCode, contracts }))
}

function messages(from: number, to: number): UserMessage[] {
  return Array.from({ length: to - from + 1 }, (_, index) => {
    return { type: 'balance', userSeq: from + index, at: AT, cash: amount(1), held: amount(0) }
  })
}

function seqsOf(connection: FakeConnection): unknown[] {
  return connection.received.map(data => (data as unknown as { user_seq: number }).user_seq)
}

t.test('a change published during a disk read is sent once, by the next part', async t => {
  const channel = new HeldChannel()
  const connection = new FakeConnection()
  channel.follow(connection.asConnection, 0)
  channel.tell(2)
  channel.tell(2)
  channel.tell(1)
  t.equal(channel.asked, 1, 'one question at a time')
  for (let n = 0; n < 4; n++) await channel.answer()
  t.same(seqsOf(connection), [1, 2, 3, 4, 5])
  t.equal(channel.asked, 2)
})

t.test('a congested reader is not read for, and resumes where it was once it has drained', async t => {
  const channel = new HeldChannel()
  const connection = new FakeConnection()
  channel.follow(connection.asConnection, 0)
  connection.isCongested = true
  channel.tell(4)
  t.equal(channel.asked, 0)
  connection.isCongested = false
  channel.feed.resume(connection.asConnection)
  await channel.answer()
  connection.isCongested = true
  await channel.answer()
  t.same(seqsOf(connection), [1, 2, 3], 'what was read meanwhile is not pressed on it')
  connection.isCongested = false
  channel.feed.resume(connection.asConnection)
  await channel.answer()
  t.same(seqsOf(connection), [1, 2, 3, 4])
})

t.test('a reader that left during a disk read gets nothing, one that came back starts over', async t => {
  const channel = new HeldChannel()
  const gone = new FakeConnection()
  channel.follow(gone.asConnection, 0)
  const again = new FakeConnection()
  channel.follow(again.asConnection, 0)
  channel.tell(3)
  channel.feed.leave(gone.asConnection).next()
  channel.follow(again.asConnection, 1)
  await channel.answer()
  await channel.answer()
  t.same(seqsOf(gone), [])
  t.same(seqsOf(again), [2, 3])
})

t.test('a reader whose channel cannot be read is disconnected, and the others are served', async t => {
  const channel = new HeldChannel()
  const [unlucky, lucky] = [new FakeConnection(), new FakeConnection()]
  channel.follow(unlucky.asConnection, 0)
  channel.tell(1)
  await channel.answer(false)
  t.match(unlucky.closings, [[1011, /connect again/]])
  channel.follow(lucky.asConnection, 0)
  await channel.answer()
  t.same(seqsOf(lucky), [1])
})

t.test('a snapshot is built in steps, is consistent, and is followed by later changes', async t => {
  const channel = new HeldChannel()
  channel.positions = held(100)
  channel.tell(7)
  const connection = new FakeConnection()
  const steps = channel.feed.subscribe(connection.asConnection, 'asha')
  steps.next()
  channel.positions = []
  channel.tell(2)
  t.equal(channel.asked, 0, 'nothing is read before the snapshot is there')
  let count = 1
  while (!steps.next().done) count++
  t.ok(count >= 100 / 32, `${count} steps`)
  await channel.answer()
  t.same(seqsOf(connection), [7, 8, 9])
  t.equal((connection.received[0] as unknown as { positions: unknown[] }).positions.length, 100)
})

t.test('all readers waiting for a snapshot share one, even if the first of them leaves', async t => {
  const channel = new HeldChannel()
  channel.positions = held(100)
  channel.tell(7)
  const readers = Array.from({ length: 50 }, () => new FakeConnection())
  const works = readers.map(({ asConnection }) => channel.feed.subscribe(asConnection, 'asha'))
  for (const work of works) work.next()
  channel.feed.leave((readers[0] as FakeConnection).asConnection).next()
  works.shift()
  for (let left = works; left.length > 0; ) left = left.filter(work => !work.next().done)
  t.equal(channel.feed.snapshotsMade, 1)
  t.same(readers.map(seqsOf), [[], ...Array.from({ length: 49 }, () => [7])])

  const late = new FakeConnection()
  channel.follow(late.asConnection)
  t.same(seqsOf(late), [7])
  t.equal(channel.feed.snapshotsMade, 1, 'it is kept until the next message')
  channel.tell(1)
  channel.follow(new FakeConnection().asConnection)
  t.equal(channel.feed.snapshotsMade, 2)
})

t.test('a snapshot that all its readers abandoned is never served', async t => {
  const channel = new HeldChannel()
  channel.positions = held(100)
  channel.tell(7)
  const readers = [new FakeConnection(), new FakeConnection()]
  const works = readers.map(({ asConnection }) => channel.feed.subscribe(asConnection, 'asha'))
  for (const work of works) work.next()
  for (const work of works) work.return(0)
  channel.tell(1000)
  const late = new FakeConnection()
  channel.follow(late.asConnection)
  t.same(seqsOf(late), [1007])
  t.equal(channel.snapshots, 2)
})

t.test('when too many snapshots are being built, other readers help with those', async t => {
  const channel = new HeldChannel()
  channel.positions = held(100)
  const count = 3 * MAKINGS_MAX
  const readers = Array.from({ length: count }, () => new FakeConnection())
  let left = readers.map(({ asConnection }, n) => channel.feed.subscribe(asConnection, `user${n}`))
  let copiesMax = 0
  while (left.length > 0) {
    left = left.filter(work => {
      const isLeft = !work.next().done
      copiesMax = Math.max(copiesMax, channel.snapshots - channel.feed.snapshotsMade)
      return isLeft
    })
  }
  t.equal(copiesMax, MAKINGS_MAX, 'copies that are held at once')
  t.equal(channel.snapshots, count)
  t.ok(readers.every(({ received }) => received.length === 1))
})

t.test('a thousand replays read a few parts at a time, and connections take turns', async t => {
  const channel = new HeldChannel()
  channel.last = PART
  const greedy = new FakeConnection()
  for (let n = 0; n < 1000; n++) {
    for (const _ of channel.feed.subscribe(greedy.asConnection, `user${n}`, 0));
  }
  t.equal(channel.asked, READS_MAX)
  const modest = new FakeConnection()
  channel.follow(modest.asConnection, 1)
  await channel.answer()
  t.equal(channel.asked, 2 * READS_MAX)
  await channel.answer()
  t.same(seqsOf(modest), [2, 3])
  t.ok(greedy.received.length <= 2 * READS_MAX * PART)
})

t.test('readers at the same position share what is read', async t => {
  const channel = new HeldChannel()
  channel.last = PART
  const readers = Array.from({ length: READS_MAX }, () => new FakeConnection())
  for (const { asConnection } of readers) channel.follow(asConnection, 0)
  t.equal(channel.asked, 1)
  await channel.answer()
  for (const reader of readers) t.same(seqsOf(reader), [1, 2, 3])
})
