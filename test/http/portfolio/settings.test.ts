import t from 'tap'
import { accessFor, appOn, checkScenarios } from '../../fixtures/http-scenario.js'
import { TestExchange } from '../../fixtures/test-exchange.js'

const PATH = '/portfolio/asha/settings'
const done = (message: string, additional: object) => ({ status: true, code: 200, message, additional })
const wrong = (message: string) => ({ status: false, code: 422, name: 'Unprocessable entity', message })
const put = (name: string, body: unknown) => ({ name, method: 'PUT', path: PATH, body })

t.test('settings are replaced as a whole, and what is no setting changes nothing', async t => {
  const test = await TestExchange.open(t)
  const on = appOn(test, accessFor())
  const settings = { language: 'hi', confirm_orders: true, last_quantity: 2.5 }
  const isSaved = { status: 200, answer: done('Settings saved successfully', { userid: 'asha', settings }) }
  const isFetched = {
    status: 200,
    answer: done('Settings fetched successfully', { userid: 'asha', settings }),
  }
  const nothing = done('Settings fetched successfully', { userid: 'ben', settings: {} })
  const tooMany = Object.fromEntries(Array.from({ length: 51 }, (_, index) => [`s${index}`, 1]))
  const values = 'settings: Expected texts of up to 200 characters, numbers, true or false'
  const names =
    'settings: Expected names of lower-case letters, digits and underscores, of up to 40 characters'
  await checkScenarios(t, on, [
    { ...put('saves', { settings }), ...isSaved },
    { name: 'another user has none', path: '/portfolio/ben/settings', status: 200, answer: nothing },
    { ...put('no settings', {}), status: 422, answer: wrong('settings: Required') },
    {
      ...put('a list', { settings: [1] }),
      status: 422,
      answer: wrong('settings: Expected record, received array'),
    },
    { ...put('an object inside', { settings: { a: {} } }), status: 422, answer: wrong(values) },
    { ...put('a long text', { settings: { a: 'x'.repeat(201) } }), status: 422, answer: wrong(values) },
    { ...put('a strange name', { settings: { 'A b': 1 } }), status: 422, answer: wrong(names) },
    {
      ...put('51 of them', { settings: tooMany }),
      status: 422,
      answer: wrong('settings: Expected at most 50 settings'),
    },
    { name: 'all of it left as it was', path: PATH, ...isFetched },
    {
      name: 'a reserved name is no user',
      path: '/portfolio/house/settings',
      status: 422,
      answer: wrong('userid: Expected another: house is reserved'),
    },
  ])
})

t.test('a watchlist holds events that exist, once each', async t => {
  const test = await TestExchange.open(t)
  const on = appOn(test, accessFor())
  await test.create()
  const path = '/portfolio/asha/watchlist'
  const list = (message: string, ...events: string[]) => ({
    status: 200,
    answer: done(message, { userid: 'asha', events }),
  })
  const unknown = { status: false, code: 404, name: 'Resource not found', message: 'Event not found' }
  const [fetched, saved] = ['Watchlist fetched successfully', 'Watchlist saved successfully']
  await checkScenarios(t, on, [
    { name: 'empty', path, ...list(fetched) },
    { name: 'adds', method: 'PUT', path: `${path}/1000001`, ...list(saved, '1000001') },
    { name: 'adds it once', method: 'PUT', path: `${path}/1000001`, ...list(saved, '1000001') },
    { name: 'an unknown event', method: 'PUT', path: `${path}/1000009`, status: 404, answer: unknown },
    { name: 'no event', method: 'PUT', path: `${path}/x`, status: 404, answer: unknown },
    { name: 'has one', path, ...list(fetched, '1000001') },
    {
      name: 'removing another changes nothing',
      method: 'DELETE',
      path: `${path}/x`,
      ...list(saved, '1000001'),
    },
    { name: 'removes', method: 'DELETE', path: `${path}/1000001`, ...list(saved) },
  ])
})
