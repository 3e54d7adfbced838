import pino from 'pino'
import t from 'tap'
import type { ClockReading } from '../../src/exchange/operations/trusted-clock.js'
import { ClockLog } from '../../src/server/clock-log.js'
import { verifyFile } from '../../src/verify/verify-file.js'
import type { TestApp } from '../fixtures/http-scenario.js'
import { appOn, peer } from '../fixtures/http-scenario.js'
import { HOUR, MARKET, START, TestExchange } from '../fixtures/test-exchange.js'
import { wrong } from '../fixtures/wrong.js'

const DAY = 24 * HOUR
const HEADERS = { Host: 'localhost' }
const FOLLOWED: ClockReading = { heldSince: undefined, aheadMs: 0, isGuarded: true, unexplainedMs: undefined }

interface Answer {
  readonly code: number
  readonly message: string
  readonly additional?: Record<string, unknown>
}

async function send({ app }: TestApp, method: string, path: string, from = '127.0.0.1'): Promise<Answer> {
  const response = await app.request(path, { method, headers: HEADERS }, peer(from))
  return (await response.json()) as Answer
}

async function metric({ app }: TestApp): Promise<string | undefined> {
  const text = await (await app.request('/metrics', { headers: HEADERS }, peer('127.0.0.1'))).text()
  return /^raay_clock_held (\d)$/m.exec(text)?.[1]
}

t.test('an event that ends in a clock jump stays open until the operator confirms the clock', async t => {
  const test = await TestExchange.open(t)
  const app = appOn(test)
  await test.create({ endAt: START + DAY })
  await test.place('asha buy 10 @ 6')
  const status = async () => {
    test.exchange.advanceClock()
    await test.exchange.drain()
    return test.exchange.market(MARKET)?.progress.status
  }
  const clock = async () => (await send(app, 'GET', '/admin/health')).additional?.clock
  t.same(await clock(), { trusted: true, held_since: null, ahead_ms: 0 })
  t.equal(await metric(app), '0')
  const early = await send(app, 'POST', '/admin/clock/confirm')
  t.match(early, { code: 409, message: 'There is no jump of the clock to confirm' })

  test.jump(14 * DAY)
  t.equal(await status(), 'open')
  const held_since = new Date(START).toISOString()
  t.same(await clock(), { trusted: false, held_since, ahead_ms: 14 * DAY })
  t.equal(await metric(app), '1')
  t.match(await send(app, 'GET', '/time'), { additional: { epoch_ms: START } })
  const stranger = { method: 'POST', headers: { Authorization: '' } }
  t.equal((await app.app.request('/admin/clock/confirm', stranger)).status, 401)
  t.equal(await status(), 'open', 'nobody else confirms it')

  const confirmed = await send(app, 'POST', '/admin/clock/confirm')
  const time = new Date(START + 14 * DAY).toISOString()
  t.match(confirmed, { code: 200, additional: { ahead_ms: 14 * DAY, time } })
  t.equal(await status(), 'closed')
  t.same(await clock(), { trusted: true, held_since: null, ahead_ms: 0 })
  t.equal((await send(app, 'POST', '/admin/clock/confirm')).code, 409)
  const lines = test.rows('SELECT action, who, fields FROM admin_actions')
  t.same(lines, [{ action: 'confirm_clock', who: 'token', fields: `{"ahead_ms":${14 * DAY}}` }])
  t.ok(test.exchange.moneyIsAllThere())
  t.same(wrong(verifyFile(test.file)), [])
})

t.test('an event closes on time after sleep, and after a jump that was undone', async t => {
  const test = await TestExchange.open(t)
  const app = appOn(test)
  await test.create({ endAt: START + 2 * DAY })
  test.jump(14 * DAY)
  test.exchange.advanceClock()
  t.match(await send(app, 'GET', '/admin/health'), { additional: { clock: { trusted: false } } })
  test.jump(-14 * DAY)
  t.match(await send(app, 'GET', '/admin/health'), { additional: { clock: { trusted: true } } })
  test.sleep(2 * DAY)
  test.exchange.advanceClock()
  await test.exchange.drain()
  t.equal(test.exchange.market(MARKET)?.progress.status, 'closed')
  t.same(test.rows('SELECT action FROM admin_actions'), [])
})

t.test('a restart follows a jumped clock and reports what the time since boot does not explain', async t => {
  const test = await TestExchange.open(t)
  await test.create()
  t.equal(test.exchange.clock.read().unexplainedMs, undefined)
  await test.close()
  test.jump(14 * DAY)
  await test.restart()
  t.match(test.exchange.clock.read(), { heldSince: undefined, unexplainedMs: 14 * DAY - 5 * HOUR })
  t.equal(test.exchange.now(), START + 14 * DAY)
})

t.test('the log reports once that a clock is held and once that it is followed again', async t => {
  const lines: string[] = []
  const log = pino({ base: null }, { write: (text: string) => lines.push(text) })
  const clockLog = new ClockLog(log, FOLLOWED)
  clockLog.look(FOLLOWED)
  t.same(lines, [])
  const held = { ...FOLLOWED, heldSince: START as NonNullable<ClockReading['heldSince']>, aheadMs: 2 * HOUR }
  for (const reading of [held, held, FOLLOWED, FOLLOWED]) clockLog.look(reading)
  t.match(
    lines.map(line => JSON.parse(line) as unknown),
    [
      { level: 40, aheadMs: 2 * HOUR, msg: /jumped ahead and is not followed: .*\/admin\/clock\/confirm/ },
      { level: 40, msg: 'the clock is followed again' },
    ],
  )
  t.equal(lines.length, 2)
})

t.test('the log reports doubts about the clock at startup', async t => {
  const lines: string[] = []
  const log = pino({ base: null }, { write: (text: string) => lines.push(text) })
  new ClockLog(log, { ...FOLLOWED, unexplainedMs: DAY })
  new ClockLog(log, { ...FOLLOWED, isGuarded: false })
  t.match(
    lines.map(line => JSON.parse(line) as unknown),
    [
      { level: 40, unexplainedMs: DAY, msg: /the machine was off, or the clock is wrong/ },
      { level: 40, msg: /a clock that jumps ahead is followed/ },
    ],
  )
  t.equal(lines.length, 2)
})
