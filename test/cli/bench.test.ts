import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Test } from 'tap'
import t from 'tap'
import { readConfig } from '../../src/server/config/config.js'
import { runRaay } from '../fixtures/raay-command.js'
import { startTestServer } from '../fixtures/server-process.js'

const PAID_WITHIN_MS = 60_000

interface Report {
  readonly orders: number
  readonly refused: number
  readonly seconds: number
  readonly orders_per_second: number
  readonly p50: number
  readonly p90: number
  readonly p99: number
  readonly max: number
}

/** A server that accepts new events and answers orders with the given status. */
async function standIn(t: Test, status: () => number): Promise<string> {
  const server = createServer((request, response) => {
    const code = request.url === '/order/initiate' ? status() : 201
    const body = JSON.stringify({ status: code === 201, code, message: 'told', additional: '1000001' })
    request.resume().on('end', () => response.writeHead(code, { 'Content-Length': body.length }).end(body))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => {
    server.close()
    server.closeAllConnections()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

t.test('a temporary exchange takes the orders and leaves nothing behind', async t => {
  const directory = t.testdir()
  const argv = ['bench', '--orders', '300', '--connections', '7', '--dir', directory]
  const { code, stdout, stderr } = await runRaay(argv, { RAAY_URL: 'http://127.0.0.1:1', RAAY_SHARDS: 'x' })
  t.equal(code, 0, stderr)
  t.match(
    stdout,
    /^[\d,]+ orders\/s, each on disk .*\np50 [\d.]+ ms, p90 .*\n300 orders in .* over 7 connections\n/,
  )
  t.match(stderr, /^Temporary exchange at http:\/\/127\.0\.0\.1:\d+, its data in .*raay-bench-/)
  t.match(stderr, /\n100% {2}300 of 300 orders, [\d,]+\/s, 0\.0 s left\n$/)
  t.same(readdirSync(directory), [])
})

t.test('a running exchange takes the orders, and its users get their money back', async t => {
  const { url, data, client, exchange } = await startTestServer(t)
  const argv = ['bench', '--url', url, '--data', data, '--orders', '400', '--connections', '5', '--json']
  const { code, stdout, stderr } = await runRaay(argv)
  t.same([code, stderr], [0, ''])
  const report = JSON.parse(stdout) as Report
  t.equal(report.orders, 400)
  t.equal(report.refused, 0)
  t.ok(
    Math.abs(report.orders_per_second - report.orders / report.seconds) < report.orders_per_second / 50 + 1,
  )
  t.ok(0 < report.p50 && report.p50 <= report.p90 && report.p90 <= report.p99 && report.p99 <= report.max)
  const { body } = await client.get('/events/1000001')
  t.match(body.additional, { status: 'voided', title: /^raay bench / })
  t.ok(exchange.moneyIsAllThere())
  const moneyOfAll = async () => {
    const { body } = await client.get('/portfolio?limit=1000')
    const { users } = body.additional as { users: readonly { cash: number; held: number }[] }
    t.ok(users.length > 100)
    return [...new Set(users.map(({ cash, held }) => `${cash} ${held}`))]
  }
  // Users are refunded batch by batch.
  const end = performance.now() + PAID_WITHIN_MS
  let found = await moneyOfAll()
  while (found.length > 1 && performance.now() < end) found = await moneyOfAll()
  t.same(found, ['1000000 0'])
})

t.test('a load over WebSockets places every order once, alone or many to a message', async t => {
  const access = readConfig({ auth: 'accounts' }, {}).access
  const { url, data, client, exchange } = await startTestServer(t, { access })
  for (const perFrame of [1, 7]) {
    const way = ['--socket', '--in-flight', '3', '--per-frame', String(perFrame), '--connections', '4']
    const argv = ['bench', '--url', url, '--data', data, '--orders', '200', '--json', ...way]
    const { code, stdout, stderr } = await runRaay(argv)
    t.same([code, stderr], [0, ''], 'the key of the operator is sent')
    t.match(JSON.parse(stdout), {
      orders: 200,
      refused: 0,
      socket: { in_flight: 3, per_frame: perFrame },
    })
  }
  const { body } = await client.get('/events/1000002')
  t.match(body.additional, { status: 'voided' })
  t.ok(exchange.moneyIsAllThere())
})

t.test('refusals for capacity are counted; any other answer ends the load', async t => {
  let orders = 0
  const url = await standIn(t, () => (orders++ % 2 === 0 ? 201 : 503))
  const argv = ['bench', '--orders', '200', '--json', '--connections', '1']
  const busy = await runRaay([...argv, '--url', url])
  t.equal(busy.code, 0, busy.stderr)
  t.match(JSON.parse(busy.stdout), { orders: 100, refused: 100 })
  const endless = createServer((_, response) => response.writeHead(201).end('{"status":true,"message":"x"}'))
  endless.listen(0, '127.0.0.1')
  await once(endless, 'listening')
  t.teardown(() => endless.close())
  const chunked = `http://127.0.0.1:${(endless.address() as AddressInfo).port}`
  const unmeasured = await runRaay([...argv, '--url', chunked])
  t.equal(
    unmeasured.stderr,
    `raay: ${chunked}: an answer has no Content-Length, so it does not come from Raay\n`,
  )
  const other = await standIn(t, () => 404)
  const ended = await runRaay([...argv, '--url', other])
  t.same([ended.code, ended.stdout], [1, ''])
  t.equal(ended.stderr, `raay: ${other}: an order got the answer HTTP/1.1 404 Not Found\n`)
})

t.test('wrong use is refused with exit code 2', async t => {
  const rows: readonly (readonly [string, string])[] = [
    ['now', 'usage: raay bench\n'],
    ['--orders 0', '--orders is 0: give a whole number from 1 to 1000000'],
    ['--orders 1000001', '--orders is 1000001: give'],
    ['--connections 1001', '--connections is 1001: give a whole number from 1 to 1000'],
    ['--seconds 601', '--seconds is 601: give a whole number from 1 to 600'],
    ['--url http://raay.example.org', 'http://raay.example.org is another machine: add --remote'],
    ['--url http://127.0.0.1.example.org', 'http://127.0.0.1.example.org is another machine: add --remote'],
    ['--url http://127.0.0.1:3000 --dir /tmp', 'give --dir for a temporary exchange, or --url'],
    ['--socket --in-flight 1001', '--in-flight is 1001: give a whole number from 1 to 1000'],
    [
      '--socket --in-flight 500 --per-frame 3',
      'a WebSocket has at most 1000 orders in flight: lower --in-flight',
    ],
    ['--order 5', "unknown option '--order' (Did you mean --orders?)"],
  ]
  for (const [line, message] of rows) {
    const { code, stdout, stderr } = await runRaay(['bench', ...line.split(' ')])
    t.same([code, stdout], [2, ''], line)
    t.match(stderr, message)
  }
})

t.test('a directory that cannot hold the data is named', async t => {
  const { code, stderr } = await runRaay(['bench', '--dir', '/nowhere/at/all'])
  t.equal(code, 1)
  t.match(stderr, /^raay: cannot create the temporary data in \/nowhere\/at\/all: ENOENT/)
})
