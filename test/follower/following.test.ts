import type { Test } from 'tap'
import t from 'tap'
import type { Sequence } from '../../src/core/units.js'
import type { Followed } from '../../src/follower/follower.js'
import { Following } from '../../src/follower/following.js'

const COMMANDS_MAX = 50_000
const WAIT_MS_MAX = 5000
const WAITING_MAX = 1000

const at = (sequence: number) => sequence as Sequence
/** Lets everything pending happen. */
const turn = () => new Promise<void>(resolve => setImmediate(resolve))

/** Timers that run when the test says so. */
class Timers {
  readonly #running = new Map<number, () => void>()
  readonly times: number[] = []

  constructor(t: Test) {
    const set = (run: () => void, ms: number) => {
      this.#running.set(this.times.push(ms), run)
      return this.times.length
    }
    t.intercept(globalThis, 'setTimeout', { value: set })
    t.intercept(globalThis, 'clearTimeout', { value: (timer: number) => this.#running.delete(timer) })
  }

  get count(): number {
    return this.#running.size
  }

  async pass(): Promise<void> {
    const due = [...this.#running.values()]
    this.#running.clear()
    for (const run of due) run()
    await turn()
  }
}

type Step = Followed | Error

/** Tables that are written when the test says so, and what the exchange has heard of them. */
function tables(atOnce = true) {
  let now = 0
  const steps: ((step: Step) => void)[] = []
  const asked: (number | string)[] = []
  const reached: number[] = []
  const failures: string[] = []
  const executor = {
    follow: (upTo: Sequence, writes: boolean) => {
      asked.push(writes ? upTo : `take ${upTo}`)
      return new Promise<Followed>((resolve, reject) =>
        steps.push(step => (step instanceof Error ? reject(step) : resolve(step))),
      )
    },
    truncateLog: async () => {},
    close: async () => {},
  }
  const following = new Following(executor, {
    reached: at(0),
    atOnce,
    watch: () => now,
    onReached: sequence => reached.push(sequence),
    fail: error => failures.push(error.message),
  })
  return {
    following,
    asked,
    reached,
    failures,
    pass: (ms: number) => {
      now += ms
    },
    /** The follower has written up to a batch, or fails. */
    write: async (step: number | Error) => {
      steps.shift()?.(step instanceof Error ? step : { taken: at(step), reached: at(step) })
      await turn()
    },
    /** The follower has taken batches up to one, and written up to another. */
    take: async (taken: number, reached: number) => {
      steps.shift()?.({ taken: at(taken), reached: at(reached) })
      await turn()
    },
  }
}

/** Returns a function that says whether a promise is settled. */
function watched(promise: Promise<unknown> | undefined): () => boolean {
  let isDone = promise === undefined
  void promise?.then(() => {
    isDone = true
  })
  return () => isDone
}

t.test('no shard takes a batch while the tables are too far behind', async t => {
  const { following, write } = tables()
  following.committed(at(1), COMMANDS_MAX - 1)
  t.equal(following.whenRoom(), undefined, 'there is room for one command')
  following.committed(at(2), 1)
  const [one, other] = [watched(following.whenRoom()), watched(following.whenRoom())]
  await turn()
  t.same([one(), other()], [false, false])
  t.match(following.load, { behind: COMMANDS_MAX })
  await write(1)
  t.same([one(), other()], [true, true], 'all go on once there is room')
  t.match(following.load, { behind: 1, reached: 1 })
  t.equal(following.whenRoom(), undefined)
})

t.test('a command that changes many orders takes the room of many', async t => {
  const { following, write } = tables()
  following.committed(at(1), 1, { orders: { length: COMMANDS_MAX }, positions: [] })
  const goesOn = watched(following.whenRoom())
  await turn()
  t.notOk(goesOn())
  t.match(following.load, { behind: 1 })
  await write(1)
  t.ok(goesOn())
})

t.test('a command that changes many positions takes the room of a quarter as many', async t => {
  const { following, write } = tables()
  following.committed(at(1), 1, { orders: [], positions: { length: 4 * COMMANDS_MAX - 4 } })
  t.equal(following.whenRoom(), undefined, 'there is room for another')
  following.committed(at(2), 1, { orders: [], positions: { length: 4 } })
  const goesOn = watched(following.whenRoom())
  await turn()
  t.notOk(goesOn())
  t.match(following.load, { behind: 2 })
  await write(1)
  t.ok(goesOn())
})

t.test('a read waits for the batches that memory included when it came, and for no later ones', async t => {
  const { following, write, asked } = tables()
  t.equal(await following.caughtUp(), undefined, 'level tables are read at once')
  following.committed(at(1), 1)
  const first = watched(following.caughtUp())
  following.committed(at(2), 1)
  const second = watched(following.caughtUp())
  await turn()
  t.same([first(), second()], [false, false])
  await write(1)
  t.same([first(), second()], [true, false])
  t.same(asked, [1, 2], 'the rest follows at once')
  await write(2)
  t.ok(second())
})

t.test('a read is refused when it has waited too long, or when too many wait', async t => {
  const { following, write, pass } = tables()
  following.committed(at(1), 1)
  const late = following.caughtUp()
  const patient = watched(following.caughtUpEventually())
  pass(WAIT_MS_MAX - 1)
  following.refuseLate()
  const isRefused = watched(late)
  await turn()
  t.notOk(isRefused())
  pass(1)
  following.refuseLate()
  t.equal(await late, 'read_late')
  t.notOk(patient(), 'what is never refused goes on waiting')
  const waiting = Array.from({ length: WAITING_MAX - 1 }, () => following.caughtUp())
  t.equal(await following.caughtUp(), 'reads_full')
  await write(1)
  t.ok((await Promise.all(waiting)).every(refusal => refusal === undefined))
  t.ok(patient())
})

t.test('a follower that fails is not asked again, and ends the exchange once', async t => {
  const { following, write, asked, failures, reached } = tables()
  following.committed(at(1), 1)
  const read = watched(following.caughtUp())
  await write(new Error('disk I/O error'))
  following.committed(at(2), 1)
  await following.drain()
  t.same(failures, ['disk I/O error'])
  t.same(asked, [1])
  t.same(reached, [])
  t.notOk(read(), 'no read sees tables that lack what was answered')
  await following.close()
})

t.test('batches gather while nobody waits for them', async t => {
  const timers = new Timers(t)
  const { following, write, take, asked, reached } = tables(false)
  following.committed(at(1), 1)
  following.committed(at(2), 1)
  await turn()
  t.same(asked, [])
  const read = watched(following.caughtUp())
  t.same(asked, [2], 'a read calls for their rows at once')
  await write(2)
  t.ok(read())
  following.committed(at(3), 1999)
  t.same(asked, [2])
  following.committed(at(4), 1)
  t.same(asked, [2, 'take 4'], 'many commands are taken, their rows wait')
  await take(4, 2)
  t.same(reached, [2])
  t.match(following.load, { behind: 2000, reached: 2 })
  following.committed(at(5), 1999)
  t.same(asked, [2, 'take 4'], 'those that were taken count no more')
  const late = watched(following.caughtUp())
  t.same(asked, [2, 'take 4', 5], 'a read calls for the rows of those that were taken, too')
  await write(5)
  t.ok(late())
  t.same(timers.count, 0, 'no timer is left')
  following.committed(at(6), 2000)
  await take(6, 6)
  t.same(reached, [2, 5, 6], 'the follower may write unasked')
  t.match(following.load, { behind: 0 })
  t.same(timers.count, 0)
})

t.test('the tables lag 400 ms at most while nobody waits for them', async t => {
  const timers = new Timers(t)
  const { following, write, take, asked } = tables(false)
  following.committed(at(1), 1)
  following.committed(at(2), 1)
  t.same(timers.times, [400], 'from the first batch on')
  await timers.pass()
  t.same(asked, [2])
  following.committed(at(3), 2500)
  await write(2)
  t.same(timers.times, [400, 400], 'from what came meanwhile, again')
  t.same(asked, [2, 'take 3'])
  await timers.pass()
  following.committed(at(4), 1)
  await take(3, 2)
  t.same(asked, [2, 'take 3', 4], 'late rows are written once the follower can')
  await write(4)
  t.same(timers.count, 0)
})

t.test('a stop waits for the rows of all batches', async t => {
  const timers = new Timers(t)
  const { following, write, take, asked } = tables(false)
  following.committed(at(1), 2000)
  await take(1, 0)
  const closed = watched(following.close())
  t.same(asked, ['take 1', 1], 'without waiting for the timer')
  await write(1)
  t.ok(closed())
  t.same(timers.count, 0)
})
