import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { readOperatorKey } from '../../src/access/operator-key.js'
import { openReadOnly } from '../../src/store/database.js'
import { Dice, seedOfEnvironment } from '../fixtures/dice.js'
import { quantile, thousands } from './figures.js'
import { orderBodies } from './orders.js'
import { pacedLoad } from './paced-load.js'
import { CROWDED, Population, QUIET } from './populate.js'
import type { ServerChild } from './server-child.js'
import { startRaayOn } from './server-child.js'

const HOLDERS = Number(process.env.HOLDERS ?? 200_000)
const KILLS = 20
/** Spreads the kills over the whole payout, at the measured 12,000 positions a second. */
const PAUSE_MAX_MS = Math.ceil((2 * HOLDERS) / 12 / KILLS)
const ORDERS_PER_SECOND = 500
const QUIET_SECONDS = 6

/**
 * Measures the payout of a market with 200,000 positions while another one trades: its duration, its
 * effect on the other market's orders, and whether every unit is right; then again with the server
 * killed at random points.
 */
export async function benchSettlement(): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'raay-bench-'))
  const [calm, killed] = [join(directory, 'calm'), join(directory, 'killed')]
  try {
    await populate(calm)
    cpSync(calm, killed, { recursive: true })
    await settleUnderLoad(calm)
    const expected = checkPaid(calm)
    await settleUnderKills(killed)
    const actual = checkPaid(killed)
    if (actual !== expected) throw new Error('the settlement that was killed ended otherwise')
    console.log('  the same result, balance for balance')
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

async function populate(data: string): Promise<void> {
  const start = performance.now()
  mkdirSync(data)
  const population = new Population(join(data, 'raay.db'))
  await population.begin()
  await population.holders(HOLDERS)
  await population.close()
  console.log(`Settlement of ${thousands(HOLDERS)} positions (made in ${seconds(start)} s)`)
}

async function settleUnderLoad(data: string): Promise<void> {
  const server = await startRaayOn(data)
  try {
    const bodies = orderBodies(5000, [String(QUIET)])
    const load = (duration: number) => pacedLoad(server.url, bodies, ORDERS_PER_SECOND, duration)
    await load(QUIET_SECONDS)
    const before = await load(QUIET_SECONDS)
    await close(server)
    const start = performance.now()
    await resolve(server)
    let isPaying = true
    const paid = waitUntilSettled(server).then(() => {
      isPaying = false
    })
    const during: number[] = []
    while (isPaying) during.push(...(await load(2)))
    await paid
    const took = (performance.now() - start) / 1000
    during.sort((a, b) => a - b)
    const after = await load(QUIET_SECONDS)
    console.log(`  paid in ${took.toFixed(1)} s, ${thousands(HOLDERS / took)} positions/s`)
    for (const [name, latencies] of Object.entries({ before, during, after })) {
      const [p50, p99] = [quantile(latencies, 0.5), quantile(latencies, 0.99)]
      console.log(`  other market ${name.padEnd(7)} p50 ${p50.toFixed(1)} ms   p99 ${p99.toFixed(1)} ms`)
    }
    console.log(`  p99 ratio ${(quantile(during, 0.99) / quantile(before, 0.99)).toFixed(2)}`)
  } finally {
    await server.stop()
  }
}

async function settleUnderKills(data: string): Promise<void> {
  const dice = new Dice(seedOfEnvironment())
  let server = await startRaayOn(data)
  await close(server)
  await resolve(server)
  const settled: number[] = []
  for (let kill = 0; kill < KILLS; kill++) {
    await sleep(dice.between(0, PAUSE_MAX_MS))
    await server.kill()
    settled.push(settledCount(data))
    server = await startRaayOn(data)
  }
  await waitUntilSettled(server)
  await server.stop()
  console.log(
    `  killed ${KILLS} times, seed ${dice.seed}, after ${settled.map(thousands).join(', ')} positions`,
  )
}

function settledCount(data: string): number {
  const database = openReadOnly(join(data, 'raay.db'))
  const count = database.prepare<[], number>('SELECT count(*) FROM settlements').pluck().get() ?? 0
  database.close()
  return count
}

/** Checks every balance against what its owner bought; returns all of them as one text. */
function checkPaid(data: string): string {
  const database = openReadOnly(join(data, 'raay.db'))
  const one = <Row>(sql: string) => database.prepare<[], Row>(sql).pluck().get()
  const wrong = one<number>(`SELECT count(*) FROM settlements s LEFT JOIN
    (SELECT account, count(*) AS lines, sum(change) AS paid FROM entries
     WHERE kind = 'settlement' AND market = ${CROWDED} GROUP BY account) e ON e.account = s.account
    WHERE s.market = ${CROWDED} AND
    (payment <> yes * 1000 OR ifnull(e.lines, 0) <> (payment > 0) OR ifnull(e.paid, 0) <> payment)`)
  const left = one<number>(`SELECT count(*) FROM positions WHERE market = ${CROWDED} AND yes + no > 0`)
  const rows = one<number>(`SELECT count(*) FROM settlements WHERE market = ${CROWDED}`)
  const sum = one<number>('SELECT sum(cash) FROM accounts')
  if (wrong !== 0 || left !== 0 || sum !== 0 || rows !== HOLDERS) {
    throw new Error(`settled wrongly: ${wrong} payments, ${left} left, ${rows} rows, sum ${sum}`)
  }
  const text = one<string>(
    `SELECT group_concat(account || ':' || yes || ':' || no || ':' || payment) FROM settlements
     WHERE market = ${CROWDED} ORDER BY account`,
  )
  database.close()
  console.log(`  ${thousands(rows)} settlements, each exact to the unit; all cash sums to ${sum}`)
  return text ?? ''
}

const close = (server: ServerChild) => post(server, 'close', '')
const resolve = (server: ServerChild) => post(server, 'resolve', JSON.stringify({ outcome: 'yes' }))

async function post(server: ServerChild, verb: string, body: string): Promise<void> {
  const answer = await fetch(`${server.url}/events/${CROWDED}/${verb}`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${readOperatorKey(server.data ?? '')}` },
    body,
  })
  if (answer.status !== 200) throw new Error(`${verb} was answered ${await answer.text()}`)
}

async function waitUntilSettled(server: ServerChild): Promise<void> {
  for (;;) {
    const answer = await fetch(`${server.url}/events/${CROWDED}`)
    const { additional } = (await answer.json()) as { additional: { status: string } }
    if (additional.status === 'settled') return
    await sleep(200)
  }
}

const seconds = (start: number) => ((performance.now() - start) / 1000).toFixed(1)

if (process.argv[1] === fileURLToPath(import.meta.url)) await benchSettlement()
