import type { Test } from 'tap'
import t from 'tap'
import type { RouteFacts } from '../../src/api/route.js'
import { routes } from '../../src/api/routes.js'
import { MESSAGES } from '../../src/api/channels/messages.js'
import { pageRoutes } from '../../src/api/site/page-routes.js'
import { readConfig } from '../../src/server/config/config.js'
import type { TestServer } from '../fixtures/server-process.js'
import { startTestServer } from '../fixtures/server-process.js'
import { ServerClient } from '../fixtures/server/server-client.js'
import { SocketIoClient } from '../fixtures/sockets/socket-io-client.js'
import type { ServerMessage } from '../fixtures/sockets/ws-client.js'
import { WsClient } from '../fixtures/sockets/ws-client.js'

/** Every text that only members may see has this word in it. */
const SECRET = /zebra/i
/** One grey pixel. */
const JPEG =
  '/9j/4AAQSkZJRgABAQEASABIAAD/2wBDAP//////////////////////////////////////////////////////////////////////////////////////wgALCAABAAEBAREA/8QAFBABAAAAAAAAAAAAAAAAAAAAAP/aAAgBAQABPxA='
const TEXTS = { auth: 'accounts', 'sign-up': 'open', 'starting-balance': '1000', 'site-name': 'Oaks' }
const PAGE = 'text/html'

interface Club extends TestServer {
  readonly nobody: ServerClient
  /** The cookie of a member. */
  readonly member: Readonly<Record<string, string>>
  /** The values of the named parts of paths that name something here, and nothing. */
  readonly there: Readonly<Record<string, string>>
  readonly nowhere: Readonly<Record<string, string>>
}

/** Starts an exchange for members, on which everything that visitors may not see has `SECRET` in it. */
async function openClub(
  t: Test,
  texts: Readonly<Record<string, string>> = { reads: 'members' },
): Promise<Club> {
  const { access, startingBalance, site } = readConfig(
    { ...TEXTS, 'site-contact': 'Ask the zebra', ...texts },
    {},
  )
  const server = await startTestServer(t, { access, startingBalance, site, socketIo: true })
  const { client, url } = server
  const nobody = new ServerClient(url)
  const member = await signUp(nobody, 'zebra-asha')
  const code = await client.createEvent({
    ...{ title: 'Will the zebra cross?', description: 'The zebra crosses or not.', sot: 'zebra.example' },
    category: 'Zebras',
  })
  const order = await client.placeOrder(code, { userid: 'zebra-asha' })
  await client.post(`/portfolio/ben/deposit`, { amount: 100, txn_id: 'zebra-1' })
  await client.placeOrder(code, { userid: 'ben', offer_type: 'sell' })
  const said = { text: 'The zebra will.', show_position: true }
  t.match(await nobody.post(`/events/${code}/comments`, said, member), { status: 201 })
  const profile = JSON.stringify({ is_public: true })
  t.match(await nobody.send('PUT', '/portfolio/zebra-asha/profile', profile, member), { status: 200 })
  const announced = JSON.stringify({ en: 'The zebra rests today.' })
  t.match(await client.send('PUT', '/admin/announcement', announced), { status: 200 })
  const put = await client.send('PUT', `/events/${code}/image`, JSON.stringify({ picture: JPEG }))
  const { image = '' } = put.body.additional as { readonly image?: string }
  t.match(image, /^\/pictures\//)
  const there = {
    code,
    id: order,
    userid: 'zebra-asha',
    number: '1',
    tab: 'orders',
    name: image.slice('/pictures/'.length),
  }
  const nowhere = {
    code: '1999999',
    id: '1999999-1-aaaaaa',
    userid: 'cara',
    number: '99',
    tab: 'orders',
    name: 'none.webp',
  }
  return { ...server, nobody, member, there, nowhere }
}

async function signUp(nobody: ServerClient, name: string): Promise<Readonly<Record<string, string>>> {
  const draft = { name, password: 'correct horse battery' }
  const answer = await nobody.post('/auth/sign-up', draft)
  const [cookie = ''] = (answer.headers.get('set-cookie') ?? '').split(';')
  if (answer.status !== 201) throw new Error(JSON.stringify(answer.body))
  return { cookie }
}

/** Every route, of the API and of the pages. */
const ALL: readonly RouteFacts[] = [...routes, ...Object.values(pageRoutes).flat()]

/** Returns the address of a route with these values of its named parts. */
function addressOf({ path }: RouteFacts, values: Readonly<Record<string, string>>): string {
  return path.replaceAll(
    /:(\w+)(?:\{[^/]*\})?/g,
    (_, name: string) => values[name] ?? (name === 'version' ? 'new.png' : '1'),
  )
}

interface Seen {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

function isPage({ headers }: Seen): boolean {
  return (headers.get('content-type') ?? '').startsWith(PAGE)
}

async function ask(
  { url }: Club,
  { method }: RouteFacts,
  path: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<Seen> {
  const body = method === 'GET' || method === 'DELETE' ? {} : { body: '{}' }
  const sent = { ...headers, ...(body.body !== undefined && { 'content-type': 'application/json' }) }
  const answer = await fetch(url + path, { method, headers: sent, redirect: 'manual', ...body })
  return { status: answer.status, headers: answer.headers, text: await answer.text() }
}

t.test(
  'as nobody, each route gives sign-in, health, version, documents and the site’s name alone',
  async t => {
    const club = await openClub(t)
    const ofEveryone = ['public', 'visit', 'identity']
    for (const route of ALL) {
      for (const accept of ['application/json', PAGE]) {
        const [seen, missing] = await Promise.all(
          [club.there, club.nowhere].map(values => ask(club, route, addressOf(route, values), { accept })),
        )
        if (seen === undefined || missing === undefined) throw new Error('both were asked for')
        const name = `${route.method} ${route.path} as ${accept}`
        t.notMatch(seen.text, SECRET, name)
        t.equal(seen.headers.get('x-robots-tag'), 'noindex', name)
        t.same([seen.status, seen.text], [missing.status, missing.text], `${name} does not say what exists`)
        // At some addresses, browsers get a page, which is the same for everyone.
        if (ofEveryone.includes(route.needs) || isPage(seen)) continue
        t.match(seen, { status: 401 }, `${name}: ${seen.text}`)
        t.equal(seen.headers.get('cache-control'), 'no-store', name)
      }
    }
  },
)

t.test('no shared cache may keep what a member is given, and pages are the same for everyone', async t => {
  const club = await openClub(t)
  const shown = { member: 0, same: 0 }
  for (const route of ALL.filter(({ method, needs }) => method === 'GET' && needs !== 'public')) {
    for (const accept of ['application/json', PAGE]) {
      const path = addressOf(route, club.there)
      const seen = await ask(club, route, path, { accept, ...club.member })
      const name = `${path} as ${accept}`
      if (seen.status === 200 && isPage(seen)) {
        const own = await ask(club, route, path, { accept })
        t.equal(seen.text, own.text, name)
        t.equal(seen.headers.get('cache-control'), 'no-cache', name)
        shown.same++
      } else {
        t.match(seen.headers.get('cache-control'), /^(?:no-store|private, )/, `${name}: ${seen.status}`)
        t.equal(seen.headers.get('cross-origin-resource-policy'), 'same-origin', name)
        if (SECRET.test(seen.text)) shown.member++
      }
    }
  }
  t.ok(shown.member >= 10 && shown.same >= 10, JSON.stringify(shown))
  const { additional } = (await club.nobody.get('/', club.member)).body
  t.match(additional, { contact: 'Ask the zebra', announcement: {}, starting_balance: 1000 })
  const visitors = (await club.nobody.get('/')).body.additional
  t.notMatch(Object.keys(visitors as object).join(), /contact|announcement|starting_balance|demo/)
  t.match(visitors, { name: 'Oaks' })
  const picture = await fetch(`${club.url}/pictures/${club.there.name}`, { headers: club.member })
  t.equal(picture.headers.get('cache-control'), 'private, max-age=31536000, immutable')
})

t.test(
  'as nobody, each message of each channel is refused without saying which events there are',
  async t => {
    const club = await openClub(t)
    const { code = '' } = club.there
    const socket = await WsClient.connect(t, club.client.wsUrl())
    const polled = await SocketIoClient.connect(t, club.url)
    for (const { verb, needs, sample } of MESSAGES.filter(({ verb }) => verb !== 'authenticate')) {
      const ofCode = (name: string) =>
        JSON.parse(JSON.stringify(sample).replaceAll('1000001', name)) as unknown
      const answers: unknown[] = []
      for (const name of [code, '1999999']) {
        const { data } = (await socket.ask({ event: verb, data: ofCode(name), id: 1 })) as ServerMessage
        const acknowledged = (await polled.ask(verb, ofCode(name))) as object
        if (needs !== 'visit') {
          t.match(data, { code: 401 }, `${verb} ${name}`)
          t.match(acknowledged, { data: { code: 401 } }, `${verb} ${name} over Socket.IO`)
        }
        answers.push([data, acknowledged])
      }
      t.same(answers[0], answers[1], verb)
    }
    await club.client.placeOrder(code, { userid: 'ben', l1_expected_price: 2 })
    await socket.ask({ event: 'unsubscribe_user', data: 'cara', id: 2 })
    t.notMatch(JSON.stringify([socket.messages, polled.messages]), SECRET)
  },
)

t.test('a member sees the markets over every channel, and a key that may only trade does not', async t => {
  const club = await openClub(t)
  const { code = '' } = club.there
  const socket = await WsClient.connect(t, club.client.wsUrl(), { headers: club.member })
  t.match(await socket.subscribe(code), { type: 'snapshot' })
  const group = await club.client.createGroup()
  t.match(await socket.ask(['subscribe_group', group]), { event: 'subscribed' })
  const made = await club.nobody.post('/auth/keys', { name: 'bot', scopes: ['trade'] }, club.member)
  const { key } = made.body.additional as { readonly key: string }
  const bot = { authorization: `Bearer ${key}` }
  t.match(await club.nobody.get(`/events/${code}`, bot), { status: 403 })
  const answer = await socket.ask({ event: 'authenticate', data: { token: key }, id: 3 })
  t.match(answer, { event: 'unsubscribed', data: code }, 'its book ends')
  t.match(await socket.next(), { event: 'unsubscribed', data: group }, 'so do the prices of a group')
  t.match(await socket.next(), { event: 'authenticated' })
  const { length } = socket.messages
  await club.client.placeOrder(code, { userid: 'ben', l1_expected_price: 2 })
  t.match(await socket.ask(['subscribe_orderbook', code]), { data: { code: 403 } })
  await club.client.placeOrder(String(Number(group) + 1), { userid: 'ben' })
  t.match(await socket.ask(['subscribe_group', group]), { data: { code: 403 } })
  t.notMatch(JSON.stringify(socket.messages.slice(length)), /event_(orderbook|group)/)
})

t.test(
  'when reading becomes for members, visitors and keys that may not read are cut off at once',
  async t => {
    const club = await openClub(t, { reads: 'public' })
    const { code = '' } = club.there
    const made = await club.nobody.post('/auth/keys', { name: 'bot', scopes: ['trade'] }, club.member)
    const bot = { authorization: `Bearer ${(made.body.additional as { readonly key: string }).key}` }
    const connect = (headers = {}) => WsClient.connect(t, club.client.wsUrl(), { headers })
    const [visitor, trader, member] = [await connect(), await connect(bot), await connect(club.member)]
    const polled = await SocketIoClient.connect(t, club.url)
    for (const socket of [visitor, trader, member])
      t.match(await socket.subscribe(code), { type: 'snapshot' })
    await polled.ask('subscribe_orderbook', code)
    const page = async () => (await fetch(`${club.url}/market/${code}`, { headers: { accept: PAGE } })).text()
    const statuses = async () => {
      const answers = await Promise.all([{}, club.member].map(each => club.nobody.get('/events', each)))
      return answers.map(({ status }) => status)
    }
    t.same(await statuses(), [200, 200])
    t.match(await page(), SECRET)

    const turn = (publicReads: boolean) =>
      club.reconfigure(config => ({ ...config, access: { ...config.access, publicReads } }))
    turn(false)
    for (const socket of [visitor, trader]) t.match(await socket.closed, { code: 4401 })
    await polled.until(() => polled.endings.length > 0)
    t.same(await statuses(), [401, 200])
    t.notMatch(await page(), SECRET)
    t.match(await member.ask(['subscribe_orderbook', code]), { event: 'subscribed' }, 'members stay')
    t.equal((await club.nobody.get('/auth/session')).headers.get('x-robots-tag'), 'noindex')

    turn(true)
    t.same(await statuses(), [200, 200])
    t.match(await page(), SECRET)
    t.equal((await club.nobody.get('/events')).headers.get('x-robots-tag'), null)
    t.same(club.faults, [])
  },
)

t.test(
  'where anyone may create events, only members may, since a refusal would name what exists',
  async t => {
    const club = await openClub(t, { reads: 'members', 'event-creation': 'anyone' })
    const draft = {
      ...{ title: 'Will the zebra cross?', description: 'Again.', sot: 'x', min_bet: 0, max_bet: 10 },
      ...{ start_date: '2020-01-01T00:00:00.000Z', end_date: '2120-01-01T00:00:00.000Z', quantity: 10 },
    }
    t.match(await club.nobody.post('/events/create', draft), { status: 401 })
    t.match(await club.nobody.post('/events/create', draft, club.member), { status: 409 })
  },
)
