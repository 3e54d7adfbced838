import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Test } from 'tap'
import t from 'tap'
import { callRaay } from '../fixtures/raay-call.js'
import type { Ended } from '../fixtures/raay-command.js'
import { runRaay } from '../fixtures/raay-command.js'
import { startTestServer } from '../fixtures/server-process.js'

const TOKEN = 'a-token-of-the-operator'

type Run = (line: string, ...more: string[]) => Promise<Ended>

/** Makes a function that runs `raay event …`: the words of a line, then arguments with spaces. */
function runner(url: string, env: Readonly<Record<string, string>> = {}): Run {
  return (line, ...more) => callRaay(['event', ...line.split(' '), ...more], { RAAY_URL: url, ...env })
}

/** A server that is not Raay: it answers every request with 502 and this text. */
async function standIn(t: Test, answer: () => string): Promise<{ url: string; close(): Promise<unknown> }> {
  const server = createServer((_, response) => response.writeHead(502).end(answer()))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const close = async () => {
    if (!server.listening) return
    server.close()
    server.closeAllConnections()
    await once(server, 'close')
  }
  t.teardown(close)
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close }
}

function done(t: Test, { code, stdout, stderr }: Ended, wanted: RegExp | string): void {
  t.same([code, stderr], [0, ''])
  t.match(stdout, wanted)
}

function failed(t: Test, ended: Ended, code: number, message: string | RegExp): void {
  t.same([ended.code, ended.stdout], [code, ''])
  t.match(ended.stderr, message)
  t.match(ended.stderr, /^raay: [^\n]+\n$/, 'one line')
}

t.test('an operator halts, resumes, closes and resolves an event', async t => {
  const { url, data, client } = await startTestServer(t)
  const raay = runner(url, { RAAY_DATA: data })
  const code = await client.createEvent({ title: 'Will it rain?' })
  done(t, await raay(`halt ${code}`), `${code} is halted: Will it rain?\n`)
  done(t, await raay(`halt ${code}`), `${code} is halted: Will it rain?\n`)
  done(t, await raay(`resume ${code}`), `${code} is open: Will it rain?\n`)
  failed(t, await raay(`resolve ${code} yes`), 1, 'raay: Event is open: close it first\n')
  done(t, await raay(`close ${code}`), `${code} is closed: Will it rain?\n`)
  const source = ['--source-url', 'https://example.org/rain', '--note', 'It did, from 3 to 4.']
  const line = new RegExp(`^${code} is (?:resolved|settled), outcome no: Will it rain\\?\n$`)
  done(t, await raay(`resolve ${code} no`, ...source), line)
  done(t, await raay(`resolve ${code} no`), line)
  const told = 'raay: Event is resolved as no: its outcome can no longer change\n'
  failed(t, await raay(`resolve ${code} yes`), 1, told)
  failed(t, await raay(`void ${code}`), 1, told)
  const { stdout } = await raay(`show ${code}`)
  t.match(stdout, /^source link {5}https:\/\/example.org\/rain\nnote {12}It did, from 3 to 4.$/m)
  const other = await client.createEvent({ title: 'Will it snow?' })
  done(t, await raay(`void ${other}`, '--note', 'Called off.'), `${other} is voided: Will it snow?\n`)
  const { body } = await client.get(`/events/${other}`)
  t.match(body.additional, { status: 'voided', outcome: 'void', note: 'Called off.', source_url: null })
})

t.test('events are listed and shown, for people and for programs', async t => {
  const { url, data, client } = await startTestServer(t)
  const raay = runner(url, { RAAY_DATA: data })
  done(t, await raay('list'), /^code {2}status {2}outcome {2}last {2}volume {2}ends \(UTC\) {2}title\n$/)
  const codes: string[] = []
  for (let index = 0; index < 3; index++) {
    codes.push(await client.createEvent({ title: `Rain ${index}`, end_date: '2099-01-01T00:00:00Z' }))
  }
  const [first = '', second = ''] = codes
  await client.placeOrder(first, { userid: 'asha', l1_expected_price: 6.5, l1_order_quantity: 2 })
  await client.placeOrder(first, { userid: 'ben', offer_type: 'sell', l1_order_quantity: 2 })
  await raay(`halt ${second}`)
  done(
    t,
    await raay('list'),
    `code     status  outcome  last  volume  ends (UTC)        title
${first}  open    -        6.50  2       2099-01-01 00:00  Rain 0
${second}  halted  -        -     0       2099-01-01 00:00  Rain 1
`,
  )
  done(t, await raay('list --status halted'), /^code [^\n]*\n1000002 [^\n]*\n$/)
  const list = await raay('list --json')
  t.match(JSON.parse(list.stdout), [{ event_id: first }, { event_id: second, status: 'halted' }, {}])
  const shown = await raay(`show ${first} --json`)
  const { body } = await client.get(`/events/${first}`)
  t.same(JSON.parse(shown.stdout), body.additional)
  const closed = await raay(`close ${first} --json`)
  t.match(JSON.parse(closed.stdout), { event_id: first, status: 'closed', outcome: null })
})

t.test('events on several pages are all listed', async t => {
  const { url, client } = await startTestServer(t)
  for (let index = 0; index < 1005; index += 15) {
    await Promise.all(Array.from({ length: 15 }, () => client.createEvent()))
  }
  const { stdout } = await callRaay(['event', 'list', '--json', '--url', url])
  const events = JSON.parse(stdout) as readonly { readonly event_id: string }[]
  t.equal(new Set(events.map(({ event_id }) => event_id)).size, 1005)
  t.equal(events.length, 1005)
})

t.test('control characters in a title do not reach the terminal', async t => {
  const { url, data, client } = await startTestServer(t)
  const code = await client.createEvent({ title: 'a\u001b[2J\u009b31mb\nc ৪৫ 👩‍🌾', sot: 'd\u202ee' })
  for (const line of [`show ${code}`, 'list', `halt ${code}`]) {
    const { stdout } = await runner(url, { RAAY_DATA: data })(line)
    t.notMatch(stdout.replaceAll('\n', ''), /[\p{Cc}\u202a-\u202e\u2066-\u2069]/u, line)
    t.match(stdout, 'a\ufffd[2J\ufffd31mb\ufffdc ৪৫ 👩‍🌾')
  }
})

t.test('wrong use is refused with exit code 2, and sends no request', async t => {
  let requests = 0
  const { url } = await standIn(t, () => {
    requests++
    return ''
  })
  const raay = runner(url)
  const rows: readonly (readonly [string, string | RegExp])[] = [
    ['stop 1000001', "unknown command 'stop' (Did you mean show?); see raay help event"],
    ['constructor', "unknown command 'constructor'"],
    ['halt', 'usage: raay event halt <code>'],
    ['halt 1000001 1000002', 'usage: raay event halt <code>'],
    ['list 1000001', /usage: raay event list\n/],
    ['resolve 1000001', 'usage: raay event resolve <code> <yes|no>'],
    ['void 1000001 yes', 'usage: raay event void <code>'],
    ['halt rain', '"rain" is not a valid event code: give seven digits, such as 1000001'],
    ['halt ..', '".." is not a valid event code'],
    ['halt 1000001?x', '"1000001?x" is not a valid event code'],
    ['resolve 1000001 maybe', '"maybe" is not a valid outcome: give yes or no'],
    ['resolve 1000001 void', '"void" is not a valid outcome: give yes or no, or use raay event void'],
    ['halt 1000001 --note x', "unknown option '--note'"],
    ['list --source-url x', "unknown option '--source-url'"],
    ['halt 1000001 --status open', "unknown option '--status'"],
    ['list --status', /'--status <status>' argument missing/],
    [
      'list --status opne',
      "option '--status <status>' argument 'opne' is invalid. Allowed choices are scheduled, open",
    ],
    ['edit 1000001', 'nothing to change: give --title'],
    ['edit rain --title x', '"rain" is not a valid event code'],
    ['edit 1000001 --payout 5', "unknown option '--payout'; see raay help event edit"],
    ['edit 1000001 --end soon', '--end is soon: give 2026-12-31T18:30:00Z'],
    ['list --url localhost:3000', '--url (RAAY_URL) is localhost:3000: give an address'],
    ['list --url ftp://localhost', '--url (RAAY_URL) is ftp://localhost'],
  ]
  for (const [line, message] of rows) failed(t, await raay(line), 2, message)
  const bare = await callRaay(['event'])
  failed(t, bare, 2, 'missing action; see raay help event')
  t.equal(requests, 0)
})

t.test('an exchange that cannot be reached, or is not Raay, is reported with exit code 1', async t => {
  const answers = ['', '[]', 'null', '{"status":"ok","message":"x"}', '<html>']
  const { url, close } = await standIn(t, () => answers.shift() ?? '')
  while (answers.length > 0) {
    failed(t, await runner(url)('list'), 1, `${url} answered 502, and not as Raay does: is the url right?`)
  }
  await close()
  const advice = `cannot reach ${url} (ECONNREFUSED): start it with raay start, or give --url`
  // A process of its own has no connection from before.
  failed(t, await runRaay(['event', 'list'], { RAAY_URL: url }), 1, advice)
  const real = await startTestServer(t)
  failed(t, await runner(real.url, { RAAY_DATA: real.data })('show 1000009'), 1, 'raay: Event not found\n')
  failed(t, await runner(real.url, { RAAY_DATA: real.data })('halt 1000009'), 1, 'raay: Event not found\n')
})

t.test('the admin token is sent, and never printed', async t => {
  const { url, client } = await startTestServer(t, { adminToken: TOKEN })
  const code = await client.createEvent()
  done(t, await runner(url)(`show ${code}`), code)
  const advice =
    /Sign in, or send a token: .*; give the data directory of the exchange with --data, or a token as RAAY_ADMIN_TOKEN/
  failed(t, await runner(url)(`halt ${code}`), 1, advice)
  const wrong = await runner(url, { RAAY_ADMIN_TOKEN: 'some-other-secret' })(`halt ${code}`)
  failed(t, wrong, 1, 'The token is not valid: it is wrong, has expired or was revoked')
  const broken = await runner(url, { RAAY_ADMIN_TOKEN: 'some-other-secret\n' })(`halt ${code}`)
  failed(t, broken, 2, 'RAAY_ADMIN_TOKEN is not a valid token')
  for (const { stderr } of [wrong, broken]) t.notMatch(stderr, 'some-other-secret')
  done(t, await runner(url, { RAAY_ADMIN_TOKEN: TOKEN })(`halt ${code}`), `${code} is halted`)
  const { stdout } = await callRaay(['help', 'start'], { RAAY_ADMIN_TOKEN: TOKEN })
  t.match(stdout, /--admin-token <token> [^-]*env: RAAY_ADMIN_TOKEN/)
  t.notMatch(stdout, TOKEN)
})
