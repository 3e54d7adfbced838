import t from 'tap'
import { spawnTestServer } from '../fixtures/server-process.js'

const ACCOUNTS = ['--auth', 'accounts']
const PENNILESS = /new accounts have ₹0: .*raay user credit.*--starting-balance 1000; --site-contact /

t.test('a start says how accounts get money while there are none, unless they begin with some', async t => {
  const first = await spawnTestServer(t, { flags: ACCOUNTS })
  const made = { name: 'asha', role: 'trader', password: 'a sentence to remember' }
  t.equal((await first.client.post('/auth/users', made)).body.code, 201)
  await first.kill('SIGTERM')
  t.match(first.stderr(), PENNILESS)
  for (const [what, options] of [
    ['there is an account', { data: first.data, flags: ACCOUNTS }],
    ['accounts begin with money', { flags: [...ACCOUNTS, '--starting-balance', '1000'] }],
  ] as const) {
    const server = await spawnTestServer(t, options)
    await server.kill('SIGTERM')
    t.notMatch(server.stderr(), /₹0/, what)
  }
})

t.test('a signal in the moment in which the start completes stops it', async t => {
  const module = `const write = process.stdout.write
    process.stdout.write = function (text, ...rest) {
      if (String(text).includes('is ready on')) process.kill(process.pid, 'SIGTERM')
      return write.call(this, text, ...rest)
    }`
  const server = await spawnTestServer(t, {
    env: { NODE_OPTIONS: `--import "data:text/javascript,${encodeURIComponent(module)}"` },
  })
  t.equal(await server.ended, 0)
  t.match(server.stderr(), 'SIGTERM: finishing requests in progress')
})
