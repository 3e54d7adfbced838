import t from 'tap'
import { ReadLane } from '../../src/exchange/reads/read-lane.js'
import { ReadLanes } from '../../src/exchange/reads/read-lanes.js'
import { TestExchange } from '../fixtures/test-exchange.js'

const LIMITS = { runningMax: 2, waitingMax: 3, ownWaitingMax: 3, waitMsMax: 10 }

/** Makes a lane whose reads end when the test ends them, with its clock. */
function openLane(changes: Partial<typeof LIMITS> = {}) {
  const world = { now: 0, started: [] as string[], ends: [] as (() => void)[] }
  const lane = new ReadLane({ ...LIMITS, ...changes }, () => world.now)
  const ask = (name: string) => askAs('asha', name)
  const askAs = (owner: string, name: string) =>
    lane.run(owner, () => {
      world.started.push(name)
      return new Promise<string>(resolve => world.ends.push(() => resolve(name)))
    })
  return { world, lane, ask, askAs }
}

const passOn = () => new Promise(resolve => setImmediate(resolve))

t.test('reads a few at a time, in request order', async t => {
  const { world, lane, ask } = openLane()
  const answers = ['a', 'b', 'c', 'd'].map(ask)
  t.same(world.started, ['a', 'b'])
  t.same(lane.load, { running: 2, waiting: 2, refused: 0 })
  world.ends[1]?.()
  await passOn()
  t.same(world.started, ['a', 'b', 'c'])
  for (let end = 0; end < 4; end++) {
    world.ends[end]?.()
    await passOn()
  }
  t.same(await Promise.all(answers), ['a', 'b', 'c', 'd'])
  t.same(lane.load, { running: 0, waiting: 0, refused: 0 })
})

t.test('refuses at once when full, and accepts again when a place is free', async t => {
  const { world, lane, ask } = openLane()
  const answers = ['a', 'b', 'c', 'd', 'e'].map(ask)
  t.equal(await ask('f'), 'reads_full')
  t.ok(lane.turnsAway(), 'it reports being full in advance')
  t.same(lane.load, { running: 2, waiting: 3, refused: 2 })
  world.ends[0]?.()
  await passOn()
  t.notOk(lane.turnsAway())
  t.ok(lane.turnsAway(1), 'and behind those that have not come yet')
  const late = ask('g')
  for (let end = 0; end < 6; end++) {
    world.ends[end]?.()
    await passOn()
  }
  t.same(await Promise.all([...answers, late]), ['a', 'b', 'c', 'd', 'e', 'g'])
  t.notOk(world.started.includes('f'), 'a refused read never runs')
})

t.test('one owner neither fills the lane nor delays the reads of another', async t => {
  const { world, lane, ask, askAs } = openLane({ waitingMax: 6, ownWaitingMax: 4 })
  const asha = ['a1', 'a2', 'a3', 'a4', 'a5', 'a6'].map(ask)
  t.equal(await ask('a7'), 'reads_full', 'what is left belongs to others')
  t.notOk(lane.turnsAway())
  const ben = ['b1', 'b2'].map(name => askAs('ben', name))
  t.equal(await askAs('cleo', 'c1'), 'reads_full', 'until it is full')
  for (let end = 0; end < 8; end++) {
    world.ends[end]?.()
    await passOn()
  }
  t.same(world.started, ['a1', 'a2', 'a3', 'b1', 'a4', 'b2', 'a5', 'a6'])
  t.same(await Promise.all([...asha, ...ben]), ['a1', 'a2', 'a3', 'a4', 'a5', 'a6', 'b1', 'b2'])
  t.same(lane.load, { running: 0, waiting: 0, refused: 2 })
})

t.test('refuses the late reads of every owner, and no others', async t => {
  const { world, lane, ask, askAs } = openLane()
  const running = ['a', 'b'].map(ask)
  const late = [ask('c'), askAs('ben', 'd')]
  world.now = 9
  const fresh = askAs('ben', 'e')
  world.now = 10
  lane.refuseLate()
  t.same(await Promise.all(late), ['read_late', 'read_late'])
  for (let end = 0; end < 3; end++) {
    world.ends[end]?.()
    await passOn()
  }
  t.same(await Promise.all([...running, fresh]), ['a', 'b', 'e'])
})

t.test('refuses reads that waited too long, and runs later ones', async t => {
  const { world, lane, ask } = openLane()
  const running = ['a', 'b'].map(ask)
  const early = ask('c')
  world.now = 9
  const late = ask('d')
  lane.refuseLate()
  t.equal(lane.load.waiting, 2, 'neither has waited too long')
  world.now = 10
  lane.refuseLate()
  t.equal(await early, 'read_late')
  world.now = 18
  world.ends[0]?.()
  await passOn()
  t.same(world.started, ['a', 'b', 'd'])
  world.ends[1]?.()
  world.ends[2]?.()
  t.same(await Promise.all([...running, late]), ['a', 'b', 'd'])
  t.same(lane.load, { running: 0, waiting: 0, refused: 1 })
})

t.test('a free place never goes to an expired request', async t => {
  const { world, ask } = openLane()
  const running = ['a', 'b'].map(ask)
  const waiting = ask('c')
  world.now = 10
  for (const end of world.ends) end()
  t.equal(await waiting, 'read_late')
  t.same(await Promise.all(running), ['a', 'b'])
  t.same(world.started, ['a', 'b'])
})

t.test('a failing read frees its place, and rejects with the error', async t => {
  const { lane } = openLane()
  const failing = () => lane.run('asha', () => Promise.reject(new Error('broken')))
  const results = await Promise.allSettled([failing(), failing(), failing(), failing()])
  t.same(
    results.map(({ status }) => status),
    ['rejected', 'rejected', 'rejected', 'rejected'],
  )
  t.same(lane.load, { running: 0, waiting: 0, refused: 0 })
})

t.test('a flood of page reads delays nothing else, and private channels are never refused', async t => {
  const lanes = new ReadLanes(() => 0)
  const never = () => new Promise<never>(() => {})
  const pages = Array.from({ length: 1500 }, (_, code) => lanes.run('trades', [code], never))
  t.same(lanes.loads().pages, { running: 2, waiting: 250, refused: 0 })
  t.equal(await Promise.race(pages), 'reads_full')
  t.equal(lanes.loads().pages.refused, 1248)
  t.same(await lanes.run('users', [], async () => []), [], "the operator's lane is free")
  t.same(await lanes.run('userMessages', [1], async () => []), [])

  for (let i = 0; i < 5000; i++) void lanes.run('userMessages', [1], never)
  t.same(lanes.loads().feeds, { running: 2, waiting: 4998, refused: 0 })
  lanes.refuseLate()
  t.equal(lanes.loads().feeds.waiting, 4998)
})

t.test('a lane that closes refuses what waits and what comes, and lets what runs end', async t => {
  const { world, lane, ask } = openLane()
  const answers = ['a', 'b', 'c', 'd'].map(ask)
  lane.close()
  t.same(await Promise.all(answers.slice(2)), ['read_late', 'read_late'])
  t.equal(await ask('e'), 'reads_full')
  for (const end of world.ends) end()
  t.same(await Promise.all(answers.slice(0, 2)), ['a', 'b'])
  t.same(world.started, ['a', 'b'])
})

t.test('an exchange that stops while reads wait fails none of them', async t => {
  const test = await TestExchange.open(t, { threads: true })
  await test.create()
  const { archive } = test.exchange
  const reads = Array.from({ length: 60 }, () => archive.search('rain', { after: 0 }))
  const closed = test.close()
  const late = Array.from({ length: 5 }, () =>
    archive.users({ sort: 'created', isDescending: false }, undefined, 1),
  )
  const ends = await Promise.allSettled([...reads, ...late])
  t.same(
    ends.filter(({ status }) => status === 'rejected'),
    [],
  )
  await closed
  t.same(await archive.search('rain', { after: 0 }), 'reads_full', 'nor one that comes later')
})
