import t from 'tap'
import type { By } from '../../src/core/command.js'
import type { OrderRequest } from '../../src/core/order-request.js'
import type { TimeMs } from '../../src/core/units.js'
import { TrustedClock } from '../../src/exchange/operations/trusted-clock.js'
import { systemSources } from '../../src/exchange/sources.js'
import { HOUR, MARKET, START, TestExchange } from '../fixtures/test-exchange.js'

const MINUTE = 60_000
const DAY = 24 * HOUR
const OPERATOR: By = { who: 'loopback', address: '127.0.0.1', fields: {} }

/** Places a bid for one contract that expires in two hours. */
const DATED: OrderRequest = {
  ...{ market: MARKET, userId: 'asha', side: 'yes', outcome: 'yes', orderType: 'LO', selfTrade: 'taker' },
  ...{ yesPrice: 3, askedPrice: 3, quantity: 1, expiresAt: (START + 2 * HOUR) as TimeMs },
}

/** A machine whose clocks the test moves. */
class Machine {
  wall = START
  awake = 500
  boot: number | undefined = 3 * DAY
  reads = 0

  run(ms: number): void {
    this.sleep(ms)
    this.awake += ms
  }

  sleep(ms: number): void {
    this.wall += ms
    if (this.boot !== undefined) this.boot += ms
  }

  clock(lastBatchAt = 0): TrustedClock {
    const sources = {
      now: () => this.wall as TimeMs,
      watch: () => this.awake,
      sinceBoot: () => {
        this.reads++
        return this.boot
      },
    }
    return new TrustedClock(sources, lastBatchAt as TimeMs)
  }
}

type Step = readonly [move: 'run' | 'sleep' | 'jump', ms: number, aheadMs: number]

const TABLE: Readonly<Record<string, readonly Step[]>> = {
  'follows a clock that runs': [
    ['run', MINUTE, 0],
    ['run', 30 * DAY, 0],
  ],
  'follows a machine that slept': [
    ['sleep', 14 * DAY, 0],
    ['run', MINUTE, 0],
    ['sleep', 2 * HOUR, 0],
  ],
  'follows a jump of an hour': [['jump', HOUR, 0]],
  'holds a jump of more than an hour': [
    ['jump', HOUR + 1, HOUR + 1],
    ['run', MINUTE, HOUR + 1],
  ],
  'follows a clock that is pulled by seconds': Array.from({ length: 100 }, (): Step => ['jump', MINUTE, 0]),
  'holds a jump after sleep': [
    ['sleep', 8 * HOUR, 0],
    ['jump', 2 * HOUR, 2 * HOUR],
  ],
  'holds a jump on top of small ones and of sleep': [
    ['jump', 50 * MINUTE, 0],
    ['jump', 50 * MINUTE, 0],
    ['sleep', 2 * HOUR, 0],
    ['jump', 2 * HOUR, 2 * HOUR],
  ],
  'sleeps while it holds': [
    ['jump', 14 * DAY, 14 * DAY],
    ['sleep', DAY, 14 * DAY],
    ['run', DAY, 14 * DAY],
  ],
  'follows again once the clock is back within an hour': [
    ['jump', 14 * DAY, 14 * DAY],
    ['run', DAY, 14 * DAY],
    ['jump', -13 * DAY, DAY],
    ['jump', -23 * HOUR - 1, 0],
  ],
  'holds a second jump while it holds, by both together': [
    ['jump', 2 * HOUR, 2 * HOUR],
    ['jump', 3 * HOUR, 5 * HOUR],
  ],
  'follows a clock that is set back, and its way to where it was': [
    ['jump', -3 * DAY, 0],
    ['run', HOUR, 0],
    ['jump', 3 * DAY, 0],
  ],
  'follows a clock that a sleep set back, and its correction': [
    ['sleep', 10 * HOUR, 0],
    ['jump', -3 * HOUR, 0],
    ['jump', 3 * HOUR, 0],
  ],
}

for (const [name, steps] of Object.entries(TABLE)) {
  t.test(`a clock ${name}`, async t => {
    const machine = new Machine()
    const clock = machine.clock()
    for (const [index, [move, ms, aheadMs]] of steps.entries()) {
      if (move === 'jump') machine.wall += ms
      else machine[move](ms)
      t.equal(machine.wall - clock.now(), aheadMs, `${move} ${ms}, step ${index}`)
      t.match(clock.read(), { aheadMs, heldSince: aheadMs === 0 ? undefined : Number })
    }
  })
}

t.test('time never goes back while the clock is held, and continues from where it was', async t => {
  const machine = new Machine()
  const clock = machine.clock()
  machine.run(HOUR)
  let before: number = clock.now()
  machine.wall += 14 * DAY
  t.equal(clock.now(), before)
  for (const move of ['run', 'sleep', 'run', 'run'] as const) {
    machine[move](7777)
    t.equal(clock.now(), before + 7777)
    before += 7777
  }
  t.equal(clock.read().heldSince, START + HOUR, 'the clock reports since when it is held')
})

t.test('a confirmed clock is followed, and monitored from there', async t => {
  const machine = new Machine()
  const clock = machine.clock()
  machine.wall += 14 * DAY
  t.equal(clock.now(), START)
  clock.confirm()
  t.equal(clock.now(), START + 14 * DAY)
  machine.sleep(5 * HOUR)
  t.equal(clock.now(), machine.wall)
  machine.wall += 2 * HOUR
  t.equal(machine.wall - clock.now(), 2 * HOUR)
})

t.test('without the time since boot every clock is followed', async t => {
  const machine = new Machine()
  machine.boot = undefined
  const clock = machine.clock(START - 14 * DAY)
  t.match(clock.read(), { isGuarded: false, unexplainedMs: undefined })
  machine.wall += 14 * DAY
  t.equal(clock.now(), machine.wall)
  clock.confirm()
  t.equal(clock.now(), machine.wall)
})

t.test('a jump is detected even while the time since boot is briefly unreadable', async t => {
  const machine = new Machine()
  const clock = machine.clock()
  const { boot } = machine
  machine.boot = undefined
  machine.wall += 2 * HOUR
  t.equal(clock.now(), START)
  machine.wall -= 2 * HOUR
  t.equal(clock.now(), START)
  machine.boot = (boot ?? 0) + 5 * HOUR
  machine.wall += 5 * HOUR
  t.equal(clock.now(), machine.wall, 'the machine had been asleep')
})

t.test('a steady clock does not read the time since boot again', async t => {
  const machine = new Machine()
  const clock = machine.clock()
  for (let count = 0; count < 100; count++) {
    machine.run(MINUTE)
    clock.now()
  }
  t.equal(machine.reads, 1)
})

t.test('a start reports a difference that the time since boot does not explain', async t => {
  const rows: readonly (readonly [lastBatchAt: number, boot: number, unexplainedMs: number | undefined])[] = [
    [0, MINUTE, undefined],
    [START - DAY, 2 * DAY, undefined],
    [START - HOUR - MINUTE, MINUTE, undefined],
    [START - HOUR - MINUTE - 1, MINUTE, HOUR + 1],
    [START - 14 * DAY, HOUR, 14 * DAY - HOUR],
    [START + DAY, MINUTE, undefined],
  ]
  for (const [lastBatchAt, boot, unexplainedMs] of rows) {
    const machine = new Machine()
    machine.boot = boot
    t.equal(machine.clock(lastBatchAt).read().unexplainedMs, unexplainedMs)
  }
})

t.test('the time since boot is readable on Linux', async t => {
  const { sinceBoot } = systemSources()
  if (process.platform === 'linux') t.ok(Number(sinceBoot()) > 0)
  else t.equal(sinceBoot(), undefined)
})

t.test('an exchange does not follow a jump until it is confirmed', async t => {
  const test = await TestExchange.open(t)
  const { exchange } = test
  await test.create({ endAt: START + DAY })
  await test.place('asha buy 1 @ 4')
  const dated = await exchange.placeOrder(DATED)
  test.now += MINUTE
  test.jump(14 * DAY)
  exchange.advanceClock()
  await exchange.drain()
  t.equal(exchange.market(MARKET)?.progress.status, 'open')
  const order = await test.place('cora buy 1 @ 5')
  t.equal(order.createdAt, START + MINUTE, 'orders go on, in the time before the jump')
  t.match(dated, { state: 'resting' })

  t.same(await exchange.clock.confirm(OPERATOR), { aheadMs: 14 * DAY })
  await exchange.drain()
  t.equal(exchange.market(MARKET)?.progress.status, 'closed')
  t.match(dated, { state: 'cancelled' })
  t.equal(await exchange.clock.confirm(OPERATOR), 'clock_trusted')
  t.ok(exchange.moneyIsAllThere())
  const at = test.rows<{ at: number }>('SELECT at FROM journal ORDER BY sequence').map(row => row.at)
  t.same(
    at,
    [...at].sort((a, b) => a - b),
    'the time of the journal never goes back',
  )
})
