import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { PassThrough } from 'node:stream'
import type { Test } from 'tap'
import t from 'tap'
import { readNewPassword } from '../../src/cli/input/password.js'
import { readConfig } from '../../src/server/config/config.js'
import { callRaay } from '../fixtures/raay-call.js'
import { dataDirectory } from '../fixtures/server/server-directory.js'
import { startTestServer } from '../fixtures/server-process.js'

const PASSWORD = 'correct horse battery'

async function startWithAccounts(t: Test) {
  const { access, startingBalance } = readConfig({ auth: 'accounts', 'starting-balance': '100' }, {})
  const server = await startTestServer(t, { access, startingBalance })
  const env = { RAAY_URL: server.url, RAAY_DATA: server.data }
  const raay = (line: string, typed = '', more = {}) => callRaay(line.split(' '), { ...env, ...more }, typed)
  const told = async (line: string, typed = '') => {
    const { code, stdout, stderr } = await raay(line, typed)
    t.equal(code, 0, `${line}: ${stderr}`)
    return stdout
  }
  const login = async (name: string, password: string) => {
    const headers = { 'Content-Type': 'application/json' }
    const body = JSON.stringify({ name, password })
    return (await fetch(`${server.url}/auth/login`, { method: 'POST', headers, body })).status
  }
  return { server, raay, told, login }
}

t.test('accounts are added, given roles and passwords, disabled and enabled', async t => {
  const { told, raay, login, server } = await startWithAccounts(t)
  t.equal(await told('user add asha', `${PASSWORD}\n`), 'asha is a trader\n')
  t.equal(await login('asha', PASSWORD), 200)
  t.equal(await told('user role asha operator'), 'asha is an operator\n')
  t.equal(
    await told('user passwd asha', 'another horse battery\r\nignored'),
    'The password is changed; all sessions have ended.\n',
  )
  t.equal(await login('asha', 'another horse battery'), 200)
  t.equal(await login('asha', PASSWORD), 401)
  await server.client.post('/auth/keys', { user: 'asha', name: 'bot', scopes: ['read'] })
  t.match(
    await told('user passwd asha', 'another horse battery'),
    /^The password is changed; .+\nAPI keys that still work: 1 "bot" of asha\. Revoke one with raay key revoke/,
  )
  t.match(JSON.parse(await told('user passwd asha --end-keys --json', 'another horse battery')), {
    ...{ name: 'asha', keys: [], keys_ended: 1 },
  })
  t.equal(await told('user disable asha'), 'asha is an operator, disabled\n')
  t.equal(await login('asha', 'another horse battery'), 403)
  t.match(JSON.parse(await told('user enable asha --json')), { name: 'asha', disabled: false })

  t.match(
    await told('user add ravi --role admin --link'),
    /^http:\/\/127\.0\.0\.1:\d+\/recover#token=rr_\S+\n$/,
  )
  t.match(JSON.parse(await told('user passwd ravi --link --json')), { url: /#token=rr_/ })

  for (const [line, typed, code, error] of [
    ['user add asha', `${PASSWORD}\n`, 1, /^raay: name: Taken/],
    ['user add lena', '', 2, /^raay: no password: type one, or write it to stdin\n$/],
    ['user add lena', 'short\n', 1, /^raay: password: /],
    ['user add lena --role king', PASSWORD, 2, /role/],
    ['user add lena secret-on-the-line', PASSWORD, 2, /^raay: usage: raay user add <userid>/],
    ['user role asha king', '', 2, /^raay: "king" is not a role/],
    ['user passwd asha --link --end-keys', '', 2, /^raay: give --link or --end-keys/],
    ['user passwd nobody', PASSWORD, 1, /^raay: User not found/],
    ['user disable nobody', '', 1, /^raay: User not found/],
    ['user ad lena', '', 2, /Did you mean add\?/],
  ] as const) {
    const ended = await raay(line, typed)
    t.match([ended.code, ended.stdout], [code, ''], line)
    t.match(ended.stderr, error, line)
  }
  t.same(server.faults, [])
})

t.test('keys are created, listed and revoked; a bot trades with one', async t => {
  const { told, raay, server } = await startWithAccounts(t)
  await told('user add asha --link')
  const code = await server.client.createEvent()
  const made = await raay('key create asha --name quotes --scopes read,trade --expires +90d')
  t.match(made.stderr, /^key 1, shown only now:\n$/)
  t.match(made.stdout, /^rk_[\w-]{43}\n$/, 'stdout is the key alone')
  const RAAY_TOKEN = made.stdout.trim()
  const bot = (line: string) => raay(line, '', { RAAY_TOKEN, RAAY_DATA: '/nowhere' })
  t.match((await bot(`order place ${code} buy 2 @ 5 --user asha`)).stdout, /rests in the book/)
  t.match((await bot('user show asha')).stdout, /held {7}₹10\.00/)
  t.match(await bot('user show ravi'), { code: 1, stderr: /userid: Expected your own/ })
  t.match(await bot(`event halt ${code}`), { code: 1, stderr: /Only operators/ })
  t.match(await told('user show asha'), /₹10\.00/, 'an operator sees all users')
  t.match(JSON.parse(await told('key list asha --json')), [{ id: 1, name: 'quotes', addresses: null }])
  t.match(
    await told('key list asha'),
    /^id {2}name {4}scopes {6}addresses {2}expires .*\n 1 {2}quotes {2}read,trade {2}all /,
  )
  t.match(
    (await bot(`order place ${code} buy 1 @ 4`)).stdout,
    /rests in the book/,
    'the key says whose order',
  )
  t.match((await bot('order list --open --json')).stdout, /"userid":\s*"asha"/)
  t.match((await bot('order cancel --all')).stdout, /cancelled.*\n.*cancelled/)
  t.match(await raay(`order place ${code} buy 1 @ 4`), { code: 2, stderr: /missing user/ })
  t.equal(await told('key revoke asha 1'), 'Revoked key 1\n')
  t.match(await bot('user show asha'), { code: 1, stderr: /The token is not valid/ })
  t.match(await raay('key revoke asha 1'), { code: 1, stdout: '' })
  t.match(await raay('key create asha --scopes read,fly'), { code: 2, stderr: /"fly" is not a scope/ })
  t.match(await raay('key create asha --scopes operate'), { code: 1, stderr: /fewer rights/ })
  t.match(await raay('key revoke asha x'), { code: 2, stdout: '' })
})

t.test('people are invited, and an operator is signed in to the pages', async t => {
  const { told, raay } = await startWithAccounts(t)
  t.match(
    await told('invite create --name lena --role viewer'),
    /^http:\/\/\S+\/sign-up#invitation=ri_\S+\n$/,
  )
  t.match(await told('invite list'), /^id {2}role .*\n 1 {2}viewer {2}lena /)
  t.equal(await told('invite revoke 1'), 'Withdrew invitation 1\n')
  t.same(JSON.parse(await told('invite list --json')), [])
  t.match(await raay('invite revoke 1'), { code: 1, stdout: '' })
  t.match(await told('admin link'), /^http:\/\/127\.0\.0\.1:\d+\/admin#code=\S+\n$/)
  const link = await raay('admin link')
  t.match(link.stderr, /^works once, until \d{4}-\d\d-\d\d \d\d:\d\d UTC:\n$/)
})

t.test('accounts need the mode accounts, and an operator', async t => {
  const server = await startTestServer(t)
  const env = { RAAY_URL: server.url, RAAY_DATA: server.data }
  const ended = await callRaay(['user', 'disable', 'asha'], env)
  t.match(ended, { code: 1, stderr: /--auth accounts/ })
  const stranger = await callRaay(['admin', 'link'], { ...env, RAAY_DATA: '/nowhere' })
  t.match(stranger, { code: 1, stdout: '', stderr: /give the data directory of the exchange with --data/ })
  const wrong = await callRaay(['admin', 'link'], { ...env, RAAY_TOKEN: 'white space' })
  t.match(wrong, { code: 2, stdout: '', stderr: /^raay: RAAY_TOKEN is not a valid token/ })
})

t.test("the operator's key goes to this machine only, and not where a redirect leads", async t => {
  const { data } = await startTestServer(t)
  const heard: (string | undefined)[] = []
  const thief = createServer((request, response) => {
    heard.push(request.headers.authorization)
    response.end('{}')
  })
  const port = await listen(t, thief)
  const door = createServer((_, response) => {
    response.writeHead(308, { location: `http://127.0.0.1:${port}/` }).end()
  })
  const env = { RAAY_DATA: data }
  const led = await callRaay(['admin', 'link', '--url', `http://localhost:${await listen(t, door)}`], env)
  t.match(led, { code: 1, stdout: '', stderr: /redirect/ })
  t.same(heard, [])
  for (const host of ['127.0.0.1.nip.test', 'localhost.test', '0.0.0.0', '[::ffff:7f00:1]']) {
    await callRaay(['backup', '--url', `http://${host}:${port}`], env)
  }
  t.same(
    heard.filter(token => token !== undefined),
    [],
  )
  await callRaay(['backup', '--url', `http://127.0.0.1:${port}`, '--data', dataDirectory(t)], env)
  t.same(
    heard.filter(token => token !== undefined),
    [],
    'there is no key in this directory',
  )
  await callRaay(['backup', '--url', `http://127.0.0.1:${port}`], env)
  t.match(heard.at(-1), /^Bearer ro_/)
})

t.test('a typed password is not shown, and typed twice', async t => {
  const type = async (...texts: string[]) => {
    const states: boolean[] = []
    const keys = Object.assign(new PassThrough(), {
      isTTY: true,
      setRawMode: (isRaw: boolean) => states.push(isRaw),
    })
    let shown = ''
    const output = { write: (text: string) => (shown += text) }
    const password = readNewPassword({ input: keys, output }).catch((error: Error) => error.message)
    for (const text of texts) {
      keys.write(text)
      await new Promise(setImmediate)
    }
    return { password: await password, shown, states }
  }
  const typed = await type('secrex\u007ft', '\r', 'secret\n')
  t.equal(typed.password, 'secret')
  t.equal(typed.shown, 'New password: \nThe same again: \n')
  t.same(typed.states, [true, false, true, false])
  t.equal((await type('one\r', 'two\r')).password, 'the two passwords differ')
  t.match((await type('\r')).password, /no password/)
  const interrupted = await type('sec\u0003')
  t.match(interrupted.password, /interrupted/)
  t.same(interrupted.states, [true, false])
})

async function listen(t: Test, server: ReturnType<typeof createServer>): Promise<number> {
  server.listen(0, '127.0.0.1')
  t.teardown(() => server.close())
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}
