import { setTimeout as sleep } from 'node:timers/promises'
import { jetstream } from '@nats-io/jetstream'
import { Kvm } from '@nats-io/kv'
import type { Test } from 'tap'
import t from 'tap'
import type { LeaseBucket, LeaseOptions } from '../../src/replication/jetstream/jet-lease.js'
import { holderOf, JetLease, openLeaseBucket } from '../../src/replication/jetstream/jet-lease.js'
import type { Wished } from '../../src/replication/jetstream/lease-wish.js'
import { grantWish, LeaseWish, readWish } from '../../src/replication/jetstream/lease-wish.js'
import { natsPlace } from '../../src/replication/jetstream/nats-place.js'
import { openStream } from '../../src/replication/jetstream/open-stream.js'
import { Dice } from '../fixtures/dice.js'
import { SimulatedJetStream } from '../fixtures/jetstream/simulated-jetstream.js'
import type { NatsCluster } from '../fixtures/nats/nats-servers.js'
import { NO_NATS, startNats } from '../fixtures/nats/nats-servers.js'
import { VirtualProcess, VirtualTime } from '../fixtures/virtual-time.js'

t.test('who leads', { skip: NO_NATS }, async t => {
  const cluster = await startNats(t, 1)
  const lost: string[] = []
  const first = await candidate(t, cluster, 'first', lost)
  const second = await candidate(t, cluster, 'second', lost)
  const held = await first.take()

  const taking = second.take()
  t.equal(await second.waits, 'first', 'the second waits, and knows for whom')
  await held.release()
  await taking
  t.same(lost, [], 'a lease that was given up is free at once')

  const third = await candidate(t, cluster, 'third', lost)
  const later = third.take()
  t.equal(await third.waits, 'second')
  await second.connection.close()
  await later
  t.pass('a holder that is gone loses it')

  await (await candidate(t, cluster, 'third', lost)).take()
  t.pass('a holder whose answer was lost has it at once')
  t.same(lost, [])
})

async function candidate(
  t: Test,
  { url }: NatsCluster,
  holder: string,
  lost: string[],
  more: Partial<LeaseOptions> = {},
) {
  const place = { ...natsPlace(url), stream: 'x' }
  const stream = await openStream({ place, name: 'x', mode: 'async', replicas: 1, warn: () => {} })
  const [waits, waiting] = told<string>()
  const [asked, ask] = told<string>()
  const [rivalled, rival] = told<number>()
  const take = async (wish?: LeaseWish) => {
    const news = { waiting, asked: ask, rivalled: rival, lost: (other: string) => lost.push(other) }
    const lease = await JetLease.take(await openLeaseBucket(stream), {
      holder,
      ...news,
      ...more,
      ...(wish && { wish }),
    })
    t.teardown(() => lease.release())
    return lease
  }
  t.teardown(() => stream.connection.close())
  const bucket = () => new Kvm(jetstream(stream.connection)).open('x-lease')
  return { take, waits, asked, rivalled, bucket, connection: stream.connection }
}

/** Returns a promise of news, and what tells them. */
function told<News>(): readonly [Promise<News>, (news: News) => void] {
  let tell: (news: News) => void = () => {}
  const promise = new Promise<News>(resolve => {
    tell = resolve
  })
  return [promise, tell]
}

t.test('a holder that is asked to make way, and nobody in between', { skip: NO_NATS }, async t => {
  const cluster = await startNats(t, 1)
  const lost: string[] = []
  const first = await candidate(t, cluster, 'first', lost)
  const held = await first.take()
  const spare = await candidate(t, cluster, 'spare', lost)
  let isTaken = false
  const idle = spare.take().then(() => {
    isTaken = true
  })
  t.equal(await spare.waits, 'first')
  await first.rivalled
  const next = await candidate(t, cluster, 'next', lost)
  const wish = new LeaseWish()
  wish.begin()
  const taking = next.take(wish)
  t.equal(await first.asked, 'next')
  t.equal(await new Promise(resolve => wish.withdraw(resolve)), 'granted', 'it makes way already')
  await held.release()
  const taken = await taking
  t.notOk(isTaken, 'the one that asked has it, not the one that waited for longer')
  await taken.release()
  await idle
  t.same(lost, [])
})

t.test('a wish that was taken back is followed by nobody', { skip: NO_NATS }, async t => {
  const cluster = await startNats(t, 1)
  const lost: string[] = []
  const busy = await candidate(t, cluster, 'busy', lost, { asked: undefined as never })
  const held = await busy.take()
  const next = await candidate(t, cluster, 'next', lost)
  const wish = new LeaseWish()
  wish.begin()
  const taking = next.take(wish)
  const bucket = await busy.bucket()
  while ((await readWish(bucket))?.by !== 'next') await sleep(20)
  const seen = (await readWish(bucket)) as Wished
  t.equal(await new Promise(resolve => wish.withdraw(resolve)), 'withdrawn')
  t.equal(await readWish(bucket), undefined)
  await t.rejects(grantWish(bucket, seen), 'one that reads it late cannot agree')
  t.notOk(wish.isWanted)
  wish.begin()
  while ((await readWish(bucket))?.by !== 'next') await sleep(20)
  await bucket.delete('wish')
  t.equal(await new Promise(resolve => wish.withdraw(resolve)), 'unknown', 'someone may have seen it')
  const never = new LeaseWish()
  const withdrawn = new Promise(resolve => never.withdraw(resolve))
  await never.turn(bucket, 'other')
  t.equal(await withdrawn, 'withdrawn', 'one that was never said')
  await held.release()
  await taking
})

t.test('a lease that lapsed is renewed only if nobody led meanwhile', { skip: NO_NATS }, async t => {
  const cluster = await startNats(t, 1)
  const lost: string[] = []
  const events: string[] = []
  const answers = [undefined, true, false]
  const isOwnLog = async () => {
    const answer = answers.shift()
    events.push(String(answer))
    if (answer === undefined) throw new Error('the log does not answer')
    return answer
  }
  let ms = 0
  const more = { isOwnLog, clock: () => ++ms, renewed: (at: number) => events.push(`renewed ${at}`) }
  const first = await candidate(t, cluster, 'first', lost, more)
  await first.take()
  t.same(events, ['renewed 1'], 'the time is that before the request')
  const bucket = await first.bucket()
  const count = (kind: string) => events.filter(event => event.startsWith(kind)).length
  const until = async (isDone: () => boolean) => {
    while (!isDone()) await sleep(20)
  }
  await until(() => count('renewed') > 1)
  await bucket.delete('leader')
  await until(() => count('true') === 1)
  await until(() => events.at(-1)?.startsWith('renewed') === true)
  t.match(events.slice(events.indexOf('undefined')), ['undefined', 'true', /renewed/])
  await bucket.delete('leader')
  await until(() => lost.length > 0)
  t.same(lost, ['another exchange'])
  t.match(events.at(-1), 'false')
})

t.test('two processes have two names, on machines of one name, too', t => {
  t.not(holderOf('/srv/raay.db'), holderOf('/srv/raay.db'))
  t.match(holderOf('/srv/raay.db'), /.:\/srv\/raay\.db#[0-9a-f]{8}$/)
  t.end()
})

t.test('a wish that is fulfilled is not taken back, and one who tries hears so at once', async t => {
  const wish = new LeaseWish()
  wish.begin()
  await wish.fulfil({ delete: async () => undefined })
  t.equal(await new Promise(resolve => wish.withdraw(resolve)), 'granted')
})

for (const isLate of [false, true]) {
  const when = isLate ? ' and is still storing' : ''
  t.test(`a key that a server granted twice${when} has one holder`, async t => {
    const giveUp = new AbortController()
    let value: string | undefined
    // As a server does that stores the key of the second while it looks at that of the first, or soon after it:
    // in any case before what is written later.
    const bucket = {
      get: async (key: string) => {
        const stored = key === 'leader' ? value : undefined
        return stored === undefined ? null : { operation: 'PUT', revision: 2, string: () => stored }
      },
      create: async () => {
        value = isLate ? 'first' : 'second'
        return 1
      },
      put: async () => {
        value = 'second'
        return 3
      },
    } as unknown as LeaseBucket
    const waits: string[] = []
    const waiting = (holder: string) => {
      waits.push(holder)
      giveUp.abort()
    }
    const taking = JetLease.take(bucket, { holder: 'first', waiting, lost: () => {}, signal: giveUp.signal })
    await t.rejects(taking, { message: 'no longer waits for the lease' })
    t.same(waits, ['second'])
  })
}

t.test('a key that is gone once it was granted has no holder', async t => {
  let asked = 0
  let value: string | undefined
  const bucket = {
    get: async () => (value === undefined ? null : { operation: 'PUT', revision: 2, string: () => value }),
    // A server forgets it, since it was started again.
    create: async (_: string, holder: string) => {
      if (asked++ > 0) value = holder
      return 1
    },
    update: async () => 2,
    put: async () => 3,
    delete: async () => undefined,
  } as unknown as LeaseBucket
  const lease = await JetLease.take(bucket, { holder: 'first', waiting: () => {}, lost: () => {} })
  t.teardown(() => lease.release())
  t.equal(asked, 2)
})

t.test('of three that find a lease free one has it, while the servers store slowly', async t => {
  const wrong: string[] = []
  for (let seed = 1; seed <= 300; seed++) {
    const time = new VirtualTime()
    const servers = new SimulatedJetStream(time, new Dice(seed))
    servers.storesWithinMs = 20
    const leading: string[] = []
    const uninstall = time.install()
    for (const holder of ['a', 'b', 'c']) {
      const process = new VirtualProcess(holder)
      const { bucket } = servers.connect(process)
      const options = { holder, waiting: () => {}, lost: () => {}, clock: () => time.now }
      time.after(1, process, () => void JetLease.take(bucket, options).then(() => leading.push(holder)))
    }
    // Less than until the first renewal.
    await time.until(time.now + 300)
    uninstall()
    if (leading.length !== 1) wrong.push(`seed ${seed}: ${leading}`)
  }
  t.same(wrong, [])
})
