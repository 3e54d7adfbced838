import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pino from 'pino'
import type { Test } from 'tap'
import t from 'tap'
import { readOperatorKey } from '../../src/access/operator-key.js'
import { readConfig } from '../../src/server/config/config.js'
import { startServer } from '../../src/server/server.js'
import { NO_NATS, startNats } from '../fixtures/nats/nats-servers.js'
import { runRaay } from '../fixtures/raay-command.js'
import { ServerClient } from '../fixtures/server/server-client.js'
import { roomyDirectory } from '../fixtures/server/server-directory.js'

interface Health {
  readonly sequence: number
  readonly backups: { readonly last_verified: { readonly name: string } | null }
  readonly replication: {
    readonly kept_from: number | null
    readonly kept_bytes: number | null
    readonly trim_failure: { readonly message: string } | null
  } | null
}

/** A server that keeps nothing longer than it must, which leads or follows. */
async function started(
  t: Test,
  url: string,
  { data = roomyDirectory(t), place, follows = false }: { data?: string; place?: string; follows?: boolean },
) {
  const texts = {
    ...{ port: '0', shards: '2', 'rate-limits': 'off', 'backup-every': '0' },
    ...{ 'replicate-to': `${url}/orders`, replication: 'async', 'replicate-replicas': '1' },
    ...(place === undefined ? {} : { 'backup-to': place }),
  }
  const config = { ...readConfig(texts, {}), data, replicaKeepMs: 0 }
  const log = pino({ level: 'silent' })
  const standby = follows ? { standby: { identities: [] } } : {}
  const fail = (error: Error) => t.fail(error.message)
  const server = await startServer({ config, version: '0.0.0-test', log, fail, ...standby })
  let closing: Promise<void> | undefined
  const close = () => {
    closing ??= server.close()
    return closing
  }
  t.teardown(close)
  const client = new ServerClient(server.url, readOperatorKey(data))
  const until = async (isWanted: (found: Health) => boolean) => {
    for (;;) {
      const found = (await client.get('/admin/health')).body.additional as Health
      if (isWanted(found)) return found
      await sleep(20)
    }
  }
  return { server, client, exchange: server.exchange, data, close, until }
}

type Running = Awaited<ReturnType<typeof started>>

async function trade({ client }: Running, orders: number): Promise<void> {
  const event = await client.createEvent()
  for (let count = 0; count < orders; count++) {
    const offer = { userid: count % 2 === 0 ? 'asha' : 'ben', price: 5, l1_order_quantity: 1 }
    await client.placeOrder(event, { ...offer, offer_type: 'buy', outcome: count % 2 ? 'yes' : 'no' })
  }
}

async function backUp({ client, until }: Running): Promise<number> {
  const { name, sequence } = (await client.post('/admin/backup', {})).body.additional as {
    readonly name: string
    readonly sequence: number
  }
  await until(({ backups }) => backups.last_verified?.name === name)
  return sequence
}

const isTold = ({ replication }: Health) => replication?.kept_from !== null

t.test('a log is trimmed up to the backup, from which a new standby begins', { skip: NO_NATS }, async t => {
  const { url } = await startNats(t, 1)
  const place = roomyDirectory(t)
  const first = await started(t, url, {})
  await trade(first, 10)
  await backUp(first)
  t.ok(readdirSync(join(first.data, 'backups')).length > 0)
  await first.close()
  const inside = await started(t, url, { data: first.data, place: join(first.data, 'backups') })
  t.match(await inside.until(isTold), {
    replication: { kept_from: 1, trim_failure: { message: /no verified backup .*--backup-to/ } },
  })
  const authorization = `Bearer ${readOperatorKey(first.data)}`
  const metrics = await fetch(`${inside.client.url}/metrics`, { headers: { authorization } })
  t.match(await metrics.text(), /^raay_replication_trim_failing 1$/m)
  await inside.close()

  const second = await started(t, url, { data: first.data, place })
  const end = await backUp(second)
  await trade(second, 10)
  await second.close()
  const leader = await started(t, url, { data: first.data, place })
  const { replication } = await leader.until(isTold)
  t.match(replication, { kept_from: end, trim_failure: null })
  t.ok((replication?.kept_bytes ?? 0) > 0)

  const data = roomyDirectory(t)
  await t.rejects(started(t, url, { data, place, follows: true }), {
    message: /no longer has batch 1, .*raay backup restore latest --backup-to/,
    isFault: true,
  })
  const argv = ['backup', 'restore', 'latest', '--backup-to', place, '--data', data, '--overwrite']
  t.match(await runRaay(argv), { code: 0 })
  const standby = await started(t, url, { data, place, follows: true })
  await trade(leader, 4)
  while (standby.exchange.sequence < leader.exchange.sequence) await sleep(20)
  await leader.close()
  await standby.until(() => standby.exchange.leads)
  await trade(standby, 4)
  const last = await backUp(standby)
  await standby.close()

  const again = await started(t, url, { data, place })
  t.equal((await again.until(isTold)).replication?.kept_from, last, 'it trims the log, too')
  // The one that led first has been away for too long: it neither follows nor waits for the lease in vain.
  for (const follows of [true, false]) {
    await t.rejects(started(t, url, { data: leader.data, place, follows }), {
      name: 'ReplicaError',
      message: /no longer has batch .*raay backup restore latest/,
    })
  }
})
