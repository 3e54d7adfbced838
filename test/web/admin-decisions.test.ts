import t from 'tap'
import type { Outcome } from '../../src/client/client.js'
import { BULK_MOVES, movable, moveAll } from '../../src/web/admin/events/list/bulk-moves.js'
import { decisionsAmong } from '../../src/web/admin/events/list/decisions-among.js'
import { verdictOf } from '../../src/web/admin/health/health-verdict.js'

const NOW = Date.parse('2026-11-24T12:00:00.000Z')
const backup = (createdAt: string) => ({ createdAt }) as never
const GOOD: Parameters<typeof verdictOf>[0] = {
  orders: { total: 9, per_second: 1, per_second_of_minute: 1, latency_p50: 2, latency_p99: 40 },
  disk: { state: 'ok', free_bytes: 9, reserve_bytes: 1 },
  backups: {
    ...{ last_verified: backup('2026-11-24T01:00:00.000Z'), last_failure: null },
    ...{ verifying: null, next: null },
  },
  last_backup: null,
  last_verification: null,
  clock: { trusted: true, held_since: null, ahead_ms: 0 },
  tables: { sequence: 1, commands_behind: 0, reads_waiting: 0 },
}

t.test('the verdict is that of the worst concern, at the bounds of the alarms', async t => {
  const failure = { createdAt: '2026-11-24T02:00:00.000Z', message: 'no room' }
  const rows: readonly (readonly [Partial<typeof GOOD>, string, string])[] = [
    [{}, 'good', ''],
    [{ orders: { ...GOOD.orders, latency_p99: null } }, 'good', ''],
    [{ orders: { ...GOOD.orders, latency_p99: 501 } }, 'look', 'speed'],
    [{ disk: { ...GOOD.disk, state: 'low' } }, 'look', 'disk'],
    [{ disk: { ...GOOD.disk, state: 'full' } }, 'act', 'disk'],
    [{ backups: { ...GOOD.backups, last_verified: null } }, 'look', 'backup'],
    [{ backups: { ...GOOD.backups, last_verified: backup('2026-11-22T23:00:00.000Z') } }, 'look', 'backup'],
    [{ backups: { ...GOOD.backups, last_failure: failure } }, 'act', 'backup'],
    [{ last_verification: { result: 'broken' } as never }, 'act', 'file'],
    [{ last_verification: { result: 'ok' } as never }, 'good', ''],
    [{ clock: { trusted: false, held_since: null, ahead_ms: 9 } }, 'act', 'clock'],
    [{ tables: { ...GOOD.tables, commands_behind: 25_001 } }, 'look', 'tables'],
  ]
  for (const [change, grade, concern] of rows) {
    const verdict = verdictOf({ ...GOOD, ...change }, NOW)
    t.equal(verdict.grade, grade, JSON.stringify(change))
    t.equal(verdict.concerns.map(([name]) => name).join(), concern)
  }
  const older = { ...GOOD.backups, last_failure: { ...failure, createdAt: '2026-11-23T00:00:00.000Z' } }
  t.equal(verdictOf({ ...GOOD, backups: older }, NOW).grade, 'good', 'a backup after the failure is in order')
  const both = { disk: { ...GOOD.disk, state: 'low' as const }, clock: { ...GOOD.clock, trusted: false } }
  t.same(verdictOf({ ...GOOD, ...both }, NOW).concerns, [
    ['clock', 'act'],
    ['disk', 'look'],
  ])
})

t.test('events that wait for a result come first, the longest first, then halted ones', async t => {
  const event = (event_id: string, status: string, end_date: string) =>
    ({ event_id, status, end_date }) as Parameters<typeof decisionsAmong>[0][number] & { event_id: string }
  const found = decisionsAmong([
    event('1', 'halted', '2026-11-20'),
    event('2', 'closed', '2026-11-23'),
    event('3', 'open', '2026-11-01'),
    event('4', 'closed', '2026-11-22'),
    event('5', 'settled', '2026-11-01'),
  ])
  t.same(
    found.map(({ event_id }) => event_id),
    ['4', '2', '1'],
  )
})

t.test('a move is offered only where it applies', async t => {
  const all = (['scheduled', 'open', 'halted', 'closed', 'resolved', 'settled', 'voided'] as const).map(
    status => ({ status }),
  )
  const states = BULK_MOVES.map(move => `${move}: ${movable(all, move).map(({ status }) => status)}`)
  t.same(states, [
    'haltMarket: open',
    'resumeMarket: halted',
    'closeMarket: scheduled,open,halted',
    'resolveMarket: closed',
  ])
})

t.test('many events change one after the other, and none after one that fails', async t => {
  const calls: string[] = []
  const call = (name: string) => async (code: string, about?: { readonly outcome: Outcome }) => {
    calls.push([name, code, about?.outcome].filter(Boolean).join(' '))
    if (code === '2') throw new Error('refused')
  }
  const operator = {
    ...{ haltMarket: call('halt'), resumeMarket: call('resume') },
    ...{ closeMarket: call('close'), resolveMarket: call('resolve') },
  }
  const done: string[] = []
  const moving = {
    operator,
    codes: ['1', '2', '3'],
    outcomes: new Map(),
    onDone: (code: string) => done.push(code),
  }
  await t.rejects(moveAll({ ...moving, move: 'haltMarket' }), { message: 'refused' })
  t.same([calls, done], [['halt 1', 'halt 2'], ['1']])
  calls.length = 0
  const outcomes = new Map<string, Outcome>([['3', 'no']])
  await moveAll({ ...moving, outcomes, move: 'resolveMarket' })
  t.same(calls, ['resolve 3 no'], 'never without a result of its own')
})
