import t from 'tap'
import type { Leaderboard, Profile } from '../../src/api/site/people-shape.js'
import type { AuthApp } from '../fixtures/auth-app.js'
import { openAuthApp } from '../fixtures/auth-app.js'
import { OPERATOR_KEY } from '../fixtures/http-scenario.js'
import { Operator } from '../fixtures/operator.js'

async function traded(app: AuthApp): Promise<void> {
  await app.test.create()
  await app.test.playAll(['asha buy 10 @ 4', 'ben sell 10 @ 4'])
  await new Operator(app.test).settle('yes')
}

async function names(app: AuthApp): Promise<string> {
  const { people } = (await app.ask('/leaderboard')).additional as unknown as Leaderboard
  return people.map(({ rank, userid, profit }) => `${rank} ${userid} ${profit}`).join(', ')
}

const choose = (app: AuthApp, user: string, is_public: boolean, session?: string) =>
  app.ask(`/portfolio/${user}/profile`, { method: 'PUT', body: { is_public }, session })

t.test('in open mode, people are on the leaderboard until they choose otherwise', async t => {
  const app = await openAuthApp(t, { mode: 'open' })
  await traded(app)
  t.equal(await names(app), '1 asha 60, 2 ben -60')
  t.match((await app.ask('/profiles/ASHA ')).status, 404, 'names are exact')
  const figures = { profit: 60, volume: 40, events: 1, brier: 0.09, forecasts: 1 }
  t.match((await app.ask('/profiles/asha')).additional, {
    ...{ userid: 'asha', is_bot: false, since: '2027-01-15T08:00:00.000Z', comments: [], is_complete: true },
    figures: { '7d': figures, '30d': figures, all: figures },
    calibration: [{ forecast: 0.7, happened: 1, count: 1 }],
    best: [{ event_id: '1000001', outcome: 'yes', profit: 60, forecast: 0.7 }],
    won: 1,
  })
  const { course } = (await app.ask('/profiles/asha')).additional as unknown as Profile
  t.same([course.length, course.at(-1)], [30, { day: '2027-01-15', profit: 60 }])
  t.equal((await choose(app, 'asha', false)).status, 200)
  t.equal(await names(app), '1 ben -60', 'at once, though the board is kept')
  const gone = await app.ask('/profiles/asha')
  const nobody = await app.ask('/profiles/nobody')
  t.same([gone.status, gone.message], [nobody.status, nobody.message], 'as if there were no such user')
  t.same(app.faults, [])
})

t.test('the own line is found at any rank, but never of someone private', async t => {
  const app = await openAuthApp(t, { mode: 'open' })
  await app.test.create()
  await app.test.playAll(['asha buy 10 @ 4', 'ben sell 6 @ 4', 'cora sell 4 @ 4'])
  await new Operator(app.test).settle('yes')
  const own = async (userid: string) =>
    ((await app.ask(`/leaderboard?userid=${userid}`)).additional as unknown as Leaderboard).own
  t.match(await own('ben'), { rank: 3, rank_week_ago: null, userid: 'ben', profit: -36 })
  t.equal(await own('nobody'), null)
  await choose(app, 'cora', false)
  t.equal(await own('cora'), null, 'at once, though the board is kept')
  t.match(await own('ben'), { rank: 2 }, 'those below someone who left move up')
  t.equal((await app.ask('/leaderboard')).additional.own, null)
  t.equal((await app.ask(`/leaderboard?userid=${'x'.repeat(129)}`)).status, 422)
  t.same(app.faults, [])
})

t.test('in accounts mode, nobody is public who has not agreed, nor by the will of another', async t => {
  const app = await openAuthApp(t, { mode: 'accounts' })
  const asha = (await app.signedIn('asha')).session.token
  const ben = (await app.signedIn('ben')).session.token
  await traded(app)
  t.equal(await names(app), '')
  t.equal((await app.ask('/profiles/asha')).status, 404)
  t.equal((await app.ask('/profiles/asha', { bearer: OPERATOR_KEY })).status, 404)
  t.same((await choose(app, 'asha', true, ben)).reason, 'other_user')
  t.same((await choose(app, 'asha', true)).reason, 'token_missing')
  t.same((await app.ask('/portfolio/asha/profile', { session: ben })).reason, 'other_user')
  t.match((await app.ask('/portfolio/asha/profile', { session: asha })).additional, { is_public: false })
  t.equal((await app.ask('/profiles/asha')).status, 404)

  t.equal((await choose(app, 'asha', true, asha)).status, 200)
  t.equal((await app.ask('/profiles/asha')).status, 200)
  app.test.now += 30_000
  t.equal(await names(app), '1 asha 60', 'and nobody else')
})

t.test('a profile shows comments, but none that is hidden', async t => {
  const app = await openAuthApp(t, { mode: 'open' })
  await traded(app)
  const post = async (text: string) => {
    const body = { userid: 'asha', text, show_position: true }
    return Number((await app.ask('/events/1000001/comments', { body })).additional.id)
  }
  await post('Shown.')
  const hidden = await post('Rude.')
  const hide = { bearer: OPERATOR_KEY, body: { reason: 'Rude' } }
  t.equal((await app.ask(`/events/1000001/comments/${hidden}/hide`, hide)).status, 200)
  const { comments } = (await app.ask('/profiles/asha')).additional
  t.match(comments, [{ text: 'Shown.', event_id: '1000001' }])
  t.equal((comments as unknown[]).length, 1)
})
