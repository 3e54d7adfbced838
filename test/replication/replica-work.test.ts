import type { Test } from 'tap'
import t from 'tap'
import type { Sequence } from '../../src/core/units.js'
import { LeaseWatch, sharedClock } from '../../src/replication/lease-watch.js'
import type { ReplicaNews, ReplicationSettings } from '../../src/replication/replica-messages.js'
import { Replica } from '../../src/replication/replica.js'
import { rowOf } from '../../src/replication/jetstream/line-message.js'
import { Dice } from '../fixtures/dice.js'
import { SimulatedExchange } from '../fixtures/jetstream/simulated-exchange.js'
import { SimulatedJetStream } from '../fixtures/jetstream/simulated-jetstream.js'
import { VirtualTime } from '../fixtures/virtual-time.js'

/** Machines with one log on servers that answer, and an order to the one that leads every 5 ms. */
function machines(t: Test, ...names: string[]) {
  const time = new VirtualTime()
  const dice = new Dice(1)
  t.teardown(time.install())
  const jetstream = new SimulatedJetStream(time, dice)
  const answered: string[] = []
  const ended: string[] = []
  const exchanges = names.map(
    name =>
      new SimulatedExchange({
        ...{ name, time, dice, jetstream, mode: 'async', fault: undefined },
        answers: (_, order) => answered.push(order),
        leads: () => undefined,
        ended: (by, __, error) => ended.push(`${by.name}: ${error?.message}`),
      }),
  )
  t.teardown(() => {
    for (const { process } of exchanges) process.isDead = true
  })
  const pass = (ms: number) => time.until(time.now + ms)
  const orders = { sent: 0, everyMs: 5, areSent: true }
  const order = () => {
    for (const exchange of orders.areSent ? exchanges : []) {
      time.within(exchange.process, () => exchange.order(`order-${++orders.sent}`))
    }
    time.after(orders.everyMs, undefined, order)
  }
  order()
  return { exchanges, time, jetstream, pass, answered, ended, orders }
}

t.test('a standby leads behind a leader that goes on until it hears that the lease is taken', async t => {
  const { exchanges, jetstream, pass, ended } = machines(t, 'a', 'b')
  const [a, b] = exchanges as [SimulatedExchange, SimulatedExchange]
  a.start('leader')
  await pass(2000)
  b.start('standby')
  await pass(2000)
  t.ok(b.follows)

  // As a bucket in memory forgets it when its servers are started again.
  for (let times = 0; times < 20 && !b.leads; times++) {
    if (a.process.isDead) a.start('standby')
    jetstream.forgetKeys()
    await pass(3000 + times * 37)
  }
  t.ok(b.leads)
  t.same(
    ended.filter(text => text.startsWith('b')),
    [],
    'the standby did not end',
  )
  const kinds = jetstream.lines.map(({ headers, data }) => rowOf(headers, data).commands.includes('epoch'))
  t.equal(kinds.filter(Boolean).length, 1)
  t.ok(kinds.lastIndexOf(true) < kinds.length - 1, 'orders follow the line that begins its time')
})

t.test('a standby that has taken all lines says so, although no other one comes', async t => {
  const { exchanges, jetstream, pass, orders } = machines(t, 'a', 'b')
  const [a, b] = exchanges as [SimulatedExchange, SimulatedExchange]
  a.start('leader')
  await pass(2000)
  orders.areSent = false
  await pass(1000)
  b.start('standby')
  await pass(1000)
  t.ok(b.follows)
  t.same([...jetstream.marks.values()], [0], 'nothing is deleted while it takes them')
  await pass(60_000)
  t.same([...jetstream.marks.values()], [jetstream.lines.length])
})

t.test('a standby takes over from one that was killed without a wait of its own', async t => {
  const { exchanges, time, pass } = machines(t, 'a', 'b')
  const [a, b] = exchanges as [SimulatedExchange, SimulatedExchange]
  a.start('leader')
  await pass(2000)
  b.start('standby')
  await pass(2000)
  a.process.isDead = true
  const killedAt = time.now
  await time.until(killedAt + 10_000, () => b.leads)
  t.ok(time.now - killedAt <= 2000 + 250 + 50, 'the lease, until it asks, and some requests')
})

t.test('one that makes way is followed without a pause', async t => {
  const { exchanges, time, pass } = machines(t, 'a', 'b')
  const [a, b] = exchanges as [SimulatedExchange, SimulatedExchange]
  a.start('leader')
  await pass(2000)
  b.start('standby')
  await pass(2000)
  b.ask()
  await time.until(time.now + 10_000, () => a.process.isDead)
  const releasedAt = time.now
  await time.until(time.now + 10_000, () => b.leads)
  t.ok(time.now - releasedAt <= 250 + 100, `${time.now - releasedAt} ms`)
})

t.test('one that has agreed to make way, and goes on without its lease, is waited for', async t => {
  for (let ms = 0; ms < 1000; ms += 100) {
    const { exchanges, jetstream, pass, ended } = machines(t, 'a', 'b')
    const [a, b] = exchanges as [SimulatedExchange, SimulatedExchange]
    a.start('leader')
    await pass(2000)
    b.start('standby')
    await pass(2000)
    b.ask()
    await pass(ms)
    jetstream.forgetKeys()
    await pass(4000)
    const leading = [a, b].filter(({ leads, process }) => leads && !process.isDead)
    t.equal(leading.length, 1, `after ${ms} ms one leads`)
    t.notOk(ended.some(text => text.startsWith('b')))
  }
})

t.test('a start that waited for the lease of another machine counts that one as a rival', async t => {
  const { exchanges, jetstream, time, pass, answered } = machines(t, 'a', 'b')
  const [a, b] = exchanges as [SimulatedExchange, SimulatedExchange]
  a.start('leader')
  await pass(2000)
  b.start('leader')
  await pass(1000)
  t.notOk(b.leads)
  a.process.pausedUntil = time.now + 60_000
  await pass(4000)
  t.ok(b.leads)
  jetstream.isDown = true
  await pass(2000)
  answered.length = 0
  await pass(2000)
  t.same(answered, [], 'it answers nothing while that one may lead')
})

t.test('a start after its own crash has no rival', async t => {
  const { exchanges, jetstream, pass, answered } = machines(t, 'a')
  const [a] = exchanges as [SimulatedExchange]
  a.start('leader')
  await pass(2000)
  a.process.isDead = true
  a.start('leader')
  await pass(4000)
  t.ok(a.leads)
  jetstream.isDown = true
  await pass(2000)
  answered.length = 0
  await pass(2000)
  t.ok(answered.length > 0, 'in async it answers from its own disk')
})

t.test(
  'a start that slept before it led has every line of the one that led meanwhile, or does not lead',
  async t => {
    const { exchanges, time, pass, orders, jetstream } = machines(t, 'a', 'b')
    const [a, b] = exchanges as [SimulatedExchange, SimulatedExchange]
    a.start('leader')
    await pass(2000)
    orders.everyMs = 200
    for (let ms = 1; ms < 40; ms += 3) {
      orders.areSent = false
      await pass(500)
      a.process.isDead = true
      await pass(3000)
      a.start('leader')
      await pass(ms)
      // Somewhere between its lease and its first line.
      a.process.pausedUntil = time.now + 9000
      b.start('leader')
      orders.areSent = true
      await pass(4900)
      t.ok(b.leads, `paused after ${ms} ms`)
      orders.areSent = false
      b.process.isDead = true
      await pass(7000)
      t.ok(
        !a.leads || a.process.isDead || a.rows.length === jetstream.lines.length,
        'it leads with every line, or not at all',
      )
    }
  },
)

t.test(
  'an answer that waits since the machine slept is given at the next renewal, and not before',
  async t => {
    let hear: (news: ReplicaNews) => void = () => undefined
    let memory = new SharedArrayBuffer(0)
    let wall = 1_000_000
    const opening = Replica.open(
      {
        ...{
          file: '',
          keepMs: 0,
          warn: () => undefined,
          fail: error => t.fail(error.message),
          now: () => wall,
        },
        settings: { mode: 'async' } as ReplicationSettings,
      },
      ({ lease }) => {
        memory = lease
        return {
          postMessage: () => undefined,
          on: (event: string, listener: (news: never) => void) => {
            if (event === 'message') hear = listener as (news: ReplicaNews) => void
          },
          terminate: () => undefined,
        }
      },
    )
    hear({ kind: 'ready', held: 0 as Sequence, pulled: 0, orphans: 0 })
    const replica = await opening
    const watch = new LeaseWatch({ memory })
    watch.noteRenewed(sharedClock())
    watch.noteRival(sharedClock())
    t.notOk(replica.isCutOff)
    wall += 60_000
    t.ok(replica.isCutOff, 'it slept')
    let isAnswered = false
    const waiting = replica.whenHeld(1 as Sequence)?.then(() => {
      isAnswered = true
    })
    hear({ kind: 'renewed' })
    await new Promise(setImmediate)
    t.notOk(isAnswered, 'the renewal was from before')
    await new Promise(resolve => setTimeout(resolve, 2))
    watch.noteRenewed(sharedClock() + 1)
    hear({ kind: 'renewed' })
    await waiting
    t.ok(isAnswered)
  },
)
