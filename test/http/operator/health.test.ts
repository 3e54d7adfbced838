import t from 'tap'
import { appOn, peer } from '../../fixtures/http-scenario.js'
import { startTestServer } from '../../fixtures/server-process.js'
import { START, TestExchange } from '../../fixtures/test-exchange.js'

const HEADERS = { Host: 'localhost' }

t.test('health reports orders, queues, sizes and the process', async t => {
  const test = await TestExchange.open(t)
  const { app } = appOn(test)
  await test.create()
  await test.playAll(['asha buy 10 @ 6', 'ben sell 4 @ 6', 'cora buy 1 @ 0.001'])
  test.now = START + 1500
  const response = await app.request('/admin/health', { headers: HEADERS }, peer('127.0.0.1'))
  const { additional } = (await response.json()) as { additional: Record<string, unknown> }
  t.match(additional, {
    uptime: 61.5,
    version: '1.2.3',
    node: process.version,
    orders: { total: 3, per_second: 3, per_second_of_minute: 2, latency_p50: 0.001, latency_p99: 0.001 },
    shards: [
      { shard: 0, queue: 0, batches_in_flight: 0 },
      { shard: 1, queue: 0, batches_in_flight: 0 },
    ],
    reads: {
      pages: { running: 0, waiting: 0, refused: 0 },
      operator: { running: 0, waiting: 0, refused: 0 },
    },
    connections: 5,
    unsent_bytes: 12_000,
    sockets: 3,
    subscriptions: 7,
    accounts: 3,
    events: 1,
    open_orders: 1,
    event_loop_delay: { p50: 0.5, p99: 4, max: 20 },
  })
  const [row] = test.rows<{ last: number }>('SELECT max(sequence) AS last FROM journal')
  t.equal(additional.sequence, row?.last)
  t.same(additional.tables, { sequence: row?.last, commands_behind: 0, reads_waiting: 0 })
  t.ok(Number(additional.database_bytes) > 4096 && Number(additional.wal_bytes) > 0)
  t.equal(additional.archive_bytes, 0)
  t.ok(Number(additional.journal_bytes) > 4096 && Number(additional.journal_wal_bytes) > 0)

  await test.restart()
  const again = await appOn(test).app.request('/admin/health', { headers: HEADERS }, peer('127.0.0.1'))
  const after = ((await again.json()) as { additional: Record<string, unknown> }).additional
  t.equal(after.sequence, row?.last, 'a start goes on where the journal ends')
})

/** A line of the text format: a comment of the two known kinds, or a value with its labels. */
const LINE =
  /^(?:# (?:HELP|TYPE) [a-z_]+ .+|([a-z_]+)(?:\{([a-z]+="[^"\\\n]*",?)+\})? (-?[\d.e+-]+|\+Inf|NaN))$/

t.test('metrics use the Prometheus text format', async t => {
  const test = await TestExchange.open(t)
  const { app } = appOn(test)
  await test.create()
  await test.playAll(['asha buy 10 @ 6', 'ben sell 4 @ 6'])
  const response = await app.request('/metrics', { headers: HEADERS }, peer('127.0.0.1'))
  t.equal(response.headers.get('content-type'), 'text/plain; version=0.0.4; charset=utf-8')
  const text = await response.text()
  t.ok(text.endsWith('\n'))
  const lines = text.trimEnd().split('\n')
  t.same(
    lines.filter(line => !LINE.test(line)),
    [],
    'every line can be read',
  )
  const types = lines.flatMap(line => {
    const [, name] = /^# TYPE (\S+) (?:gauge|counter|histogram)$/.exec(line) ?? []
    return name === undefined ? [] : [name]
  })
  let family = ''
  const seen = new Set<string>()
  for (const line of lines) {
    const [, kind, name = ''] = /^# (HELP|TYPE) (\S+)/.exec(line) ?? []
    if (kind === 'HELP') {
      t.notOk(seen.has(name), `${name} is described once`)
      seen.add(name)
      family = name
    } else t.ok((name || line).startsWith(family), `${line} is below its name`)
  }
  t.same(types, [...seen])
  const value = (name: string) =>
    Number(
      lines
        .find(line => line.startsWith(`${name} `))
        ?.split(' ')
        .at(-1),
    )
  t.equal(value('raay_orders_total'), 2)
  t.equal(value('raay_order_latency_seconds_count'), 2)
  t.equal(value('raay_order_latency_seconds_bucket{le="+Inf"}'), 2)
  t.equal(value('raay_uptime_seconds'), 61.5)
  t.equal(value('raay_connections'), 5)
  t.equal(value('raay_unsent_bytes'), 12_000)
  t.equal(value('raay_requests_refused_total{status="503"}'), 4)
  t.notMatch(text, /\nraay_certificate_expires_timestamp_seconds /)
  t.equal(value('raay_shard_queue_length{shard="1"}'), 0)
  t.equal(value('raay_reads_waiting{lane="pages"}'), 0)
  t.equal(value('raay_reads_refused_total{lane="feeds"}'), 0)
  t.equal(value('raay_event_loop_delay_seconds{quantile="1"}'), 0.02)
  const buckets = lines.filter(line => line.startsWith('raay_order_latency_seconds_bucket'))
  const counts = buckets.map(line => Number(line.split(' ').at(-1)))
  t.same(
    counts,
    [...counts].sort((a, b) => a - b),
    'each bucket holds those before it',
  )
  t.match(text, `raay_build_info{version="1.2.3",node="${process.version}"} 1\n`)
})

t.test('only the operator can read health and metrics', async t => {
  const test = await TestExchange.open(t)
  for (const path of ['/admin/health', '/metrics', '/api/v1/metrics']) {
    const { app } = appOn(test, 'a-token-of-the-operator')
    t.equal((await app.request(path, { headers: HEADERS }, peer('127.0.0.1'))).status, 401, path)
  }
})

t.test('a server reports its own process', async t => {
  const { client } = await startTestServer(t)
  const { status, body } = await client.get('/admin/health')
  const additional = body.additional as Record<string, Record<string, number>>
  t.equal(status, 200)
  t.ok(Number(additional.uptime) >= 0)
  t.same([additional.sockets, additional.subscriptions, additional.unsent_bytes], [0, 0, 0])
  t.ok(Number(additional.connections) >= 1, 'this one counts')
  const { p50 = -1, p99 = -1, max = -1 } = additional.event_loop_delay ?? {}
  t.ok(p50 >= 0 && p50 <= p99 && p99 <= max + 1, `${p50} ${p99} ${max}`)
})
