import t from 'tap'
import { appOn, checkScenarios, refusal } from '../../fixtures/http-scenario.js'
import { TestExchange } from '../../fixtures/test-exchange.js'

const TOKEN = 'a-token-of-the-operator'

const no = (status: number, message: string) => ({ status, answer: refusal(status, message) })
const user = (userid: string, cash: number, held = 0) => ({
  userid,
  cash,
  held,
  available: cash - held,
  suspended: false,
})

function answer(users: readonly object[], next_cursor: string | null = null) {
  return {
    status: true,
    code: 200,
    message: 'Users fetched successfully',
    additional: { users, next_cursor },
  }
}

t.test('users are listed with their money in order of arrival, without other accounts', async t => {
  const test = await TestExchange.open(t)
  await checkScenarios(t, appOn(test), [
    { name: 'nobody yet', path: '/portfolio', status: 200, answer: answer([]) },
  ])
  await test.create()
  await test.playAll(['asha buy 10 @ 5', 'user: buy 1 @ 4', 'ben sell 4 @ 5'])
  const [asha, odd, ben] = [user('asha', 980, 30), user('user:', 1000, 4), user('ben', 980)]
  await checkScenarios(t, appOn(test), [
    { name: 'all of them', path: '/portfolio', status: 200, answer: answer([asha, odd, ben]) },
    { name: 'a full page', path: '/portfolio?limit=3', status: 200, answer: answer([asha, odd, ben]) },
    { name: 'the first', path: '/api/v1/portfolio?limit=1', status: 200, answer: answer([asha], '5') },
    { name: 'behind it', path: '/portfolio?limit=1&cursor=5', status: 200, answer: answer([odd], '6') },
    { name: 'behind the last', path: '/portfolio?cursor=7', status: 200, answer: answer([]) },
  ])
})

t.test('a page is bounded, and only our own cursors are accepted', async t => {
  const app = appOn(await TestExchange.open(t))
  const cursor = no(422, 'cursor: Expected the next_cursor of a page before')
  await checkScenarios(t, app, [
    { name: 'no rows', path: '/portfolio?limit=0', ...no(422, 'limit: Expected 1 to 1000') },
    { name: 'too many', path: '/portfolio?limit=1001', ...no(422, 'limit: Expected 1 to 1000') },
    { name: 'a word', path: '/portfolio?cursor=asha', ...cursor },
    { name: 'below zero', path: '/portfolio?cursor=-1', ...cursor },
    { name: 'beyond all numbers', path: '/portfolio?cursor=9007199254740993', ...cursor },
  ])
})

t.test('only the operator can see who has what', async t => {
  const test = await TestExchange.open(t)
  await test.create()
  await test.playAll(['asha buy 10 @ 5'])
  const path = '/portfolio'
  const wrong = 'The token is not valid: it is wrong, has expired or was revoked'
  const headers = (token: string) => ({ Authorization: `Bearer ${token}` })
  await checkScenarios(t, appOn(test, TOKEN), [
    { name: 'no token', path, ...no(401, 'Sign in, or send a token: Authorization: Bearer <token>') },
    { name: 'another token', path, headers: headers('another-token-of-theirs'), ...no(401, wrong) },
    {
      name: 'the token',
      path,
      headers: headers(TOKEN),
      status: 200,
      answer: answer([user('asha', 1000, 50)]),
    },
  ])
})

t.test('a search finds user ids whatever the case of their letters, in any script', async t => {
  const test = await TestExchange.open(t)
  await test.create()
  const users = ['Élan', 'МОСКВА', 'ΣΊΣΥΦΟΣ', 'ＢＴＣ']
  await test.playAll(users.map(name => `${name} buy 1 @ 1`))
  const app = appOn(test)
  for (const [q, found] of [
    ['élan', 'Élan'],
    ['É', 'Élan'],
    ['E\u0301LAN', 'Élan'],
    ['москва', 'МОСКВА'],
    ['Моск', 'МОСКВА'],
    ['ίσυ', 'ΣΊΣΥΦΟΣ'],
    ['btc', 'ＢＴＣ'],
  ] as const) {
    await checkScenarios(t, app, [
      {
        name: q,
        path: `/portfolio?q=${encodeURIComponent(q)}`,
        status: 200,
        answer: answer([user(found, 1000, 1)]),
      },
    ])
  }
})

t.test('users are sorted by profit, by volume and by when they were last seen, page by page', async t => {
  const test = await TestExchange.open(t)
  const { code } = (await test.create()).terms
  const { app } = appOn(test)
  const order = async (query: string): Promise<string[]> => {
    const found: string[] = []
    for (let next = ''; ; ) {
      const answer = await app.request(`/portfolio?limit=1&${query}${next}`)
      const { additional } = (await answer.json()) as {
        readonly additional: {
          readonly users: readonly { readonly userid: string }[]
          readonly next_cursor: string | null
        }
      }
      found.push(...additional.users.map(({ userid }) => userid))
      if (additional.next_cursor === null) return found
      next = `&cursor=${additional.next_cursor}`
    }
  }
  for (const orders of [
    ['zoya buy 1 @ 1', 'asha buy 10 @ 6'],
    ['ben sell 10 @ 6'],
    ['cara buy 4 @ 6', 'ben sell 4 @ 6'],
  ]) {
    await test.playAll(orders)
    test.sleep(60_000)
  }
  t.same(await order('sort=last_seen'), ['zoya', 'asha', 'ben', 'cara'])
  t.same(await order('sort=volume&order=desc'), ['asha', 'ben', 'cara', 'zoya'])
  const market = test.exchange.market(code)
  if (market === undefined) throw new Error('the market is there')
  await test.exchange.moveMarket(market, 'close')
  await test.exchange.resolveMarket(market, { outcome: 'yes' })
  await test.exchange.drain()
  test.sleep(60_000)
  t.same(await order('sort=profit&order=desc'), ['asha', 'cara', 'zoya', 'ben'])
  t.same(await order('sort=profit'), ['ben', 'zoya', 'cara', 'asha'])
  t.same(await order('sort=profit&order=desc&q=a'), ['asha', 'cara', 'zoya'])
})
