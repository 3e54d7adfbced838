import { rmSync } from 'node:fs'
import pino from 'pino'
import type { Test } from 'tap'
import t from 'tap'
import { healthView } from '../../src/api/operator/health-view.js'
import { metricsText } from '../../src/http/metrics-text.js'
import type { VerifyScheduleOptions } from '../../src/server/verify-schedule.js'
import { VerifySchedule } from '../../src/server/verify-schedule.js'
import { QUIET_HOST } from '../fixtures/http-scenario.js'
import { START, TestExchange } from '../fixtures/test-exchange.js'

const LEVELS = { info: 30, warn: 40, error: 50 }

interface Transport {
  readonly level: number
  readonly msg: string
}

/** Starts a schedule whose first verification begins at once; returns it with the line it logs. */
async function verified(
  t: Test,
  file: string,
  options: Partial<VerifyScheduleOptions> = {},
): Promise<{ readonly schedule: VerifySchedule; readonly line: Transport }> {
  let schedule: VerifySchedule | undefined
  t.teardown(() => schedule?.stop())
  const line = await new Promise<Transport>(resolve => {
    const log = pino({ level: 'info' }, { write: (text: string) => resolve(JSON.parse(text) as Transport) })
    schedule = new VerifySchedule({ file, everyHours: 1, log, now: () => START, firstAfterMs: 0, ...options })
    schedule.begin()
  })
  return { schedule: schedule as unknown as VerifySchedule, line }
}

async function traded(t: Test): Promise<TestExchange> {
  const test = await TestExchange.open(t)
  await test.create()
  await test.playAll(['asha buy 10 @ 6', 'ben sell 4 @ 6'])
  return test
}

t.test('reports a sound file as sound, while it is in use', async t => {
  const test = await traded(t)
  const { schedule, line } = await verified(t, test.file)
  t.match(line, { level: LEVELS.info, msg: /the file is in order/ })
  t.match(schedule.last, { at: START, result: 'ok', findings: [], count: 0 })
  t.match(await test.place('cora buy 1 @ 6'), { state: 'resting' })
})

t.test('a verification that cannot be started is reported, and ends nothing', async t => {
  const test = await traded(t)
  const rows = [
    ['thrown', async () => Promise.reject(new Error('spawn ENOMEM')), /without a report: spawn ENOMEM/],
    ['reported', async () => ({ output: '', complaint: 'spawn node EMFILE' }), /^spawn node EMFILE$/],
    [
      'cut off',
      async () => ({ output: '{"ok":', complaint: '' }),
      /^the verification ended without a report/,
    ],
  ] as const
  for (const [what, run, finding] of rows) {
    const { schedule, line } = await verified(t, test.file, { run })
    t.match(line, { level: LEVELS.warn, msg: /could not be verified/ }, what)
    t.match(schedule.last, { result: 'failed', findings: [finding] }, what)
  }
})

t.test('begins to verify when a reload turns it on, and not after the stop', async t => {
  const test = await traded(t)
  for (const isStopped of [false, true]) {
    let lines = 0
    let schedule: VerifySchedule | undefined
    const begun = new Promise<void>(resolve => {
      const write = () => {
        lines++
        resolve()
      }
      const log = pino({ level: 'info' }, { write })
      schedule = new VerifySchedule({
        file: test.file,
        everyHours: 0,
        log,
        now: () => START,
        firstAfterMs: 0,
      })
      schedule.begin()
      if (isStopped) schedule.stop()
      schedule.change(1)
    })
    t.teardown(() => schedule?.stop())
    if (!isStopped) await begun
    t.equal(lines, isStopped ? 0 : 1)
    schedule?.change(2)
    schedule?.change(0)
    schedule?.stop()
  }
})

t.test('a damaged file raises an alarm, and the exchange keeps running', async t => {
  const test = await traded(t)
  test.tamper("UPDATE accounts SET cash = cash + iif(owner = 'user:asha', 1, -1) WHERE owner LIKE 'user:%'")
  const { schedule, line } = await verified(t, test.file)
  t.match(line, { level: LEVELS.error, msg: /the file is NOT in order: look at it with raay verify/ })
  t.match(line, { findings: [/account 5 \(user:asha\)/] })
  t.match(schedule.last, { result: 'broken', count: Number })
  t.match(await test.place('cora buy 1 @ 6'), { state: 'resting' })
  t.same(test.failures, [])

  const health = await test.exchange.health()
  const host = { ...QUIET_HOST, verification: () => schedule.last }
  const last = { result: 'broken', createdAt: new Date(START).toISOString(), count: schedule.last?.count }
  t.match(healthView(health, host, '1'), { last_verification: last })
  const text = metricsText(health, host, '1')
  t.match(text, /\nraay_verification_ok 0\n/)
  t.match(text, new RegExp(`\\nraay_verification_findings ${schedule.last?.count}\\n`))
  t.match(text, new RegExp(`\\nraay_last_verification_timestamp_seconds ${START / 1000}\\n`))
})

t.test('an unfinished verification says why, and nothing about the file', async t => {
  const test = await traded(t)
  const { schedule, line } = await verified(t, test.file, { logBytesMax: 0 })
  t.match(line, { level: LEVELS.warn, msg: /could not be verified/ })
  t.match(schedule.last, { result: 'failed', findings: [/a write-ahead log became too long/] })
  const host = { ...QUIET_HOST, verification: () => schedule.last }
  t.notMatch(metricsText(await test.exchange.health(), host, '1'), /\nraay_verification_ok [01]/)

  await test.close()
  rmSync(test.file)
  const gone = await verified(t, test.file)
  t.match(gone.schedule.last, { result: 'failed', findings: [/there is no data file/] })
})

t.test('reports nothing before the first verification has ended, or while they are off', async t => {
  const test = await traded(t)
  const log = pino({ level: 'silent' })
  const schedule = new VerifySchedule({
    file: test.file,
    everyHours: 0,
    log,
    now: () => START,
    firstAfterMs: 0,
  })
  schedule.begin()
  schedule.change(0)
  t.equal(schedule.last, undefined)
  const host = { ...QUIET_HOST, verification: () => schedule.last }
  t.match(healthView(await test.exchange.health(), host, '1'), { last_verification: null })
  t.notMatch(metricsText(await test.exchange.health(), host, '1'), /\nraay_verification_ok [01]/)
  schedule.stop()
})
