import { dirname } from 'node:path'
import t from 'tap'
import { callRaay } from '../fixtures/raay-call.js'
import { startTestServer } from '../fixtures/server-process.js'
import { TestExchange } from '../fixtures/test-exchange.js'

const TOKEN = 'a-token-of-the-operator'

t.test('users are listed and shown, credited and debited', async t => {
  const { url, data, client, exchange } = await startTestServer(t)
  const raay = (line: string) => callRaay(line.split(' '), { RAAY_URL: url, RAAY_DATA: data })
  const told = async (line: string) => (await raay(line)).stdout
  t.equal(await told('user list'), 'user  cash  held  available\n')
  const code = await client.createEvent()
  await client.placeOrder(code, { userid: 'asha', l1_order_quantity: 10 })
  await client.placeOrder(code, { userid: 'ben', offer_type: 'sell', l1_order_quantity: 4 })
  t.equal(
    await told('user list'),
    `user          cash    held     available
asha  ₹9,99,980.00  ₹30.00  ₹9,99,950.00
ben   ₹9,99,980.00   ₹0.00  ₹9,99,980.00
`,
  )
  t.match(
    await told('user show asha'),
    new RegExp(`^available  ₹9,99,950.00\n\nevent .*\n${code}    4   0 `, 'm'),
  )
  t.match(JSON.parse(await told('user show asha --json')), {
    userid: 'asha',
    held: 30,
    positions: [{ event_id: code, yes: 4, no: 0 }],
  })
  const credited = await told('user credit asha 500.25')
  t.match(credited, /^Credited ₹500\.25 to asha\. New balance ₹10,00,480\.25 \(transaction ID [\w-]{36}\)\n$/)
  const line = 'user debit asha 0.25 --txn-id mistake'
  t.equal(await told(line), 'Debited ₹0.25 from asha. New balance ₹10,00,480.00 (transaction ID mistake)\n')
  t.equal(await told(line), 'Debited ₹0.25 from asha. New balance ₹10,00,480.00 (transaction ID mistake)\n')
  t.match(JSON.parse(await told('user list --json')), [
    { userid: 'asha', cash: 1_000_480 },
    { userid: 'ben' },
  ])
  t.ok(exchange.moneyIsAllThere())
})

t.test('users on several pages are listed up to the limit', async t => {
  const { url, data, client } = await startTestServer(t)
  const code = await client.createEvent()
  for (let index = 0; index < 1003; index += 59) {
    const users = Array.from({ length: 59 }, (_, offset) => `user-${index + offset}`)
    await Promise.all(users.map(userid => client.placeOrder(code, { userid })))
  }
  const all = await callRaay(['user', 'list', '--json', '--limit', '5000', '--url', url], { RAAY_DATA: data })
  const users = JSON.parse(all.stdout) as readonly { readonly userid: string }[]
  t.equal(new Set(users.map(({ userid }) => userid)).size, 1003)
  t.equal(users.length, 1003)
  t.equal(all.stderr, '')
  const some = await callRaay(['user', 'list', '--limit', '1001', '--url', url], { RAAY_DATA: data })
  t.equal(some.stdout.split('\n').length, 1003, 'a head, 1001 lines, and the end of the last')
  t.equal(some.stderr, 'only the first 1001 are shown; --limit takes up to 1000000\n')
})

t.test("operator actions need the admin token, and a user's name cannot control the terminal", async t => {
  // The API takes no new name like this one, but an older exchange may have one.
  const older = await TestExchange.open(t)
  await older.create()
  await older.playAll(['\u001b[2Jx buy 1 @ 5'])
  await older.close()
  const { url } = await startTestServer(t, { adminToken: TOKEN, data: dirname(older.file) })
  for (const line of [
    ['user', 'list'],
    ['user', 'credit', 'asha', '5'],
  ]) {
    const ended = await callRaay(line, { RAAY_URL: url })
    t.same([ended.code, ended.stdout], [1, ''])
    t.match(
      ended.stderr,
      /^raay: Sign in, or send a token: .*; give the data directory of the exchange with --data/,
    )
  }
  const { stdout } = await callRaay(['user', 'list'], { RAAY_URL: url, RAAY_ADMIN_TOKEN: TOKEN })
  t.match(stdout, '\n\ufffd[2Jx ')
  t.notMatch(stdout.replaceAll('\n', ''), /[\p{Cc}\u202a-\u202e]/u)
  const shown = await callRaay(['user', 'show', '\u001b[2Jx'], { RAAY_URL: url })
  t.match(shown.stdout, 'user       \ufffd[2Jx\n')
})

t.test('wrong use is refused with exit code 2', async t => {
  const rows: readonly (readonly [string, string])[] = [
    ['user', 'missing action; see raay help user'],
    ['user lsit', "unknown command 'lsit' (Did you mean list?); see raay help user"],
    ['user show', 'usage: raay user show <userid>'],
    ['user credit asha', 'usage: raay user credit <userid> <rupees>'],
    ['user credit asha five', 'the amount is five: give a number'],
    ['user list --limit 1000001', '--limit is 1000001: give a whole number from 1 to 1000000'],
    ['user show asha --txn-id x', "unknown option '--txn-id'; see raay help user show"],
    ['strat', "unknown command 'strat' (Did you mean start?); see raay help"],
    ['constructor', "unknown command 'constructor'; see raay help"],
    ['start --prot 1', "unknown option '--prot' (Did you mean --port?); see raay help start"],
    ['verify --dta x', "unknown option '--dta' (Did you mean --data?); see raay help verify"],
    ['start --demo=yes', "unknown option '--demo=yes'"],
    ['start --socket-io=1', "unknown option '--socket-io=1'"],
  ]
  for (const [line, message] of rows) {
    const { code, stdout, stderr } = await callRaay(line.split(' '), { RAAY_URL: 'http://127.0.0.1:1' })
    t.same([code, stdout], [2, ''], line)
    t.match(stderr, message)
    t.match(stderr, /^raay: [^\n]+\n$/, 'one line')
  }
})

t.test('trading is suspended, limited and resumed; an order of the suspended says why', async t => {
  const { url, data, client } = await startTestServer(t)
  const raay = (line: string) => callRaay(line.split(' '), { RAAY_URL: url, RAAY_DATA: data })
  const code = await client.createEvent()
  await client.placeOrder(code, { userid: 'asha' })
  const suspended = await raay('user suspend asha --reason Asked')
  t.match(suspended.stdout, /^user +asha\ntrading +suspended: Asked\norder value +none\nopen orders +none\n$/)
  const refused = await raay(`order place ${code} buy 1 @ 5 --user asha`)
  t.match(refused, { code: 1, stderr: /Trading is suspended for this account/ })
  await raay('user resume asha')
  const limited = await raay('user limit asha --order-value 500 --open-orders 20')
  t.match(limited.stdout, /trading +allowed\norder value +at most ₹500\.00\nopen orders +at most 20\n/)
  t.match((await raay('user limit asha --order-value none')).stdout, /order value +none\n/)
  t.match(JSON.parse((await raay('user limit asha --json')).stdout), {
    open_orders_max: 20,
    suspended: false,
  })
  t.match(await raay('user limit asha --open-orders many'), { code: 2 })
  t.match(await raay('user suspend nobody'), { code: 1, stderr: /User not found/ })
})
