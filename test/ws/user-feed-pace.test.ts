import t from 'tap'
import type { TimeMs } from '../../src/core/units.js'
import { amount } from '../../src/core/units.js'
import type { Exchange } from '../../src/exchange/exchange.js'
import type { UserMessage } from '../../src/shard/user-messages.js'
import { UserFeed } from '../../src/ws/user-feed.js'
import { FakeConnection } from '../fixtures/ws-connection.js'

const AT = 5 as TimeMs
const PART = 3

/** A user's channel whose disk answers when the test says so. */
class HeldChannel {
  last = 0
  /** How often the disk was asked. */
  asked = 0
  #tell: (userIds: readonly string[]) => void = () => {}
  readonly #waiting: ((isThere: boolean) => void)[] = []
  readonly feed: UserFeed

  constructor() {
    const userChannel = {
      onTold: (listener: (userIds: readonly string[]) => void) => {
        this.#tell = listener
      },
      userSeq: () => this.last,
      snapshot: () => ({
        userSeq: this.last,
        balance: undefined,
        positions: [],
        orders: [],
        hasMoreOrders: false,
      }),
      messagesAfter: async (_: string, userSeq: number) => {
        this.asked++
        const last = this.last
        const isThere = await new Promise<boolean>(resolve => this.#waiting.push(resolve))
        if (!isThere) throw new Error('the disk is gone')
        return messages(userSeq + 1, Math.min(last, userSeq + PART))
      },
    }
    const exchange = { userChannel, market: () => undefined } as unknown as Exchange
    this.feed = new UserFeed(exchange, () => AT, { order: () => ({}), fill: () => ({}) })
  }

  /** A batch has told the user so many messages more. */
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

function messages(from: number, to: number): UserMessage[] {
  return Array.from({ length: to - from + 1 }, (_, index) => {
    return { type: 'balance', userSeq: from + index, at: AT, cash: amount(1), held: amount(0) }
  })
}

function seqsOf(connection: FakeConnection): unknown[] {
  return connection.received.map(data => (data as unknown as { user_seq: number }).user_seq)
}

t.test('what is told while the disk is read is sent once, by the next part', async t => {
  const channel = new HeldChannel()
  const connection = new FakeConnection()
  channel.feed.subscribe(connection.asConnection, 'asha', 0)
  channel.tell(2)
  channel.tell(2)
  channel.tell(1)
  t.equal(channel.asked, 1, 'one question at a time')
  for (let n = 0; n < 4; n++) await channel.answer()
  t.same(seqsOf(connection), [1, 2, 3, 4, 5])
  t.equal(channel.asked, 2)
})

t.test('a congested reader is not read for, and goes on where it was when it has drained', async t => {
  const channel = new HeldChannel()
  const connection = new FakeConnection()
  channel.feed.subscribe(connection.asConnection, 'asha', 0)
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

t.test('one who left while the disk was read gets nothing, one who came again starts anew', async t => {
  const channel = new HeldChannel()
  const gone = new FakeConnection()
  channel.feed.subscribe(gone.asConnection, 'asha', 0)
  const again = new FakeConnection()
  channel.feed.subscribe(again.asConnection, 'asha', 0)
  channel.tell(3)
  channel.feed.leave(gone.asConnection)
  channel.feed.subscribe(again.asConnection, 'asha', 1)
  await channel.answer()
  await channel.answer()
  t.same(seqsOf(gone), [])
  t.same(seqsOf(again), [2, 3])
})

t.test('a reader whose channel cannot be read is sent away, and the others are served', async t => {
  const channel = new HeldChannel()
  const [unlucky, lucky] = [new FakeConnection(), new FakeConnection()]
  channel.feed.subscribe(unlucky.asConnection, 'asha', 0)
  channel.tell(1)
  await channel.answer(false)
  t.match(unlucky.closings, [[1011, /connect again/]])
  channel.feed.subscribe(lucky.asConnection, 'asha', 0)
  await channel.answer()
  t.same(seqsOf(lucky), [1])
})
