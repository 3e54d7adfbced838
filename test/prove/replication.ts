import { join } from 'node:path'
import { natsPlace } from '../../src/replication/jetstream/nats-place.js'
import { connectTo } from '../../src/replication/jetstream/open-stream.js'
import { openReadOnly } from '../../src/store/database.js'
import { TABLES_FILE } from '../../src/store/files/journal-path.js'
import type { NatsCluster, NatsServer } from '../fixtures/nats/nats-servers.js'
import { NO_NATS, startNats } from '../fixtures/nats/nats-servers.js'
import { pause, ReplicatedLoad, spawnReplicated, spawnStandby } from '../fixtures/nats/replicated-load.js'
import type { SpawnedServer } from '../fixtures/server-process.js'
import type { Teardown } from '../fixtures/server/server-directory.js'

const ORDERS_BETWEEN = 200
/** Longer than NATS takes to elect another leader of a stream. */
const PAUSE_MS = 10_000
const DOWN_MS = 3000
const STOPPED_BY_FAULT = 70

/** A cluster, an exchange and the orders under way. */
interface World {
  readonly t: Teardown
  readonly cluster: NatsCluster
  readonly load: ReplicatedLoad
  leader: SpawnedServer
  readonly wrong: string[]
}

/** A failure under load, from which orders recover before it ends. */
type Failure = readonly [name: string, fail: (world: World) => Promise<void>]

const FAILURES: readonly Failure[] = [
  ['exchange killed, another started', killExchange],
  ['exchange killed, its standby takes over', killFollowed],
  ['its standby is promoted', promoteStandby],
  ['exchange paused, its standby takes over, the first resumed', pauseExchange],
  ['leader of the stream killed', async ({ cluster }) => kill([await leaderOf(cluster)])],
  [`leader of the stream paused for ${PAUSE_MS / 1000} s`, pauseLeader],
  [`two of three servers killed for ${DOWN_MS / 1000} s`, ({ cluster }) => kill(cluster.servers.slice(0, 2))],
  [`two of three servers paused for ${PAUSE_MS / 1000} s`, pauseTwo],
]

/**
 * Plays each failure in turn while clients send named orders to a replicated exchange. Then another machine
 * takes the journal from the log, and every answered order must be there once. Says the longest time without
 * an answer.
 */
export async function proveReplication(rounds: number, say: (line: string) => unknown): Promise<boolean> {
  if (NO_NATS !== false) {
    say(`skipped: ${NO_NATS}`)
    return true
  }
  const stalls = new Map<string, number[]>()
  let [answered, faults] = [0, 0]
  for (let round = 1; round <= rounds; round++) {
    const ends: (() => unknown)[] = []
    const t: Teardown = { teardown: end => ends.unshift(end) }
    try {
      const { wrong, orders } = await playRound(t, stalls)
      for (const line of wrong) say(`round ${round}: ${line}`)
      answered += orders
      faults += wrong.length
    } finally {
      for (const end of ends) await end()
    }
    say(`round ${round}: ${answered} orders answered, ${faults} lost, doubled or wrong`)
  }
  for (const [name, all] of stalls) {
    say(`${name}: longest stall ${all.map(ms => (ms / 1000).toFixed(1)).join(', ')} s`)
  }
  return faults === 0
}

async function playRound(t: Teardown, stalls: Map<string, number[]>) {
  const cluster = await startNats(t, 3)
  const leader = await spawnReplicated(t, cluster)
  const load = new ReplicatedLoad(leader.url, await leader.client.createEvent())
  const world: World = { t, cluster, load, leader, wrong: [] }
  load.start()
  await load.answers(ORDERS_BETWEEN)
  for (const [name, fail] of FAILURES) {
    load.takeLongestStall()
    await fail(world)
    await load.answers(ORDERS_BETWEEN)
    stalls.set(name, [...(stalls.get(name) ?? []), load.takeLongestStall()])
  }
  await load.stop()
  await world.leader.kill('SIGKILL')
  const last = await spawnReplicated(t, cluster)
  load.moveTo(last.url)
  const wrong = [...world.wrong, ...(await load.check())]
  const end = await last.kill('SIGTERM')
  if (end !== 0) wrong.push(`the last exchange ended with ${end}: ${last.stderr()}`)
  return { wrong: [...wrong, ...doubled(last.data)], orders: load.answered.size }
}

/** Returns the names that have two orders. */
function doubled(data: string): string[] {
  const database = openReadOnly(join(data, TABLES_FILE))
  const names = database
    .prepare<[], string>('SELECT client_key FROM orders GROUP BY client_key HAVING count(*) > 1')
    .pluck()
    .all()
  database.close()
  return names.map(name => `${name} is twice in the tables`)
}

async function killExchange(world: World): Promise<void> {
  await world.leader.kill('SIGKILL')
  moveTo(world, await spawnReplicated(world.t, world.cluster))
}

async function killFollowed(world: World): Promise<void> {
  const standby = await warmStandby(world)
  await world.leader.kill('SIGKILL')
  moveTo(world, standby)
}

/** Lets the standby ask for the lease: the exchange that leads must finish its work. */
async function promoteStandby(world: World): Promise<void> {
  const { leader } = world
  const standby = await warmStandby(world)
  const promoting = standby.client.post('/admin/promote', {})
  const end = await leader.ended
  if (end !== 0) world.wrong.push(`the exchange that made way ended with ${end}: ${leader.stderr()}`)
  moveTo(world, standby)
  const { status, body } = await promoting
  if (status !== 200) world.wrong.push(`the promotion was answered ${status}: ${body.message}`)
}

/** Lets another exchange lead while the first one is paused: resumed, the first must stop. */
async function pauseExchange(world: World): Promise<void> {
  const { leader } = world
  const standby = await warmStandby(world)
  process.kill(leader.pid, 'SIGSTOP')
  moveTo(world, standby)
  await world.load.answers(ORDERS_BETWEEN)
  process.kill(leader.pid, 'SIGCONT')
  // What it had under way is refused; if it had nothing, an order finds out.
  const late = leader.client.placeOrder('1000000', { client_order_id: 'late' }).catch(String)
  const order = leader.client.createEvent().catch(String)
  const end = await leader.ended
  if (end !== STOPPED_BY_FAULT) world.wrong.push(`the paused exchange ended with ${end}: ${leader.stderr()}`)
  for (const answer of [await late, await order]) {
    if (/^\d/.test(answer)) world.wrong.push(`the paused exchange answered ${answer}`)
  }
}

/** Starts a standby; the time until it follows counts for no failure. */
async function warmStandby({ t, cluster, load }: World): Promise<SpawnedServer> {
  const standby = await spawnStandby(t, cluster)
  await load.answers(ORDERS_BETWEEN)
  load.takeLongestStall()
  return standby
}

function moveTo(world: World, leader: SpawnedServer): void {
  world.leader = leader
  world.load.moveTo(leader.url)
}

async function kill(servers: readonly NatsServer[]): Promise<void> {
  await Promise.all(servers.map(server => server.signal('SIGKILL')))
  await pause(DOWN_MS)
  await Promise.all(servers.map(server => server.start()))
}

async function pauseLeader({ cluster }: World): Promise<void> {
  await pauseServers([await leaderOf(cluster)])
}

async function pauseTwo({ cluster }: World): Promise<void> {
  await pauseServers(cluster.servers.slice(1))
}

async function pauseServers(servers: readonly NatsServer[]): Promise<void> {
  await Promise.all(servers.map(server => server.signal('SIGSTOP')))
  await pause(PAUSE_MS)
  await Promise.all(servers.map(server => server.signal('SIGCONT')))
}

/** Returns the server that leads the stream. */
async function leaderOf({ url, servers }: NatsCluster): Promise<NatsServer> {
  const connection = await connectTo({ place: natsPlace(url) })
  try {
    for (;;) {
      const answer = await connection.request('$JS.API.STREAM.INFO.orders').catch(() => undefined)
      const info = answer?.json<{ readonly cluster?: { readonly leader?: string } }>()
      const leader = servers.find(({ name }) => name === info?.cluster?.leader)
      if (leader !== undefined) return leader
      await pause(100)
    }
  } finally {
    await connection.close()
  }
}
