import t from 'tap'
import type { Leaderboard, Profile } from '../../src/api/site/people-shape.js'
import type { AuthApp } from '../fixtures/auth-app.js'
import { openAuthApp } from '../fixtures/auth-app.js'
import { OPERATOR_KEY } from '../fixtures/http-scenario.js'
import { Operator } from '../fixtures/operator.js'
import { HOUR, MARKET, START } from '../fixtures/test-exchange.js'

const at = (hours: number) => new Date(START + hours * HOUR).toISOString()
const autumn = { name: 'Autumn', starts_at: at(1), ends_at: at(5), stake: 500 }

const ask = (app: AuthApp, method: string, path: string, body?: object) =>
  app.ask(path, { method, bearer: OPERATOR_KEY, ...(body && { body }) })

async function pass(app: AuthApp, hours: number): Promise<void> {
  app.test.now = START + hours * HOUR
  app.test.exchange.advanceClock()
  await app.test.exchange.drain()
}

/** Returns a board as `1 asha 60 0.09, …`. */
async function board(app: AuthApp, query: string): Promise<string> {
  const { people } = (await app.ask(`/leaderboard?${query}`)).additional as unknown as Leaderboard
  return people.map(({ rank, userid, profit, brier }) => `${rank} ${userid} ${profit} ${brier}`).join(', ')
}

t.test('operators plan seasons, everyone sees them', async t => {
  const app = await openAuthApp(t, { mode: 'open' })
  t.match(await app.ask('/seasons', { method: 'POST', body: autumn }), { status: 401 })
  t.match(await ask(app, 'POST', '/seasons', autumn), {
    status: 201,
    additional: { season: 1, ...autumn, status: 'planned', began_at: null },
  })
  t.match(await ask(app, 'POST', '/seasons', { ...autumn, name: 'Other' }), {
    status: 409,
    reason: 'seasons_overlap',
    message: 'Seasons do not overlap, and there is another one then: Autumn',
  })
  for (const [changes, message] of [
    [{ name: ' ' }, 'name: Expected 1 to 60 characters'],
    [{ name: 'a‮b' }, /^name: Expected no .*, which cannot be seen$/],
    [{ stake: 0.001 }, 'stake: Expected whole paise, at most 2 decimals'],
    [{ stake: 1e9 }, 'stake: Expected at most 10000000'],
    [{ stake: -1 }, 'stake: Expected 0 or more'],
    [{ starts_at: at(-1) }, 'starts_at: Expected a time in the future'],
    [{ starts_at: at(9), ends_at: at(9) }, 'ends_at: Expected a time after starts_at'],
    [{ starts_at: 'soon' }, /^starts_at: Expected an ISO 8601 date-time/],
    [{ prize: 5 }, /^prize: Unknown field/],
  ] as const) {
    t.match(await ask(app, 'POST', '/seasons', { ...autumn, ...changes }), { status: 422, message })
  }
  t.match(await ask(app, 'PATCH', '/seasons/1', { stake: 400, name: 'Fall' }), {
    status: 200,
    additional: { season: 1, name: 'Fall', stake: 400 },
  })
  t.match(await ask(app, 'PATCH', '/seasons/1', { ends_at: at(1) }), {
    status: 422,
    message: 'ends_at: Expected a time after starts_at',
  })
  for (const path of ['0', '01', '2', 'x', '99999'])
    t.match(await app.ask(`/seasons/${path}`), { status: 404 })
  await app.test.create()
  await app.test.playAll(['asha buy 10 @ 6', 'ben sell 10 @ 6', 'asha buy 1 @ 1'])
  t.match(await app.ask('/seasons/1/turn'), { status: 401 })
  t.match((await ask(app, 'GET', '/seasons/1/turn')).additional, {
    ...{ season: 1, users: 2, changed: 2, open_orders: 1, deposits: 0, withdrawals: 1200, floored: 0 },
  })
  await pass(app, 1)
  t.match((await app.ask('/seasons')).additional, {
    seasons: [{ season: 1, status: 'running', began_at: at(1) }],
  })
  t.match(await ask(app, 'DELETE', '/seasons/1'), { status: 409, reason: 'season_begun' })
  t.match((await app.ask('/portfolio/asha/balance')).additional, { cash: 340 })
  await pass(app, 5)
  t.match((await app.ask('/seasons/1')).additional, { status: 'over' })
  await ask(app, 'POST', '/seasons', { ...autumn, starts_at: at(8), ends_at: at(9) })
  t.match(await ask(app, 'DELETE', '/seasons/2'), { status: 200 })
  t.match(await app.ask('/seasons/2'), { status: 404 })
  const log = (await ask(app, 'GET', '/admin/actions')).additional as { actions: { action: string }[] }
  const actions = log.actions.map(({ action }) => action).filter(action => action.endsWith('season'))
  t.same(actions, ['delete_season', 'create_season', 'edit_season', 'create_season'])
  t.same(app.faults, [])
})

t.test('a board of a season counts what was resolved in it, and is the same after a restart', async t => {
  const app = await openAuthApp(t, { mode: 'open' })
  const { test } = app
  const operator = new Operator(test)
  for (let count = 0; count < 4; count++) await test.create()
  const [before, within, voided, after] = [0, 1, 2, 3].map(place => (MARKET + place) as typeof MARKET)
  for (const market of [before, within, voided, after]) {
    await test.playAll(['asha buy 10 @ 4', 'ben sell 10 @ 4'], market)
  }
  await ask(app, 'POST', '/seasons', autumn)
  await operator.settle('yes', before)
  t.equal(await board(app, 'season=1'), '', 'nothing counts before its start')
  await pass(app, 1)
  await test.playAll(['cora buy 5 @ 3', 'ben sell 5 @ 3'], within)
  await operator.settle('no', within)
  await operator.settle('void', voided)
  test.now += 60_000
  const expected = '1 ben 55 0.0336, 2 cora -15 0.4225, 3 asha -40 0.49'
  t.equal(await board(app, 'season=1'), expected)
  t.match((await app.ask('/leaderboard?season=1&userid=cora')).additional, {
    ...{ window: null, season: 1, own: { rank: 2, rank_week_ago: null, userid: 'cora' } },
  })
  await pass(app, 5)
  await operator.settle('yes', after)
  test.now += 60_000
  t.equal(await board(app, 'season=1'), expected, 'nothing counts after its end')
  const places = async () => ((await app.ask('/profiles/cora')).additional as unknown as Profile).seasons
  t.same(await places(), [{ season: 1, name: 'Autumn', rank: 2, of: 3, profit: -15 }])
  await app.ask('/portfolio/asha/profile', { method: 'PUT', body: { is_public: false } })
  test.now += 60_000
  t.equal(await board(app, 'season=1'), '1 ben 55 0.0336, 2 cora -15 0.4225')
  t.same(await places(), [{ season: 1, name: 'Autumn', rank: 2, of: 2, profit: -15 }])
  await app.ask('/portfolio/asha/profile', { method: 'PUT', body: { is_public: true } })

  t.match(await app.ask('/leaderboard?season=7'), { status: 404, reason: 'season_not_found' })
  t.match(await app.ask('/leaderboard?season=0'), { status: 422, message: /^season: / })
  t.same(app.faults, [])
  const again = await openAuthApp(t, {
    mode: 'open',
    exchange: { file: app.test.crashImage(`${test.file}-later`) },
  })
  again.test.now = test.now
  t.equal(await board(again, 'season=1'), expected)
})

t.test('in a turn, orders and results are 503 with the reason', async t => {
  const room = { state: 'ok' as 'ok' | 'low', freeBytes: 1e12, reserveBytes: 0 }
  const app = await openAuthApp(t, { mode: 'open', exchange: { room } })
  await app.test.create()
  await app.test.playAll(['asha buy 10 @ 6', 'ben sell 10 @ 6'])
  await new Operator(app.test).move('close')
  await ask(app, 'POST', '/seasons', autumn)
  app.test.now = START + HOUR
  app.test.exchange.advanceClock()
  room.state = 'low'
  await app.test.exchange.drain()
  t.match((await app.ask('/seasons/1')).additional, { status: 'turning' })
  const deposit = { amount: 5, txn_id: 'x' }
  for (const [path, body] of [
    ['/events/1000001/resolve', { outcome: 'yes' }],
    ['/portfolio/asha/deposit', deposit],
    ['/portfolio/asha/withdraw', deposit],
  ] as const) {
    t.match(await ask(app, 'POST', path, body), { status: 503, reason: 'season_turn' }, path)
  }
  room.state = 'ok'
  app.test.exchange.advanceClock()
  await app.test.exchange.drain()
  t.match(await ask(app, 'POST', '/events/1000001/resolve', { outcome: 'yes' }), { status: 200 })
  t.same(app.faults, [])
})
