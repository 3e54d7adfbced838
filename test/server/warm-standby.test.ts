import t from 'tap'
import type { Sequence, TimeMs } from '../../src/core/units.js'
import type { EpochLog } from '../../src/exchange/standby/standby.js'
import { WarmStandby } from '../../src/server/standby/warm-standby.js'
import type { JournalRow } from '../../src/store/journal.js'

const row = (sequence: number): JournalRow => ({
  sequence: sequence as Sequence,
  shard: 0,
  at: 0 as TimeMs,
  commands: '[1]',
  hash: Buffer.alloc(32),
})

/** A standby that has all rows up to the fifth, beside an exchange that leads as told. */
function follower(lead: (log: EpochLog) => Promise<Sequence>) {
  const failures: string[] = []
  const exchange = {
    leads: false,
    sequence: 5 as Sequence,
    follow: async (rows: readonly JournalRow[]) => {
      exchange.sequence = rows.at(-1)?.sequence ?? exchange.sequence
    },
    lead: (_by: unknown, log?: EpochLog) => lead(log as EpochLog),
  }
  const standbyLog = {
    follow: () => undefined,
    promote: async () => undefined,
    withdraw: () => undefined,
    close: async () => undefined,
  }
  const standby = new WarmStandby({
    exchange,
    standbyLog,
    end: row(5),
    watch: () => 0,
    log: { info: () => undefined, warn: () => undefined },
    begun: async () => undefined,
    fail: ({ message }) => failures.push(message),
  })
  return { standby, failures }
}

t.test('rows do not say where the log ends before that was heard', async t => {
  const { standby } = follower(async () => 6 as Sequence)
  await standby.follow([row(6)])
  t.match(standby.standing, { sequence: 6, logEnd: undefined })
  standby.heard({ end: 9 as Sequence, failure: undefined })
  t.match(standby.standing, { sequence: 6, logEnd: 9 })
  await standby.follow([row(7), row(10)])
  t.match(standby.standing, { sequence: 10, logEnd: 10 })
})

t.test('it ends if it cannot lead with its line in the log, and only then', async t => {
  const after = follower(async ({ put }) => {
    await put(row(6))
    throw new Error('no shard answers')
  })
  await t.rejects(
    after.standby.lead(async () => undefined),
    { message: 'no shard answers' },
  )
  t.same(after.failures, ['no shard answers'])
  const before = follower(async ({ put }) => {
    await put(row(6))
    return 6 as Sequence
  })
  const refused = () => Promise.reject(new Error('another one leads'))
  await t.rejects(before.standby.lead(refused), { message: 'another one leads' })
  t.same(before.failures, [])
})
