import { cpSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pino from 'pino'
import type { Test } from 'tap'
import t from 'tap'
import { readOperatorKey } from '../../src/access/operator-key.js'
import { newKeys } from '../../src/backup/encryption/age-keys.js'
import type { StoreSettings } from '../../src/backup/stores/open-store.js'
import { readConfig } from '../../src/server/config/config.js'
import { startServer } from '../../src/server/server.js'
import { ServerClient } from '../fixtures/server/server-client.js'
import { roomyDirectory } from '../fixtures/server/server-directory.js'

const KEYS = await newKeys()
const inDirectory = (directory: string): StoreSettings => ({
  directory,
  s3: undefined,
  recipients: [KEYS.recipient],
})

/** A server beside an encrypted replica, which leads or follows; `failed` resolves to why it must stop. */
async function started(t: Test, place: string, follows: boolean, data = roomyDirectory(t)) {
  let fail: (error: Error) => void = () => undefined
  const failed = new Promise<Error>(resolve => {
    fail = resolve
  })
  const settings = readConfig({ port: '0', shards: '2', 'rate-limits': 'off' }, {})
  const config = { ...settings, data, replica: inDirectory(place) }
  const log = pino({ level: 'silent' })
  const standby = follows ? { standby: { identities: [KEYS.identity] } } : {}
  const server = await startServer({ config, version: '0.0.0-test', log, fail, ...standby })
  let closing: Promise<void> | undefined
  const close = () => {
    closing ??= server.close()
    return closing
  }
  t.teardown(close)
  const client = new ServerClient(server.url, readOperatorKey(data))
  const { exchange } = server
  return { server, client, exchange, data, failed, close }
}

type Running = Awaited<ReturnType<typeof started>>

async function trade({ client }: Running, event: string, orders: number): Promise<void> {
  for (let count = 0; count < orders; count++) {
    const offer = { userid: count % 2 === 0 ? 'asha' : 'ben', price: 5, l1_order_quantity: 1 }
    await client.placeOrder(event, { ...offer, offer_type: 'buy', outcome: count % 2 ? 'yes' : 'no' })
  }
}

/** Waits until a standby has all batches of another exchange. */
async function caughtUp({ exchange }: Running, leader: Running): Promise<void> {
  while (exchange.sequence < leader.exchange.sequence) await sleep(20)
}

const promote = ({ client }: Running) => client.post('/admin/promote', {})

t.test(
  'a standby of an encrypted directory follows, refuses writes, and leads once it is promoted',
  async t => {
    const place = roomyDirectory(t)
    const leader = await started(t, place, false)
    const event = await leader.client.createEvent()
    await trade(leader, event, 10)
    while (readdirSync(place).filter(name => /^raay-2.*\.json$/.test(name)).length === 0) await sleep(20)
    const standby = await started(t, place, true)
    t.notOk(standby.exchange.leads)
    await trade(leader, event, 4)
    await caughtUp(standby, leader)
    const bookOf = async ({ client }: Running) =>
      (await client.get(`/events/${event}/orderbook`)).body.additional
    t.same(await bookOf(standby), await bookOf(leader))
    t.equal((await standby.client.post(`/events/${event}/halt`, {})).status, 503)

    t.match(await promote(standby), {
      status: 200,
      body: { additional: { sequence: standby.exchange.sequence } },
    })
    t.ok(standby.exchange.leads)
    await trade(standby, event, 2)
    t.match(await promote(standby), { status: 200 }, 'it leads already')
    await trade(leader, event, 2)
    t.match((await leader.failed).message, /which this exchange does not have|has another one/)
    await leader.close()
    const { sequence } = standby.exchange
    await standby.close()

    // The old leader comes back as a standby: what the replica went on without is set aside.
    const again = await started(t, place, false, standby.data)
    t.equal(again.exchange.sequence, sequence, 'the one that took over starts again to lead')
    const old = await started(t, place, true, leader.data)
    await caughtUp(old, again)
    t.equal(readdirSync(join(leader.data, 'orphans')).length, 1)
    t.ok(readdirSync(leader.data).some(name => name.startsWith('replaced-')))
    t.same(await bookOf(old), await bookOf(again))
  },
)

t.test('a journal that is ahead of the replica is not followed', async t => {
  const place = roomyDirectory(t)
  const leader = await started(t, place, false)
  const event = await leader.client.createEvent()
  await trade(leader, event, 2)
  await leader.close()
  const copy = join(roomyDirectory(t), 'place')
  cpSync(place, copy, { recursive: true })
  const further = await started(t, place, false, leader.data)
  await trade(further, event, 2)
  await further.close()
  await t.rejects(started(t, copy, true, leader.data), { message: /start it with raay start/ })
})
