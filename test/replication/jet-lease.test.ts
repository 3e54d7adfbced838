import t from 'tap'
import type { Test } from 'tap'
import { JetLease } from '../../src/replication/jetstream/jet-lease.js'
import { natsPlace } from '../../src/replication/jetstream/nats-place.js'
import { openStream } from '../../src/replication/jetstream/open-stream.js'
import type { NatsCluster } from '../fixtures/nats/nats-servers.js'
import { NO_NATS, startNats } from '../fixtures/nats/nats-servers.js'

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
  t.pass('a holder that was started again has it at once')
  t.same(lost, [])
})

async function candidate(t: Test, { url }: NatsCluster, holder: string, lost: string[]) {
  const place = { ...natsPlace(url), stream: 'x' }
  const stream = await openStream({ place, name: 'x', mode: 'async', replicas: 1, warn: () => {} })
  let waiting: (holder: string) => void = () => {}
  const waits = new Promise<string>(resolve => {
    waiting = resolve
  })
  let ask: (by: string) => void = () => {}
  const asked = new Promise<string>(resolve => {
    ask = resolve
  })
  const take = async (isWanted = false) => {
    const told = { waiting, asked: ask, lost: (other: string) => lost.push(other) }
    const lease = await JetLease.take(stream, { holder, ...told, isWanted: () => isWanted })
    t.teardown(() => lease.release())
    return lease
  }
  t.teardown(() => stream.connection.close())
  return { take, waits, asked, connection: stream.connection }
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
  const next = await candidate(t, cluster, 'next', lost)
  const taking = next.take(true)
  t.equal(await first.asked, 'next')
  await held.release()
  const taken = await taking
  t.notOk(isTaken, 'the one that asked has it, not the one that waited for longer')
  await taken.release()
  await idle
  t.same(lost, [])
})
