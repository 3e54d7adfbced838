import t from 'tap'
import type { CancelOrder, Command, CommandBatch } from '../../src/core/command.js'
import type { MarketCode, OrderNumber, Sequence, TimeMs } from '../../src/core/units.js'
import type { CommandGroup } from '../../src/shard/command-group.js'
import { gatherBatch, groupOf } from '../../src/shard/command-group.js'
import { JournalOrder } from '../../src/shard/journal-order.js'
import type { BatchListener } from '../../src/shard/shard.js'
import { Shard } from '../../src/shard/shard.js'
import { batchText, readCommands } from '../../src/store/command-text.js'

const BATCH_LENGTH_MAX = 512
const GROUP_LENGTH_MAX = 128
const SENT_MAX = 1024

function command(number: number): CancelOrder {
  const market = 1_000_001 as MarketCode
  return {
    type: 'CANCEL_ORDER',
    id: String(number),
    market,
    number: number as OrderNumber,
    reason: 'user_cancelled',
  }
}

const numbersOf = (commands: readonly Command[]) => commands.map(({ id }) => Number(id))
const count = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index)

/** A shard whose executor commits when the test lets it, and a log of everything that happened. */
class HeldShard {
  readonly shard: Shard
  readonly happened: string[] = []
  /** Everything that was sent. */
  readonly groups: CommandBatch[] = []
  readonly failures: Error[] = []
  now = 5
  settleFails = false
  /** Resolves when the tables have caught up; undefined while they are not far behind. */
  room: Promise<void> | undefined
  readonly #uncommitted: number[] = []
  #listener: BatchListener | undefined
  #arrived: () => void = () => {}
  #committed = 0

  constructor(queueLengthMax = 10_000) {
    const executor = {
      truncateLog: async () => {},
      listen: (listener: BatchListener) => {
        this.#listener = listener
      },
      send: ({ at, count, text }: CommandGroup) => {
        this.groups.push({ at, commands: readCommands(batchText(text), 0) })
        this.#uncommitted.push(count)
        this.happened.push('send')
        this.#arrived()
      },
      look: async () => [],
      stateHash: async () => 'hash',
      follow: async () => [],
      close: async () => {
        this.happened.push('close')
      },
    }
    this.shard = new Shard(executor, {
      queueLengthMax,
      now: () => this.now as TimeMs,
      order: new JournalOrder(0 as Sequence),
      applyCommitted: commands => {
        this.happened.push(`settle ${commands.length}`)
        if (this.settleFails) throw new Error('the books do not balance')
      },
      whenRoom: () => this.room,
      fail: error => this.failures.push(error),
    })
  }

  /** Queues commands, and logs their answers. */
  submit(numbers: readonly number[]): void {
    for (const number of numbers) {
      void this.shard.submit(command(number)).then(() => this.happened.push(`answer ${number}`))
    }
  }

  /** Waits until a number of groups have reached the executor. */
  async arrival(groups: number): Promise<void> {
    while (this.groups.length < groups) {
      await new Promise<void>(resolve => {
        this.#arrived = resolve
      })
    }
  }

  /** Commits the oldest groups in flight as one batch. */
  commit(groups = 1): void {
    const outcome = {
      events: [],
      orders: [],
      markets: [],
      accounts: [],
      positions: [],
      edits: [],
      groups: [],
      conversions: [],
    }
    this.#committed++
    const sequence = this.#committed as Sequence
    const commandsCount = this.#uncommitted.splice(0, groups).reduce((sum, length) => sum + length, 0)
    const result = { sequence, at: 5 as TimeMs, outcome, updatedUsers: [], transfers: [] }
    this.#listener?.committed(commandsCount, result)
  }

  break(error: unknown): void {
    this.#listener?.failed(error)
  }

  get inFlight(): number {
    return this.#uncommitted.length
  }

  get answers(): readonly string[] {
    return this.happened.filter(text => text.startsWith('answer'))
  }
}

/** Runs everything that can run without another commit. */
const turn = () => new Promise<void>(resolve => setImmediate(() => setImmediate(resolve)))

t.test('answers nobody before the batch is committed and settled', async t => {
  const held = new HeldShard()
  held.submit([1, 2, 3])
  await held.arrival(1)
  await turn()
  t.same(held.happened, ['send'])
  held.commit()
  await held.shard.drain()
  t.same(held.happened, ['send', 'settle 3', 'answer 1', 'answer 2', 'answer 3'])
  t.same(held.failures, [])
})

t.test('reports waiting and in-flight commands', async t => {
  const held = new HeldShard()
  t.same(held.shard.load, { queueLength: 0, batchesInFlight: 0 })
  held.submit([1, 2])
  t.same(held.shard.load, { queueLength: 2, batchesInFlight: 0 })
  await held.arrival(1)
  held.submit([3])
  t.same(held.shard.load, { queueLength: 1, batchesInFlight: 1 })
  await held.arrival(2)
  held.commit(2)
  await held.shard.drain()
  t.same(held.shard.load, { queueLength: 0, batchesInFlight: 0 })
})

t.test('sends what arrives together at once, ahead of the commit before it', async t => {
  const held = new HeldShard()
  held.submit([1])
  await held.arrival(1)
  held.submit([2, 3])
  await held.arrival(2)
  held.submit([4])
  await held.arrival(3)
  t.equal(held.inFlight, 3)
  t.equal(held.shard.queueLength, 0)
  await turn()
  t.same(held.answers, [], 'nobody is answered before the commit')
  held.commit()
  await turn()
  t.same(held.answers, ['answer 1'])
  held.commit(2)
  await held.shard.drain()
  t.same(
    held.groups.map(group => numbersOf(group.commands)),
    [[1], [2, 3], [4]],
  )
  t.same(
    held.answers,
    count(1, 4).map(number => `answer ${number}`),
  )
})

t.test('sends no more than two batches ahead, whatever waits', async t => {
  const held = new HeldShard()
  const total = 3 * SENT_MAX + 1
  held.submit(count(1, total))
  await turn()
  let sent = SENT_MAX
  t.equal(held.groups.length, sent / GROUP_LENGTH_MAX)
  while (held.inFlight > 0) {
    held.commit()
    await turn()
    sent = Math.min(total, sent + GROUP_LENGTH_MAX)
    t.equal(held.groups.flatMap(({ commands }) => commands).length, sent)
    t.equal(held.shard.queueLength, total - sent)
  }
  await held.shard.drain()
  t.ok(held.groups.every(({ commands }) => commands.length <= GROUP_LENGTH_MAX))
  t.same(
    held.groups.flatMap(group => numbersOf(group.commands)),
    count(1, total),
  )
})

t.test('sends nothing while the tables are too far behind', async t => {
  const held = new HeldShard()
  let resume: () => void = () => {}
  held.room = new Promise(resolve => {
    resume = resolve
  })
  held.submit([1, 2])
  await turn()
  t.same(held.groups, [])
  resume()
  await held.arrival(1)
  held.commit()
  await held.shard.drain()
  t.same(held.answers, ['answer 1', 'answer 2'])
})

t.test('a batch is every group that waits, up to 512 commands, with the time of the last', t => {
  const groups = (lengths: readonly number[]) =>
    lengths.map((length, index) => groupOf(index as TimeMs, count(1, length).map(command)))
  for (const [lengths, batches] of [
    [[1], [1]],
    [[1, 2, 3], [6]],
    [[128, 128, 128, 128], [512]],
    [
      [128, 128, 128, 1, 128, 7],
      [385, 135],
    ],
    [count(1, 1000).map(() => 1), [385, 385, 230]],
  ] as const) {
    const waiting = groups(lengths)
    const made: number[] = []
    for (let first = waiting.shift(); first !== undefined; first = waiting.shift()) {
      const { at, count: length, text } = gatherBatch(first, () => waiting.shift())
      made.push(length)
      t.equal(readCommands(text, 0).length, length)
      t.ok(length <= BATCH_LENGTH_MAX)
      t.equal(at, lengths.length - waiting.length - 1)
    }
    t.same(made, batches)
  }
  t.end()
})

t.test('a batch of long commands stays below the 1 MB that a log elsewhere takes at once', t => {
  // As long as the body of a request may be, in letters of three bytes.
  const long = (number: number) =>
    ({ ...command(number), amendment: { name: 'ल'.repeat(33_000), fingerprint: '' } }) as Command
  const waiting = count(1, 300).map(long)
  const numbers: Command[] = []
  const next = () => {
    if (waiting.length === 0) return undefined
    const group = groupOf(0 as TimeMs, waiting.slice(0, 128))
    waiting.splice(0, group.count)
    return group
  }
  for (let first = next(); first !== undefined; first = next()) {
    const { text } = gatherBatch(first, next)
    t.ok(Buffer.byteLength(text) < 1_000_000, `${Buffer.byteLength(text)} bytes`)
    numbers.push(...readCommands(text, 0))
  }
  t.same(numbers, count(1, 300).map(long), 'all of them, in order')
  const short = count(1, 128).map(command)
  t.equal(groupOf(0 as TimeMs, short).count, 128, 'short ones stay together')
  t.end()
})

t.test('reads the clock once per group', async t => {
  const held = new HeldShard()
  held.submit([1, 2])
  await held.arrival(1)
  held.now = 9
  held.submit([3])
  await held.arrival(2)
  held.commit(2)
  await held.shard.drain()
  t.same(
    held.groups.map(({ at }) => at),
    [5, 9],
  )
})

t.test('is full at the waiting limit, not counting commands in flight', async t => {
  const held = new HeldShard(2)
  t.notOk(held.shard.isFull())
  held.submit([1])
  t.notOk(held.shard.isFull())
  held.submit([2])
  t.ok(held.shard.isFull())
  await held.arrival(1)
  t.notOk(held.shard.isFull())
  held.submit([3, 4])
  t.ok(held.shard.isFull())
  held.commit()
  await held.arrival(2)
  t.notOk(held.shard.isFull())
  held.commit()
  await held.shard.drain()
})

t.test('drains at once when nothing waits, otherwise when everything is answered', async t => {
  const held = new HeldShard()
  await held.shard.drain()
  held.submit([1])
  let isDrained = false
  const drained = held.shard.drain().then(() => {
    isDrained = true
  })
  await held.arrival(1)
  held.submit([2])
  held.commit()
  await held.arrival(2)
  await turn()
  t.notOk(isDrained, 'commands queued meanwhile count too')
  held.commit()
  await drained
  t.ok(held.happened.includes('answer 2'))
})

for (const [name, error, message] of [
  ['cannot be committed', new Error('the disk is full'), 'the disk is full'],
  ['cannot be committed, for a reason that is no error', 'odd', 'odd'],
] as const) {
  t.test(`fails and stops when a batch ${name}`, async t => {
    const held = new HeldShard()
    held.submit([1, 2])
    await held.arrival(1)
    held.submit([3])
    held.break(error)
    await held.shard.drain()
    t.same(
      held.failures.map(failure => failure.message),
      [message],
    )
    held.submit([4])
    await turn()
    await held.shard.drain()
    t.same(held.happened, ['send'], 'nobody is answered, nothing is settled, nothing more is tried')
    t.equal(held.failures.length, 1)
  })
}

t.test('fails and stops when a committed batch cannot be settled', async t => {
  const held = new HeldShard()
  held.settleFails = true
  held.submit([1])
  await held.arrival(1)
  held.submit([2])
  held.commit()
  await held.shard.drain()
  await turn()
  t.same(
    held.failures.map(failure => failure.message),
    ['the books do not balance'],
  )
  t.same(held.happened, ['send', 'settle 1'])
  t.equal(held.groups.length, 1)
})
