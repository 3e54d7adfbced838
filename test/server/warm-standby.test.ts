import t from 'tap'
import type { Sequence, TimeMs } from '../../src/core/units.js'
import { AppliedBatches } from '../../src/exchange/reads/applied-batches.js'
import type { Withdrawal } from '../../src/replication/jetstream/lease-wish.js'
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
    applied: new AppliedBatches(5 as Sequence),
    follow: async (rows: readonly JournalRow[]) => {
      exchange.sequence = rows.at(-1)?.sequence ?? exchange.sequence
    },
    lead: (_by: unknown, log?: EpochLog) => lead(log as EpochLog),
  }
  const standbyLog = {
    follow: () => undefined,
    promote: async () => undefined,
    withdraw: async () => 'withdrawn' as const,
    close: async () => undefined,
  }
  const led: number[] = []
  const standby = new WarmStandby({
    exchange,
    standbyLog,
    end: row(5),
    watch: () => 0,
    log: { info: () => undefined, warn: () => undefined },
    leadCompanions: async (epoch: number) => {
      led.push(epoch)
    },
    begun: async () => undefined,
    fail: ({ message }) => failures.push(message),
  })
  return { standby, failures, led }
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
  t.same(after.led, [1], 'accounts and site follow its line')
  const before = follower(async ({ put }) => {
    await put(row(6))
    return 6 as Sequence
  })
  const refused = () => Promise.reject(new Error('another one leads'))
  await t.rejects(before.standby.lead(refused), { message: 'another one leads' })
  t.same(before.failures, [])
  t.same(before.led, [], 'nor are they touched before')
})

/** A standby whose promotion is late at once, and whose wish ends as told. */
function lateStandby(how: Withdrawal, promote: () => Promise<void> = async () => undefined) {
  const asked: string[] = []
  let leading: WarmStandby | undefined
  const exchange = {
    leads: false,
    sequence: 5 as Sequence,
    follow: async () => undefined,
    lead: async ({ who }: { readonly who: string }) => {
      asked.push(`leads for ${who}`)
      exchange.leads = true
      return 6 as Sequence
    },
  }
  const withdraw = async () => {
    asked.push('withdrawn')
    if (how === 'granted') void leading?.lead(async () => undefined)
    return how
  }
  const standbyLog = { follow: () => undefined, promote, withdraw, close: async () => undefined }
  let isLate = true
  const late = () => {
    const wasLate = isLate
    isLate = how !== 'granted'
    return wasLate ? Promise.resolve() : new Promise<void>(() => undefined)
  }
  const log = { info: () => undefined, warn: () => undefined }
  const rest = { end: row(5), watch: () => 0, log, begun: async () => undefined, fail: () => undefined, late }
  const standby = new WarmStandby({ exchange, standbyLog, ...rest } as never)
  leading = standby
  return { standby, asked }
}

t.test('a promotion that is late is withdrawn, and says whether it may still happen', async t => {
  const by = { who: 'token', address: '' } as const
  const gone = lateStandby('withdrawn')
  await t.rejects(gone.standby.promote(by), /has not made way, and goes on/)
  await gone.standby.lead(async () => undefined)
  t.same(gone.asked, ['withdrawn', 'leads for standby'], 'what happens later was not asked for')
  const silent = lateStandby('unknown')
  await t.rejects(silent.standby.promote(by), /may still lead/)
  const granted = lateStandby('granted')
  await granted.standby.promote(by)
  t.same(granted.asked, ['withdrawn', 'leads for token'], 'one that was agreed to is waited for')
})

t.test('a promotion that cannot be is not signed later', async t => {
  const refused = lateStandby('withdrawn', async () => {
    await new Promise(resolve => setImmediate(resolve))
    throw new Error('the store does not answer')
  })
  await t.rejects(refused.standby.promote({ who: 'token', address: '' }))
  await refused.standby.lead(async () => undefined)
  t.equal(refused.asked.at(-1), 'leads for standby')
})
