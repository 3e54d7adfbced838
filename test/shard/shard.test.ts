import t from 'tap'
import type { CancelOrder, Command, CommandBatch } from '../../src/core/command.js'
import type { MarketCode, OrderNumber, Sequence, TimeMs } from '../../src/core/units.js'
import type { BatchResult } from '../../src/shard/batch-runner.js'
import { JournalOrder } from '../../src/shard/journal-order.js'
import { Shard } from '../../src/shard/shard.js'

const BATCH_LENGTH_MAX = 512

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

/** Makes a shard whose executor answers when the test lets it, and a log of everything that happened. */
class HeldShard {
  readonly shard: Shard
  readonly happened: string[] = []
  readonly batches: CommandBatch[] = []
  readonly failures: Error[] = []
  now = 5
  settleFails = false
  /** Resolves when the tables have caught up; undefined while they are not far behind. */
  room: Promise<void> | undefined
  readonly #waiting: {
    readonly resolve: (result: BatchResult) => void
    readonly reject: (error: unknown) => void
  }[] = []
  #arrived: () => void = () => {}
  #committed = 0

  constructor(queueLengthMax = 10_000) {
    const executor = {
      truncateLog: async () => {},
      execute: (at: TimeMs, commands: string) => {
        this.batches.push({ at, commands: JSON.parse(commands) as Command[] })
        this.happened.push('execute')
        this.#arrived()
        return new Promise<BatchResult>((resolve, reject) => {
          this.#waiting.push({ resolve, reject })
        })
      },
      stateHash: async () => 'hash',
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

  /** Waits until a batch has reached the executor. */
  async arrival(batches: number): Promise<void> {
    while (this.batches.length < batches) {
      await new Promise<void>(resolve => {
        this.#arrived = resolve
      })
    }
  }

  /** Commits the oldest batch in flight. */
  commit(): void {
    const outcome = { events: [], orders: [], markets: [], accounts: [], positions: [], edits: [] }
    this.#committed++
    const sequence = this.#committed as Sequence
    this.#waiting.shift()?.resolve({ sequence, at: 5 as TimeMs, outcome, updatedUsers: [], transfers: [] })
  }

  break(error: unknown): void {
    this.#waiting.shift()?.reject(error)
  }

  get inFlight(): number {
    return this.#waiting.length
  }
}

/** Runs everything that can run without another commit. */
const turn = () => new Promise<void>(resolve => setImmediate(() => setImmediate(resolve)))

t.test('answers nobody before the batch is committed and settled', async t => {
  const held = new HeldShard()
  held.submit([1, 2, 3])
  await held.arrival(1)
  await turn()
  t.same(held.happened, ['execute'])
  held.commit()
  await held.shard.drain()
  t.same(held.happened, ['execute', 'settle 3', 'answer 1', 'answer 2', 'answer 3'])
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
  held.commit()
  await held.arrival(2)
  held.commit()
  await held.shard.drain()
  t.same(held.shard.load, { queueLength: 0, batchesInFlight: 0 })
})

t.test('keeps arrival order, with one batch in flight at a time', async t => {
  const held = new HeldShard()
  held.submit([1])
  await held.arrival(1)
  held.submit([2, 3])
  await turn()
  held.submit([4])
  await turn()
  t.equal(held.inFlight, 1)
  t.equal(held.batches.length, 1, 'later arrivals wait')
  t.equal(held.shard.queueLength, 3)
  held.commit()
  await held.arrival(2)
  held.submit([5])
  held.commit()
  await held.arrival(3)
  held.commit()
  await held.shard.drain()
  t.same(
    held.batches.map(batch => numbersOf(batch.commands)),
    [[1], [2, 3, 4], [5]],
  )
  t.same(
    held.happened.filter(text => text.startsWith('answer')),
    count(1, 5).map(number => `answer ${number}`),
  )
})

t.test('takes all waiting commands, up to 512', async t => {
  for (const total of [BATCH_LENGTH_MAX - 1, BATCH_LENGTH_MAX, BATCH_LENGTH_MAX + 1, 3 * BATCH_LENGTH_MAX]) {
    const held = new HeldShard()
    held.submit(count(1, total))
    const batches = Math.ceil(total / BATCH_LENGTH_MAX)
    for (let batch = 1; batch <= batches; batch++) {
      await held.arrival(batch)
      t.equal(held.inFlight, 1)
      held.commit()
    }
    await held.shard.drain()
    t.ok(held.batches.every(({ commands }) => commands.length <= BATCH_LENGTH_MAX))
    t.equal(held.batches.length, batches, `${total} commands`)
    t.same(
      held.batches.flatMap(batch => numbersOf(batch.commands)),
      count(1, total),
    )
  }
})

t.test('reads the clock once per batch', async t => {
  const held = new HeldShard()
  held.submit([1])
  await held.arrival(1)
  held.now = 9
  held.submit([2])
  held.commit()
  await held.arrival(2)
  held.commit()
  await held.shard.drain()
  t.same(
    held.batches.map(({ at }) => at),
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
    t.same(held.happened, ['execute'], 'nobody is answered, nothing is settled, nothing more is tried')
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
  t.same(held.happened, ['execute', 'settle 1'])
  t.equal(held.batches.length, 1)
})
