import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Test } from 'tap'
import t from 'tap'
import type { Ended } from '../fixtures/raay-command.js'
import { callRaay } from '../fixtures/raay-call.js'
import { startTestServer } from '../fixtures/server-process.js'

type Run = (line: string) => Promise<Ended>

function runner(url: string, env: Readonly<Record<string, string>> = {}): Run {
  return line => callRaay(line.split(' '), { RAAY_URL: url, ...env })
}

function same(t: Test, ended: Ended, code: number, stdout: string | RegExp): void {
  t.same([ended.code, ended.stderr], [code, ''])
  t.match(ended.stdout.replace(/^\d{7}-\d+-\w+/gm, 'ID'), stdout)
}

function failed(t: Test, ended: Ended, code: number, message: string | RegExp): void {
  t.same([ended.code, ended.stdout], [code, ''])
  t.match(ended.stderr, message)
  t.match(ended.stderr, /^raay: [^\n]+\n$/, 'one line')
}

t.test('an order at market has a limit: what the book showed, and a tolerance', async t => {
  const { url, client } = await startTestServer(t)
  const raay = runner(url)
  const code = await client.createEvent()
  const ask = { userid: 'mira', offer_type: 'sell', l1_order_quantity: 10 }
  for (const price of [4, 9]) await client.placeOrder(code, { ...ask, l1_expected_price: price })
  const order = async (words: string) => {
    const { stdout } = await raay(`order place ${code} ${words} --json`)
    return JSON.parse(stdout) as Record<string, unknown>
  }
  const capped = { order_type: 'LO', time_in_force: 'IOC' }
  t.match(await order('buy 2 @ market --user asha'), { ...capped, price: 4.1, state: 'filled' })
  t.match(await order('buy 1 @ market --tolerance 0 --user asha'), { ...capped, price: 4 })
  t.match(await order('sell 1 no @ market --tolerance 2.5 --user asha'), { ...capped, price: 5.75 })
  t.match(await order('buy 1 @ market --time-in-force fok --user asha'), { time_in_force: 'FOK', price: 4.1 })
  t.match(await order('buy 1 @ market --tolerance any --user asha'), { order_type: 'MO', state: 'filled' })
  // Under its key a market order is placed once, although its limit would be another one by now.
  t.match(await order('buy 14 @ market --tolerance 5 --user asha --key mine'), {
    price: 9.5,
    state: 'filled',
  })
  t.match(await order('buy 14 @ market --user asha --key mine'), { price: 9.5, filled_quantity: 14 })
  failed(t, await raay(`order place ${code} buy 3 @ market --user asha --key mine`), 1, /another order/)
  failed(t, await raay(`order place ${code} buy 8 @ market --user asha`), 1, /nobody sells YES right now/)
  await client.placeOrder(code, { ...ask, l1_expected_price: 5 })
  const left = /bought 10 YES .*\n4 YES were not bought: nobody was left at ₹5\.10 or less\.\n$/
  same(t, await raay(`order place ${code} buy 14 @ market --user asha`), 0, left)
  const wrong = await raay(`order place ${code} buy 1 @ market --tolerance 1% --user asha`)
  failed(t, wrong, 2, '--tolerance is 1%: give a percentage from 0 to 100, such as 1, or any')
  await client.post(`/events/${code}/halt`, {})
  same(t, await raay(`order place ${code} buy 1 @ market --user asha`), 1, /is rejected: trading is halted/)
})

t.test('the result of an order is a sentence, and exit code 1 if it neither trades nor rests', async t => {
  const { url, client } = await startTestServer(t)
  const raay = runner(url)
  const code = await client.createEvent({ max_bet: 1000 })
  const rows: readonly (readonly [string, number, string | RegExp])[] = [
    ['buy 10 @ 6.5 --user asha', 0, 'ID rests in the book: asha buys 10 YES at ₹6.50.\n'],
    ['sell 4 at market --user ben', 0, 'ID is filled: ben sold 4 YES at ₹6.50 on average.\n'],
    [
      'buy 8 no @3.5 --user cora',
      0,
      'ID is partially filled: cora bought 6 NO at ₹3.50 on average; 2 NO at ₹3.50 rest in the book.\n',
    ],
    [
      'buy 1 NO @ 2 --user dev --expires 2099-12-31T18:30:00Z',
      0,
      'ID rests in the book: dev buys 1 NO at ₹2.00 until 2099-12-31 18:30 UTC.\n',
    ],
    [
      'buy 1 @ 6.505 --user asha',
      1,
      'ID is rejected: the price is not a multiple of this market’s price step.\n',
    ],
    ['buy 1000 @ 6 --user asha', 1, 'ID is rejected: above this market’s maximum order.\n'],
    [
      'buy 1 @ 9 --post-only --user asha',
      1,
      'ID is rejected: a post-only order would have traded immediately.\n',
    ],
    ['sell 3 @ 9 --reduce-only --user eve', 1, 'ID is rejected: not enough contracts to sell'],
    [
      'buy 5 @ 6.5 --time-in-force ioc --user asha',
      0,
      'ID is cancelled: no matching orders; asha bought 2 YES at ₹6.50 on average.\n',
    ],
    [
      'buy 5 @ 8 --time-in-force FOK --user asha',
      1,
      /is cancelled: it could not .*; asha bought nothing\.\n$/,
    ],
    ['sell 1 @ 1 --valid-until 2001-01-01 --user asha', 1, 'ID is rejected: the order expired.\n'],
  ]
  for (const [words, exit, told] of rows) same(t, await raay(`order place ${code} ${words}`), exit, told)
})

t.test('an order with the same key is placed once, and --json prints it', async t => {
  const { url, client } = await startTestServer(t)
  const raay = runner(url, { RAAY_USER: 'asha' })
  const code = await client.createEvent()
  const line = `order place ${code} buy 10 @ 6.5 --key mine --json`
  const { stdout } = await raay(line)
  const placed = JSON.parse(stdout) as { readonly id: string }
  t.match(placed, { userid: 'asha', state: 'resting', client_order_id: 'mine', remaining_quantity: 10 })
  t.same(JSON.parse((await raay(line)).stdout), placed, 'the same order')
  failed(t, await raay(line.replace('buy 10', 'buy 11')), 1, 'client_order_id: Used for another order')
  const queue = { contracts_ahead: 0, orders_ahead: 0 }
  t.same(JSON.parse((await raay(`order show ${placed.id} --json`)).stdout), { ...placed, queue })
  t.match((await raay(`order show ${placed.id}`)).stdout, /^state +resting$/m)
})

t.test('orders are listed and cancelled, one or all', async t => {
  const { url, client } = await startTestServer(t)
  const raay = runner(url)
  const [one, two] = [await client.createEvent(), await client.createEvent()]
  const first = await client.placeOrder(one, { userid: 'asha', l1_order_quantity: 10 })
  await client.placeOrder(one, { userid: 'ben', offer_type: 'sell', l1_order_quantity: 4 })
  const second = await client.placeOrder(two, { userid: 'asha', l1_expected_price: 2 })
  const third = await client.placeOrder(two, { userid: 'asha', l1_expected_price: 2.555 })
  const { stdout } = await raay('order list --user asha')
  const lines = stdout.split('\n')
  t.equal(lines.length, 5)
  t.match(lines[0], /^id +placed \(UTC\) +offer +quantity +price +filled +average +state$/)
  t.match(lines[1], new RegExp(`^${third} .* rejected \\(price_off_tick\\)$`))
  t.match(lines[3], new RegExp(`^${first} .* buy YES +10 +₹5.00 +4 +₹5.00 +partially_filled$`))
  const open = JSON.parse((await raay('order list --user asha --open --json')).stdout) as { id: string }[]
  t.same(
    open.map(({ id }) => id),
    [second, first],
  )
  const few = await raay(`order list --user asha --event ${two} --limit 1`)
  t.match(few.stdout, new RegExp(`^id .*\n${third} [^\n]*\n$`))
  t.equal(few.stderr, 'only the newest 1 are shown; --limit takes up to 100000\n')

  const ended = 'ID is cancelled: cancelled by the user; asha bought 4 YES at ₹5.00 on average.\n'
  same(t, await raay(`order cancel ${first}`), 0, ended)
  same(t, await runner(url, { RAAY_USER: 'asha' })(`order cancel ${first}`), 0, ended)
  same(t, await raay(`order cancel --all --user asha --event ${one}`), 0, 'No open orders.\n')
  same(t, await raay('order cancel --all --user asha'), 0, /^ID is cancelled: [^\n]*nothing\.\n$/)
  failed(t, await raay('order cancel 1000001-99-abcdefghij'), 1, 'raay: Order not found\n')
  failed(t, await raay('order list --user nobody'), 1, 'raay: User not found\n')
})

t.test('wrong use is refused with exit code 2, and sends no request', async t => {
  let requests = 0
  const server = createServer((_, response) => {
    requests++
    response.end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => server.close())
  const raay = runner(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  const shape = 'usage: raay order place <code> buy|sell <quantity> [yes|no] @ <price>|market'
  const rows: readonly (readonly [string, string | RegExp])[] = [
    ['order', 'missing action; see raay help order'],
    ['order plcae 1000001 buy 1 @ 1', "unknown command 'plcae' (Did you mean place?); see raay help order"],
    ['order place', shape],
    ['order place 1000001 buy 10', shape],
    ['order place 1000001 buy 10 6.5 --user a', shape],
    ['order place 1000001 buy 10 maybe @ 6.5 --user a', shape],
    ['order place 1000001 buy 10 @ 6.5 each --user a', shape],
    ['order place rain buy 10 @ 6.5 --user a', '"rain" is not a valid event code'],
    ['order place 1000001 bid 10 @ 6.5 --user a', '"bid" is not a valid side: give buy or sell'],
    ['order place 1000001 buy ten @ 6.5 --user a', '"ten" is not a valid quantity: give a number'],
    ['order place 1000001 buy 1e3 @ 6.5 --user a', '"1e3" is not a valid quantity'],
    [
      'order place 1000001 buy 10 @ cheap --user a',
      '"cheap" is not a valid price: give a number, such as 6.5, or market',
    ],
    ['order place 1000001 buy 10 @ 6.5', 'missing user: give --user <id>, or set RAAY_USER'],
    ['order place 1000001 buy 1 @ 1 --user a --expires 1h', '--expires is 1h: give 2026-12-31T18:30:00Z'],
    [
      'order place 1000001 buy 1 @ 1 --usr a',
      "unknown option '--usr' (Did you mean --user?); see raay help order place",
    ],
    ['order place 1000001 buy 1 @ 1 --user a --time-in-force soon', 'Allowed choices are GTC, GTD, IOC, FOK'],
    ['order list --user a --state open', 'Allowed choices are queued, resting'],
    ['order list --user a --limit 0', '--limit is 0: give a whole number from 1 to 100000'],
    [
      'order list --user a --open --state filled',
      "option '--state <state>' cannot be used with option '--open'",
    ],
    ['order list --user a --event rain', '"rain" is not a valid event code'],
    ['order show', 'usage: raay order show <id>'],
    ['order cancel', 'usage: raay order cancel <id> | --all --user <id>'],
    ['order cancel x --user a', 'usage: raay order cancel <id> | --all --user <id>'],
    ['order cancel x --all --user a', 'usage: raay order cancel <id> | --all --user <id>'],
    ['order cancel --all', 'missing user: give --user <id>'],
  ]
  for (const [line, message] of rows) failed(t, await raay(line), 2, message)
  t.equal(requests, 0)
})

t.test('an order without an answer is reported with the key to repeat it safely', async t => {
  const bodies: { readonly client_order_id: string }[] = []
  const server = createServer((request, response) => {
    let text = ''
    request.on('data', chunk => {
      text += String(chunk)
    })
    request.on('end', () => {
      bodies.push(JSON.parse(text) as { client_order_id: string })
      response.destroy()
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => server.close())
  const raay = runner(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  const ended = await raay('order place 1000001 buy 10 @ 6.5 --user asha')
  const key = bodies[0]?.client_order_id
  t.type(key, 'string')
  failed(t, ended, 1, `the order may have been placed; repeat it with --key ${key} to place it only once`)
  const moved = await raay('user credit asha 5 --txn-id mine')
  failed(t, moved, 1, 'the transfer may have been made; repeat it with --txn-id mine to make it only once')
  const nobody = await runner('http://127.0.0.1:1')('order place 1000001 buy 10 @ 6.5 --user asha')
  failed(t, nobody, 1, /bad port\): start it with raay start, or give --url\n$/)
})
