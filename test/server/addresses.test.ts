import type { IncomingMessage } from 'node:http'
import { BlockList } from 'node:net'
import t from 'tap'
import { routes } from '../../src/api/routes.js'
import { settleTarget } from '../../src/server/site/request-target.js'
import type { RawAnswer } from '../fixtures/server/server-raw.js'
import { RawConnection } from '../fixtures/server/server-raw.js'
import { startTestServer } from '../fixtures/server-process.js'

/** Spellings of a path that mean the same; below, those that have to be refused. */
const SAME: Readonly<Record<string, (path: string) => string>> = {
  'one letter encoded': path => path.replace(/[a-z](?=[^a-z]*$)/, encoded),
  'all letters encoded': path => path.replace(/[\w.~-]/g, encoded),
  'in lower case hexadecimal': path => path.replace(/[\w.~-]/g, letter => encoded(letter).toLowerCase()),
  'in full': path => `http://localhost${path}`,
  'in full and encoded': path => `HTTP://localhost${path.replace(/[a-z]/, encoded)}`,
}
const REFUSED: Readonly<Record<string, (path: string) => string>> = {
  'a way around': path => `/x/..${path}`,
  'an encoded way around': path => `/x/%2e%2E${path}`,
  'a dot': path => `/.${path}`,
  'a backslash at the end': path => `${path}\\`,
  'a way around with backslashes': path => `/x\\..${path}`,
  'the same in full': path => `http://localhost/x\\..${path}`,
  'two slashes': path => `/${path}`,
  'a fragment': path => `${path}#x`,
  'a fragment after a query': path => `${path}?#x`,
  'encoded twice': path =>
    path.replace(/[a-z]/, letter => encoded(encoded(letter).slice(0, 1)) + encoded(letter).slice(1)),
  'half a percent-encoding': path => `${path}%6`,
  'an encoded slash': path => path.replace(/^\//, '/%2F'),
}
const HEADERS = ['cache-control', 'ratelimit', 'ratelimit-policy', 'raay-reason', 'vary', 'allow'] as const

t.test(
  'every route costs, shows and answers the same in each spelling, or the spelling is refused',
  async t => {
    const proxies = new BlockList()
    proxies.addSubnet('127.0.0.0', 8)
    const server = await startTestServer(t, { rateLimits: 'on', trustedProxies: proxies })
    await server.client.createEvent()
    let asked = 0
    /** Asks for each target from an address of its own, so that the limits show the cost of one request. */
    const ask = async (method: string, targets: readonly string[]) => {
      const connection = await RawConnection.open(server.port)
      for (const target of targets) {
        asked++
        const from = `X-Forwarded-For: 203.0.${asked >> 8}.${asked & 255}`
        connection.write(
          `${method} ${target} HTTP/1.1\r\nHost: localhost\r\n${from}\r\nContent-Length: 0\r\n\r\n`,
        )
      }
      const answers = await connection.answered(targets.length)
      await connection.reset()
      t.equal(answers.length, targets.length, `${method} ${targets[0]}`)
      return answers
    }
    for (const { method, path, isAtRootOnly = false } of routes) {
      const verb = method.toUpperCase()
      const bare = path.replace(':code', '1000001').replace(/:\w+/g, 'some')
      const isLong = /^\/docs|\.json$/.test(bare)
      for (const address of isAtRootOnly || isLong ? [bare] : [bare, `/api/v1${bare}`]) {
        const same = spellings(SAME, address)
        const refused = spellings(REFUSED, address)
        const targets = [...same, ...refused].map(([, target]) => target)
        const [plain, ...answers] = await ask(verb, [address, ...targets])
        t.not(plain?.headers['raay-reason'], 'route_not_found', `${verb} ${address}`)
        for (const [index, [name]] of same.entries()) {
          t.same(shown(answers[index]), shown(plain), `${verb} ${address} ${name}`)
        }
        for (const [index, [name]] of refused.entries()) {
          const { status, headers } = answers[same.length + index] ?? {}
          const reason = status === 400 ? 'address_invalid' : 'route_not_found'
          t.equal(headers?.['raay-reason'], reason, `${verb} ${address} ${name}: ${status}`)
        }
      }
    }
    t.same(server.faults, [])
  },
)

t.test('an address that is not UTF-8 is refused before anything reads it', async t => {
  const request = { url: '/portfolio/%ff/balance', headers: {}, rawHeaders: [] as string[] }
  t.match(settleTarget(request as unknown as IncomingMessage), [400, /UTF-8/, 'not_utf8'])
  t.equal(request.url, '/portfolio/%ff/balance')
})

t.test('a user id keeps what only percent-encoding can say', async t => {
  const { client, faults } = await startTestServer(t)
  await client.createEvent()
  for (const userid of ['a/b', 'a%61', 'ä b', 'a\\b', '..a', '%', 'a?b#c', 'a~b']) {
    await client.placeOrder('1000001', { userid })
    const answer = await client.get(`/portfolio/${encodeURIComponent(userid)}/balance`)
    t.match(answer.body, { code: 200, additional: { userid, held: 5 } }, userid)
  }
  t.same(faults, [])
})

function spellings(all: typeof SAME, address: string): readonly (readonly [name: string, target: string])[] {
  return Object.entries(all)
    .map(([name, spell]) => [name, spell(address)] as const)
    .filter(([, target]) => target !== address)
}

function shown(answer: RawAnswer | undefined) {
  return [answer?.status, ...HEADERS.map(name => answer?.headers[name]?.replace(/;t=\d+/, ''))]
}

function encoded(text: string): string {
  return `%${text.charCodeAt(0).toString(16).toUpperCase()}`
}
