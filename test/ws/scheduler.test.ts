import t from 'tap'
import { Bucket } from '../../src/access/limits/bucket.js'
import { FairQueue } from '../../src/exchange/reads/fair-queue.js'
import { Wheel } from '../../src/ws/feeds/wheel.js'
import type { Work } from '../../src/ws/scheduler.js'
import { POINTS_MAX, Scheduler, WAITING_MAX } from '../../src/ws/scheduler.js'
import { FakeConnection } from '../fixtures/sockets/ws-connection.js'
import { steppedShare } from '../fixtures/stepped-share.js'

/** A scheduler whose slices run when the test says so, and work that notes its steps. */
class TurnStage {
  readonly share = steppedShare(slice => this.#slices.push(slice))
  readonly turns = new Scheduler(this.share)
  readonly steps: string[] = []
  readonly #slices: (() => void)[] = []

  get scheduled(): number {
    return this.#slices.length
  }

  /** Adds work of this many steps. */
  add(connection: FakeConnection, name: string, steps: number, points = 1): void {
    this.turns.add(connection.asConnection, this.#work(name, steps, points))
  }

  slice(): void {
    this.#slices.shift()?.()
  }

  run(): void {
    while (this.scheduled > 0) this.slice()
  }

  *#work(name: string, steps: number, points: number): Work {
    for (let n = 0; n < steps; n++) {
      this.steps.push(name)
      yield points
    }
  }
}

t.test('work runs at once while there is time, and otherwise in slices', async t => {
  const stage = new TurnStage()
  stage.add(new FakeConnection(), 'short', 3)
  t.same(stage.steps, ['short', 'short', 'short'])
  stage.run()
  stage.add(new FakeConnection(), 'long', 1000, 10)
  t.equal(stage.steps.length, 3 + POINTS_MAX.slice / 10)
  stage.slice()
  t.equal(stage.steps.length, 3 + (2 * POINTS_MAX.slice) / 10)
  t.equal(stage.scheduled, 1, 'one slice at a time')
  stage.run()
  t.equal(stage.steps.length, 1003)
  t.equal(stage.scheduled, 0, 'nothing is scheduled where there is nothing to do')
})

t.test('a thousand short tasks in one packet share the time of one slice', async t => {
  const stage = new TurnStage()
  for (let n = 0; n < 1000; n++) stage.add(new FakeConnection(), 'one', 1)
  t.ok(stage.steps.length <= POINTS_MAX.slice, `${stage.steps.length} at once`)
  stage.run()
  t.equal(stage.steps.length, 1000)
})

t.test('a client that asks for one thing does not wait for those that ask for many', async t => {
  const stage = new TurnStage()
  for (let n = 0; n < 20; n++) {
    const greedy = new FakeConnection()
    for (let m = 0; m < 100; m++) stage.add(greedy, 'greedy', 50, 10)
  }
  stage.add(new FakeConnection(), 'modest', 1)
  const before = stage.steps.length
  while (!stage.steps.includes('modest')) stage.slice()
  const turn = Math.ceil(POINTS_MAX.connection / 10)
  t.ok(stage.steps.length - before <= 1 + 20 * turn + POINTS_MAX.slice / 10, 'a turn of each, and a slice')
})

t.test("a turn's answers go out in one write, and a turn is short", async t => {
  const stage = new TurnStage()
  const [talker, other] = [new FakeConnection(), new FakeConnection()]
  stage.add(new FakeConnection(), 'first', 1, POINTS_MAX.slice)
  stage.add(talker, 'talker', 40)
  stage.add(other, 'other', 1)
  stage.run()
  const turn = Array.from({ length: POINTS_MAX.connection }, () => 'talker')
  t.same(stage.steps.slice(0, POINTS_MAX.connection + 2), ['first', ...turn, 'other'])
  t.equal(talker.turns, Math.ceil(40 / POINTS_MAX.connection))
})

t.test('a turn ends where its answers fill the buffer of a client that does not read', async t => {
  const stage = new TurnStage()
  const slow = new FakeConnection()
  const work = function* (): Work {
    for (;;) {
      stage.steps.push('slow')
      slow.isCongested = stage.steps.length >= 3
      yield 1
    }
  }
  stage.turns.add(slow.asConnection, work())
  stage.run()
  t.equal(stage.steps.length, 3)
})

t.test('while orders wait, work goes on as far as there is time, and the rest later', async t => {
  const stage = new TurnStage()
  stage.share.piecesLeft = 0
  stage.add(new FakeConnection(), 'late', 3)
  stage.slice()
  t.same(stage.steps, [])
  t.equal(stage.scheduled, 1, 'it is not forgotten')
  stage.share.piecesLeft = 1
  stage.add(new FakeConnection(), 'later', 3)
  t.same(stage.steps, ['late', 'late', 'late'])
  stage.share.piecesLeft = Number.POSITIVE_INFINITY
  stage.run()
  t.equal(stage.steps.length, 6)
})

t.test("a connection's work is done in order", async t => {
  const stage = new TurnStage()
  const [first, second] = [new FakeConnection(), new FakeConnection()]
  stage.add(new FakeConnection(), 'other', 1, POINTS_MAX.slice)
  for (const name of ['a', 'b', 'c']) stage.add(first, name, 2)
  stage.add(second, 'x', 3)
  stage.run()
  t.equal(stage.steps.filter(name => 'abc'.includes(name)).join(''), 'aabbcc')
})

t.test('no work is done for a client that does not read until it has drained', async t => {
  const stage = new TurnStage()
  const slow = new FakeConnection()
  slow.isCongested = true
  stage.add(slow, 'slow', 2)
  stage.add(new FakeConnection(), 'other', 1)
  stage.run()
  t.same(stage.steps, ['other'])
  t.equal(stage.scheduled, 0, 'and nobody looks again and again')
  stage.add(slow, 'later', 1)
  slow.isCongested = false
  stage.turns.resume(slow.asConnection)
  stage.run()
  t.same(stage.steps, ['other', 'slow', 'slow', 'later'])
})

t.test('pending work of a closed connection is dropped', async t => {
  const stage = new TurnStage()
  const [gone, stays] = [new FakeConnection(), new FakeConnection()]
  stage.add(stays, 'stays', 2, POINTS_MAX.slice)
  stage.add(gone, 'gone', 5)
  stage.turns.drop(gone.asConnection)
  stage.run()
  t.same(stage.steps, ['stays', 'stays'])
})

t.test('dropped work is ended, also when it drops itself', async t => {
  const stage = new TurnStage()
  const ended: string[] = []
  function* work(name: string, act = () => {}): Work {
    try {
      yield POINTS_MAX.slice
      act()
      for (;;) yield POINTS_MAX.slice
    } finally {
      ended.push(name)
    }
  }
  const [others, own] = [new FakeConnection(), new FakeConnection()]
  stage.turns.add(others.asConnection, work('by others'))
  stage.turns.drop(others.asConnection)
  t.same(ended, ['by others'])
  const drop = () => stage.turns.drop(own.asConnection)
  stage.turns.add(own.asConnection, work('by itself', drop))
  stage.run()
  t.same(ended, ['by others', 'by itself'])
  t.notOk(stage.turns.isBusy(own.asConnection))
})

t.test('the messages waiting are limited per connection and in total', async t => {
  const { turns } = new TurnStage()
  const [many, long] = [new FakeConnection(), new FakeConnection()]
  for (const connection of [many, long]) connection.isCongested = true
  const idle = function* (): Work {}
  for (let n = 0; n < WAITING_MAX.messages; n++) {
    t.ok(turns.hasRoom(many.asConnection, 10))
    turns.add(many.asConnection, idle(), 10)
  }
  t.notOk(turns.hasRoom(many.asConnection, 10))
  turns.add(long.asConnection, idle(), WAITING_MAX.chars - 5)
  t.notOk(turns.hasRoom(long.asConnection, 10))
  t.ok(turns.hasRoom(long.asConnection, 5), 'another has its own')

  const rest = WAITING_MAX.charsInAll - WAITING_MAX.chars + 5 - 10 * WAITING_MAX.messages
  const crowd = new FakeConnection()
  crowd.isCongested = true
  turns.add(crowd.asConnection, idle(), rest)
  t.notOk(turns.hasRoom(new FakeConnection().asConnection, 1))
  turns.drop(crowd.asConnection)
  t.ok(turns.hasRoom(new FakeConnection().asConnection, 1), 'who leaves makes room')
  many.isCongested = false
  turns.resume(many.asConnection)
  t.ok(turns.hasRoom(many.asConnection, 10), 'and so does what is done')
})

t.test('a bucket is spent in a burst, refills with time, and never exceeds its size', async t => {
  const bucket = new Bucket({ points: 100, pointsPerSecond: 10 }, 1000)
  bucket.take(99, 1000)
  t.notOk(bucket.isEmpty(1000))
  bucket.take(51, 1000)
  t.ok(bucket.isEmpty(1000), 'the last one may leave it in debt')
  t.equal(bucket.msUntilUsable(1000), 6000, 'until the debt is paid, and a tenth is back')
  t.ok(bucket.isEmpty(6000))
  t.notOk(bucket.isEmpty(6001))
  t.equal(bucket.msUntilUsable(7000), 0)
  bucket.take(99, 1_000_000)
  t.notOk(bucket.isEmpty(1_000_000))
  bucket.take(1, 1_000_000)
  t.ok(bucket.isEmpty(1_000_000), 'a long time fills it once')
})

t.test('a fair queue serves its keys in turn, however much each has waiting', async t => {
  const queue = new FairQueue<string, number>()
  for (let n = 0; n < 100; n++) queue.push('a', n)
  queue.push('b', 0)
  queue.push('c', 0)
  queue.push('c', 1)
  queue.delete('nobody')
  const served = Array.from({ length: 6 }, () => queue.shift())
  t.same(served, [
    ['a', 0],
    ['b', 0],
    ['c', 0],
    ['a', 1],
    ['c', 1],
    ['a', 2],
  ])
  queue.delete('a')
  t.equal(queue.shift(), undefined)
})

t.test('a wheel gives each member exactly one slot a round', async t => {
  const wheel = new Wheel<number>(10)
  for (let n = 0; n < 100; n++) {
    wheel.add(n)
    if (n % 3 === 0) wheel.advance()
  }
  const round = () => Array.from({ length: 10 }, () => [...wheel.advance()])
  const first = round()
  t.same(
    first.flat().sort((a, b) => a - b),
    Array.from({ length: 100 }, (_, n) => n),
  )
  t.same(
    first.map(({ length }) => length),
    Array.from({ length: 10 }, () => 10),
  )
  t.same(round(), first, 'the same moment in every round')

  for (let n = 0; n < 100; n++) if (!first[0]?.includes(n)) wheel.delete(n)
  for (let n = 100; n < 190; n++) wheel.add(n)
  t.ok(
    round().every(({ length }) => length === 10),
    'newcomers take the empty ones',
  )
})

t.test("a newcomer's slot is a whole round away", async t => {
  const wheel = new Wheel<string>(5)
  wheel.advance()
  wheel.add('new')
  const round = Array.from({ length: 5 }, () => [...wheel.advance()])
  t.same(round, [[], [], [], [], ['new']])
})
