import t from 'tap'
import { NO_NATS, startNats } from '../fixtures/nats/nats-servers.js'
import { ReplicatedLoad, spawnReplicated, spawnStandby } from '../fixtures/nats/replicated-load.js'

t.test('a standby takes over from an exchange that is killed under load', { skip: NO_NATS }, async t => {
  const cluster = await startNats(t, 3)
  const leader = await spawnReplicated(t, cluster)
  const event = await leader.client.createEvent()
  const load = new ReplicatedLoad(leader.url, event)
  load.start()
  t.teardown(() => load.stop())
  await load.answers(40)
  const standby = await spawnStandby(t, cluster)
  await load.answers(60)
  load.takeLongestStall()
  await leader.kill('SIGKILL')
  load.moveTo(standby.url)
  await load.answers(40)
  t.comment(`longest stall ${load.takeLongestStall()} ms`)
  t.match(standby.stderr(), /this exchange leads now/)

  // The one that was killed follows, and an operator makes it lead again.
  const again = await spawnStandby(t, cluster, leader.data)
  load.takeLongestStall()
  const promoting = again.client.post('/admin/promote', {})
  t.equal(await standby.ended, 0, 'the one that led has finished its work')
  load.moveTo(again.url)
  t.match(await promoting, { status: 200 })
  await load.answers(40)
  t.comment(`longest stall ${load.takeLongestStall()} ms`)
  await load.stop()
  t.same(await load.check(), [], 'nothing answered is lost or doubled')
  t.equal(await again.kill('SIGTERM'), 0)
})
