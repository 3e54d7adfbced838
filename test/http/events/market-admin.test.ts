import t from 'tap'
import type { MarketCode } from '../../../src/core/units.js'
import type { Scenario, TestApp } from '../../fixtures/http-scenario.js'
import { appOn, checkScenarios, refusal } from '../../fixtures/http-scenario.js'
import { HOUR, MARKET, START, TestExchange } from '../../fixtures/test-exchange.js'

const OTHER = 1_000_002 as MarketCode
const MOVED = { halt: 'halted', resume: 'resumed', close: 'closed', resolve: 'resolved' } as const
type Move = keyof typeof MOVED

/** Sends one request; returns its status, its message, and the event's status and outcome, if any. */
async function act({ app, test }: TestApp, move: Move, body?: unknown, code = MARKET): Promise<string> {
  const headers = { Host: 'localhost' }
  const init = { method: 'POST', headers, ...(body !== undefined && { body: JSON.stringify(body) }) }
  const from = { incoming: { socket: { remoteAddress: '127.0.0.1' } } }
  const response = await app.request(`/events/${code}/${move}`, init, from)
  const answer = (await response.json()) as { message: string; additional?: Record<string, unknown> }
  await test.exchange.drain()
  const { status, outcome } = answer.additional ?? {}
  const event = status === undefined ? '' : ` (${status}${outcome === null ? '' : ` ${outcome}`})`
  return `${response.status} ${answer.message}${event}`
}

async function eventOf({ app }: TestApp, code: MarketCode = MARKET): Promise<Record<string, unknown>> {
  const response = await app.request(`/events/${code}`)
  return ((await response.json()) as { additional: Record<string, unknown> }).additional
}

t.test('an operator takes an event through its life cycle, and repeating a step is harmless', async t => {
  const test = await TestExchange.open(t)
  const app = appOn(test)
  await test.create()
  await test.playAll(['asha buy 10 @ 6', 'ben sell 10 @ 6', 'asha buy 5 @ 2'])
  const rows: readonly (readonly [Move, unknown, string])[] = [
    ['resume', undefined, '200 Event resumed successfully (open)'],
    ['halt', undefined, '200 Event halted successfully (halted)'],
    ['halt', { any: 'body' }, '200 Event halted successfully (halted)'],
    ['resume', undefined, '200 Event resumed successfully (open)'],
    ['halt', undefined, '200 Event halted successfully (halted)'],
    ['close', undefined, '200 Event closed successfully (closed)'],
    ['close', undefined, '200 Event closed successfully (closed)'],
    ['resolve', { outcome: 'yes' }, '200 Event resolved successfully (resolved yes)'],
    ['resolve', { outcome: 'yes', note: 'again' }, '200 Event resolved successfully (settled yes)'],
  ]
  for (const [move, body, wanted] of rows) t.equal(await act(app, move, body), wanted)
  const commands = test.journalled().flatMap(command => {
    if (command.type === 'MOVE_MARKET') return [command.to]
    return command.type === 'RESOLVE_MARKET' ? [command.outcome] : []
  })
  t.same(commands, ['halted', 'open', 'halted', 'closed', 'yes', 'settled'], 'each step is written once')
  t.equal(test.money('asha'), 'cash 1040 held 0 available 1040')
  t.equal(test.money('ben'), 'cash 960 held 0 available 960')
  t.ok(test.exchange.moneyIsAllThere())
})

t.test('a step taken too early or too late is refused with the state of the event', async t => {
  const test = await TestExchange.open(t)
  const app = appOn(test)
  const late = (status: string) => [
    ['halt', undefined, `409 Event is ${status}: it can no longer be halted`] as const,
    ['resume', undefined, `409 Event is ${status}: it can no longer be resumed`] as const,
  ]
  const gone = (status: string) => [
    ...late(status),
    ['close', undefined, `409 Event is ${status}: it can no longer be closed`] as const,
  ]
  const first = (status: string) =>
    (['yes', 'no'] as const).map(
      outcome => ['resolve', { outcome }, `409 Event is ${status}: close it first`] as const,
    )
  const told = (end: string, outcomes: readonly string[]) =>
    outcomes.map(
      outcome => ['resolve', { outcome }, `409 Event is ${end}: its outcome can no longer change`] as const,
    )
  const check = async (rows: readonly (readonly [Move, unknown, string])[], code: MarketCode) => {
    const before = test.journalled().length
    for (const [move, body, wanted] of rows) t.equal(await act(app, move, body, code), wanted)
    t.equal(test.journalled().length, before, 'nothing is written')
  }

  await test.create({ startAt: START + HOUR, endAt: START + 2 * HOUR })
  await check(
    [
      ['halt', undefined, '409 Event is scheduled: it cannot be halted before it opens'],
      ['resume', undefined, '409 Event is scheduled: it cannot be resumed before it opens'],
      ...first('scheduled'),
    ],
    MARKET,
  )
  await test.create()
  await check(first('open'), OTHER)
  await act(app, 'halt', undefined, OTHER)
  await check(first('halted'), OTHER)
  await act(app, 'close', undefined, OTHER)
  await check(late('closed'), OTHER)
  await act(app, 'resolve', { outcome: 'no' }, OTHER)
  await check([...gone('settled'), ...told('resolved as no', ['yes', 'void'])], OTHER)
  await act(app, 'resolve', { outcome: 'void' }, MARKET)
  await check([...gone('voided'), ...told('voided', ['yes', 'no'])], MARKET)
  await test.restart()
  t.equal(
    await act(appOn(test), 'resolve', { outcome: 'yes' }, OTHER),
    '409 Event is resolved as no: its outcome can no longer change',
    'also after a restart',
  )
})

t.test('an outcome keeps its source and its note, and is shown permanently', async t => {
  const test = await TestExchange.open(t)
  let app = appOn(test)
  await test.create()
  t.match(await eventOf(app), { outcome: null, source_url: null, note: null, resolvedAt: null })
  await act(app, 'close')
  test.now = START + HOUR
  const body = { outcome: 'no', source_url: 'HTTPS://example.org/रन?a=1#b', note: 'Final: 3–1 🎉\n"so"' }
  await act(app, 'resolve', body)
  const { outcome, source_url, note } = body
  const shown = { outcome, source_url, note, resolvedAt: new Date(START + HOUR).toISOString() }
  t.match(await eventOf(app), { ...shown, status: 'settled' })
  test.now = START + 2 * HOUR
  await act(app, 'resolve', { outcome: 'no', source_url: 'https://other.example', note: 'another' })
  t.match(await eventOf(app), shown, 'what was said first stays')
  await test.restart()
  app = appOn(test)
  t.match(await eventOf(app), shown)
  const list = (await (await app.app.request('/events')).json()) as { additional: { events: unknown[] } }
  t.match(list.additional.events[0], shown, 'in the list, too')
})

t.test('an invalid outcome is refused, field by field', async t => {
  const test = await TestExchange.open(t)
  await test.create()
  const long = (length: number) => `https://example.org/${'a'.repeat(length - 20)}`
  const url = 'source_url: Expected an http or https address'
  const text = 'Expected text without lone surrogates or NUL'
  const rows: readonly (readonly [unknown, string])[] = [
    [{}, 'outcome: Required'],
    [{ outcome: null }, "outcome: Invalid enum value. Expected 'yes' | 'no' | 'void', received 'null'"],
    [{ outcome: 'YES' }, "outcome: Invalid enum value. Expected 'yes' | 'no' | 'void', received 'YES'"],
    [
      { outcome: 'maybe', note: 1 },
      "outcome: Invalid enum value. Expected 'yes' | 'no' | 'void', received 'maybe'",
    ],
    [{ outcome: 'void', source_url: 1, note: 1 }, 'source_url: Expected string, received number'],
    ...[
      '',
      'example.org',
      'ftp://example.org',
      'javascript:alert(1)',
      'http:example.org',
      'https://',
      ' https://a.b',
    ].map(source_url => [{ outcome: 'void', source_url }, url] as const),
    [{ outcome: 'void', source_url: 'https://a.b/ c' }, url],
    [{ outcome: 'void', source_url: 'https://a.b/\ud800' }, `source_url: ${text}`],
    [{ outcome: 'void', source_url: long(2049) }, 'source_url: Expected at most 2048 characters'],
    [{ outcome: 'void', note: null }, 'note: Expected string, received null'],
    [{ outcome: 'void', note: 'a'.repeat(1001) }, 'note: Expected at most 1000 characters'],
    [{ outcome: 'void', note: 'a\0' }, `note: ${text}`],
    [[], 'body: Expected object, received array'],
    ['"yes"', 'body: Expected object, received string'],
  ]
  const path = '/events/1000001/resolve'
  const scenarios = rows.map(([body, message]): Scenario => {
    return { name: message, path, body, status: 422, answer: refusal(422, message) }
  })
  const malformed = { status: 400, answer: refusal(400, 'Malformed JSON') }
  await checkScenarios(t, appOn(test), [
    ...scenarios,
    { name: 'no body', path, method: 'POST', ...malformed },
    { name: 'broken', path, body: '{"outcome":', ...malformed },
  ])
  const most = { outcome: 'void', source_url: long(2048), note: 'a'.repeat(1000) }
  t.equal(await act(appOn(test), 'resolve', most), '200 Event resolved successfully (voided void)')
})

t.test('no transition applies to an event that does not exist', async t => {
  const test = await TestExchange.open(t)
  await test.create()
  const codes = ['1000002', '01000001', '1000001%20', 'abc', '%00', '1e6']
  const body = { outcome: 'yes' }
  await checkScenarios(
    t,
    appOn(test),
    codes.flatMap(code =>
      Object.keys(MOVED).map((move): Scenario => {
        const path = `/events/${code}/${move}`
        return { name: path, path, body, status: 404, answer: refusal(404, 'Event not found') }
      }),
    ),
  )
  await checkScenarios(
    t,
    appOn(test),
    ['/events/1000001/halt', '/events/1000001/resolve'].map((path): Scenario => {
      return {
        name: `GET ${path}`,
        path,
        status: 405,
        answer: refusal(405, 'This path does not take GET: use POST'),
      }
    }),
  )
})

t.test('a halted event takes no orders and keeps its book; a closed one releases the holds', async t => {
  const test = await TestExchange.open(t)
  const app = appOn(test)
  await test.create()
  await test.playAll(['asha buy 10 @ 6', 'ben sell 3 @ 7'])
  await act(app, 'halt')
  t.equal(await test.playAll(['ben sell 10 @ 6']), 'rejected 0 market_halted')
  t.equal(test.book(), '10@6 | 3@7')
  await act(app, 'resume')
  t.equal(await test.playAll(['ben sell 4 @ 6']), 'filled 4')
  await act(app, 'close')
  t.equal(test.book(), '- | -')
  t.equal(await test.playAll(['ben sell 1 @ 6']), 'rejected 0 market_closed')
  t.equal(test.money('asha'), 'cash 976 held 0 available 976')
  t.equal(test.money('ben'), 'cash 984 held 0 available 984')
  t.ok(test.exchange.moneyIsAllThere())
})

t.test('only one of two simultaneous outcomes counts', async t => {
  const test = await TestExchange.open(t)
  const app = appOn(test)
  await test.create()
  await test.playAll(['asha buy 10 @ 6', 'ben sell 10 @ 6'])
  await act(app, 'close')
  const outcomes = ['yes', 'no', 'yes', 'void', 'yes', 'no']
  const answers = await Promise.all(outcomes.map(outcome => act(app, 'resolve', { outcome })))
  const taken = answers.filter(answer => answer.startsWith('200'))
  t.equal(taken.length, 3, 'the first, and those who said the same')
  for (const answer of taken) t.match(answer, /\((?:resolved|settled) yes\)$/)
  const resolved = test.journalled().filter(({ type }) => type === 'RESOLVE_MARKET')
  t.equal(resolved.length, 1)
  t.equal(test.money('asha'), 'cash 1040 held 0 available 1040')
  t.ok(test.exchange.moneyIsAllThere())
})

t.test('an exchange stopped at any moment of a payout resumes at startup and pays nobody twice', async t => {
  for (const outcome of ['yes', 'void'] as const) {
    await t.test(outcome, async t => {
      const test = await TestExchange.open(t)
      const market = await test.create()
      const users = Array.from({ length: 300 }, (_, index) => `user${index}`)
      await Promise.all(users.map(user => test.place(`${user} buy 1 @ 6`)))
      await test.playAll(['ben sell 100 @ 6', 'cora sell 200 @ 6'])
      await act(appOn(test), 'close')
      const images = new Map<number, string>()
      const lookAtDisk = (): number => {
        const settled = test.rows('SELECT 1 FROM settlements').length
        if (!images.has(settled)) images.set(settled, test.crashImage(`${test.file}-${settled}`))
        return settled
      }
      test.exchange.onPublication(lookAtDisk)
      await test.exchange.resolveMarket(market, { outcome })
      // In one thread the parts follow each other without a turn of the event loop in between.
      for (let step = 1; lookAtDisk() < users.length + 2; step++) {
        await (step % 50 === 0 ? new Promise(resolve => setImmediate(resolve)) : Promise.resolve())
      }
      t.ok(images.size >= 4, `ended after ${[...images.keys()].join(', ')} of 302`)
      for (const [settled, file] of images) {
        const again = await TestExchange.open(t, { file })
        await again.exchange.drain()
        t.equal(again.rows('SELECT 1 FROM settlements').length, users.length + 2, `from ${settled} on`)
        const cash = outcome === 'yes' ? 1004 : 1000
        const wrong = users.filter(user => again.money(user) !== `cash ${cash} held 0 available ${cash}`)
        t.same(wrong, [])
        t.match(await eventOf(appOn(again)), { status: outcome === 'yes' ? 'settled' : 'voided', outcome })
        t.same(again.failures, [])
        t.ok(again.exchange.moneyIsAllThere())
      }
    })
  }
})
