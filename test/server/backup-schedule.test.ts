import t from 'tap'
import type { StoredBackup } from '../../src/backup/backup-list.js'
import { backupNameAt } from '../../src/backup/backup-name.js'
import { readKeepRules } from '../../src/backup/keep-rules.js'
import type { FinishedBackup } from '../../src/backup/make-backup.js'
import type { BackupVerification } from '../../src/backup/manifest.js'
import type { TimeMs } from '../../src/core/units.js'
import { BackupSchedule } from '../../src/server/backup-schedule.js'
import { START } from '../fixtures/test-exchange.js'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const KEEP = readKeepRules('daily=1') ?? t.fail('rules')
const GOOD: BackupVerification = { at: new Date(START).toISOString(), ok: true, checked: [], findings: [] }

type Result = 'good' | 'bad' | 'unread' | 'failed' | 'backup_under_way' | 'disk_low' | 'thrown'

/** A schedule with a clock moved by hand, and backups that end as the test says. */
class World {
  now = START
  readonly done: string[] = []
  /** How long the timer was set for last. */
  waitMs = 0
  readonly schedule: BackupSchedule
  results: Result[] = []
  pruned = 0
  #run: (() => void) | undefined

  constructor(everyHours: number, last?: { at: number; verification?: BackupVerification | null }) {
    const backup = last && backupOf(last.at, last.verification === undefined ? GOOD : last.verification)
    this.schedule = new BackupSchedule({
      plan: { everyHours, keep: KEEP as never },
      now: () => this.now,
      failed: error => this.done.push(`error: ${(error as Error).message}`),
      later: (run, ms) => {
        this.#run = run
        this.waitMs = ms
        return () => {
          this.#run = undefined
        }
      },
      backups: {
        newest: { look: async () => ({ last: backup, lastVerified: backup, failure: undefined }) } as never,
        make: async reason => this.#make(reason),
        verify: async name => {
          this.done.push(`verify ${name === backup?.name ? 'the last' : 'it'}`)
          const result = this.results[0]
          if (result === 'unread') return { failed: 'gone' }
          return { ...GOOD, ok: result !== 'bad' }
        },
        prune: async () => {
          this.done.push('prune')
          return Array.from({ length: this.pruned }, () => backupOf(START))
        },
      },
    })
  }

  /** When the next backup is due, in minutes from now; undefined if none is. */
  get next(): number | undefined {
    const { nextAt } = this.schedule
    return nextAt === undefined || this.#run === undefined ? undefined : (nextAt - this.now) / MINUTE
  }

  /** Lets the time come, with the results of the backups that are made; returns what is done. */
  async come(...results: readonly Result[]): Promise<string[]> {
    const run = this.#run
    const { nextAt } = this.schedule
    this.#run = undefined
    this.done.length = 0
    this.results = [...results]
    this.now = Math.max(this.now, nextAt ?? 0)
    run?.()
    await new Promise(resolve => setImmediate(resolve))
    return [...this.done]
  }

  #make(reason: string): FinishedBackup | { failed: string } | 'backup_under_way' | 'disk_low' {
    this.done.push(`make ${reason}`)
    const [result = 'good'] = this.results
    if (result === 'thrown') throw new Error('the disk is on fire')
    if (result === 'failed') return { failed: 'no space' }
    if (result === 'backup_under_way') return result
    if (result === 'disk_low') {
      this.results.shift()
      return result
    }
    return backupOf(this.now, null) as FinishedBackup
  }
}

function backupOf(at: number, verification: BackupVerification | null = GOOD): StoredBackup {
  const name = backupNameAt(at as TimeMs)
  return {
    name,
    at: at as TimeMs,
    file: '',
    bytes: 1,
    companions: [],
    manifest: { verification } as never,
  }
}

t.test(
  'the first backup is made five minutes after the start, and the next when its time has come',
  async t => {
    const world = new World(24)
    await world.schedule.begin()
    t.equal(world.next, 5)
    t.same(await world.come('good'), ['make scheduled', 'verify it', 'prune'])
    t.equal(world.next, 24 * 60)
  },
)

t.test(
  'a backup that fell due while the exchange was stopped is made soon; others wait for their time',
  async t => {
    const rows: readonly (readonly [string, number, number])[] = [
      ['long ago', START - 100 * HOUR, 5],
      ['just now', START - HOUR, 23 * 60],
      ['almost a day ago', START - 24 * HOUR + MINUTE, 5],
      ['by a clock that was ahead', START + 1000 * HOUR, 24 * 60],
    ]
    for (const [what, at, minutes] of rows) {
      const world = new World(24, { at })
      await world.schedule.begin()
      t.equal(world.next, minutes, what)
      t.same(world.done, [])
    }
  },
)

t.test('a last backup that was never verified is verified at the start, one that was is not', async t => {
  for (const [verification, done] of [
    [null, ['verify the last']],
    [{ ...GOOD, ok: false }, []],
  ] as const) {
    const world = new World(24, { at: START - HOUR, verification })
    await world.schedule.begin()
    t.same(world.done, done)
  }
})

t.test('nothing is scheduled if it is turned off, or after a stop', async t => {
  const off = new World(0)
  await off.schedule.begin()
  t.equal(off.next, undefined)
  const stopped = new World(24)
  await stopped.schedule.begin()
  stopped.schedule.stop()
  t.equal(stopped.next, undefined)
  t.same(await stopped.come('good'), [])
})

t.test('a failed backup is tried again, less and less often, and prunes nothing', async t => {
  for (const [result, done] of [
    ['failed', ['make scheduled']],
    ['thrown', ['make scheduled', 'error: the disk is on fire']],
  ] as const) {
    const world = new World(24)
    await world.schedule.begin()
    const pauses: (number | undefined)[] = []
    for (let count = 0; count < 5; count++) {
      t.same(await world.come(result), done, result)
      pauses.push(world.next)
    }
    t.same(pauses, [10, 20, 40, 60, 60], result)
    await world.come('good')
    t.equal(world.next, 24 * 60)
    await world.come(result)
    t.equal(world.next, 10, 'counted again')
  }
})

t.test(
  'copies that do not pass their verification are made three times, then at their regular time',
  async t => {
    for (const result of ['bad', 'unread'] as const) {
      const world = new World(24)
      await world.schedule.begin()
      const pauses: (number | undefined)[] = []
      const said: string[] = []
      for (let count = 0; count < 5; count++) {
        const [made, verified, ...rest] = await world.come(result)
        t.same([made, verified], ['make scheduled', 'verify it'], result)
        said.push(...rest.map(line => `${count}: ${line}`))
        pauses.push(world.next)
      }
      t.same(pauses, [10, 20, 24 * 60, 24 * 60, 24 * 60], result)
      t.match(said, [/^2: error: 3 backups in a row .* raay doctor .* raay verify$/], 'said once')
      t.equal(said.length, 1)
      await world.come('good')
      await world.come(result)
      t.equal(world.next, 10, 'a good one begins the count again')
    }
  },
)

t.test('where the disk has no room, old backups make room for one try', async t => {
  const world = new World(24)
  await world.schedule.begin()
  t.same(await world.come('disk_low'), ['make scheduled', 'prune'], 'nothing to delete')
  t.equal(world.next, 10)
  world.pruned = 2
  const done = ['make scheduled', 'prune', 'make scheduled']
  t.same(await world.come('disk_low', 'good'), [...done, 'verify it', 'prune'])
  t.equal(world.next, 24 * 60)
  t.same(await world.come('disk_low', 'disk_low', 'good'), done)
  t.equal(world.next, 10)
})

t.test('another plan counts at once, but for a backup that is being made', async t => {
  const world = new World(24, { at: START })
  await world.schedule.begin()
  t.equal(world.next, 24 * 60)
  await world.schedule.change({ everyHours: 2, keep: KEEP as never })
  t.equal(world.next, 2 * 60)
  await world.schedule.change({ everyHours: 0, keep: KEEP as never })
  t.equal(world.next, undefined)
  await world.schedule.change({ everyHours: 3, keep: KEEP as never })
  t.equal(world.next, 3 * 60)
  const made = world.come('good')
  await world.schedule.change({ everyHours: 0, keep: KEEP as never })
  t.same(await made, ['make scheduled', 'verify it', 'prune'])
  t.equal(world.next, undefined)
  world.schedule.stop()
  await world.schedule.change({ everyHours: 3, keep: KEEP as never })
  t.equal(world.next, undefined)
})

t.test('two changes at once leave one timer', async t => {
  const timers = new Set<() => void>()
  const schedule = new BackupSchedule({
    plan: { everyHours: 1, keep: KEEP as never },
    now: () => START,
    failed: error => t.fail(String(error)),
    later: run => {
      timers.add(run)
      return () => timers.delete(run)
    },
    backups: { newest: { look: async () => ({ last: undefined, lastVerified: undefined }) } } as never,
  })
  await schedule.begin()
  const change = (everyHours: number) => schedule.change({ everyHours, keep: KEEP as never })
  await Promise.all([change(2), change(3), change(4)])
  t.equal(timers.size, 1)
  schedule.stop()
  t.equal(timers.size, 0)
})

t.test(
  'a clock that is set while a backup is made puts the next one off by no more than the interval',
  async t => {
    for (const jump of [-365 * 24 * HOUR, 365 * 24 * HOUR]) {
      const world = new World(24)
      await world.schedule.begin()
      const made = world.come('good')
      world.now += jump
      await made
      t.ok(world.waitMs >= 0 && world.waitMs <= 24 * HOUR, `${world.waitMs} ms`)
    }
  },
)

t.test("an operator's backup is waited for", async t => {
  const world = new World(1)
  await world.schedule.begin()
  t.same(await world.come('backup_under_way'), ['make scheduled'])
  t.equal(world.next, 1)
  t.same(await world.come('good'), ['make scheduled', 'verify it', 'prune'])
  t.equal(world.next, 60)
})
