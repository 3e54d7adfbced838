import t from 'tap'
import type { Sequence, TimeMs } from '../../src/core/units.js'
import type { Appended, LogEnd } from '../../src/replication/journal-log.js'
import type { LogFollower } from '../../src/replication/log-follower.js'
import { objectFrom, readLines } from '../../src/replication/objects/journal-object.js'
import type { ObjectHead } from '../../src/replication/objects/journal-object.js'
import { ObjectLog } from '../../src/replication/objects/object-log.js'
import { LostRaceError, ObjectStandby } from '../../src/replication/objects/object-standby.js'
import type { JournalEnd, JournalRow } from '../../src/store/journal.js'
import { BEGINNING, chainHash, linkFault } from '../../src/store/journal.js'
import type { Dice } from '../fixtures/dice.js'
import { LossyStore } from '../fixtures/lossy-store.js'
import { testSeeds } from './played-seeds.js'

const ROUNDS = 50
const SEEDS = Number(process.env.RAAY_SEEDS ?? 100)
const EXCHANGE = '0123abcd'
const KEYS = { recipients: [], identities: [] }

/** Faults that the judge must find. */
type Planted = 'leads without an epoch line' | 'fences itself' | 'leads before the line is there'

class WrongLog extends ObjectLog {
  planted: Planted | undefined

  override judge(head: ObjectHead) {
    if (this.planted === 'fences itself') return { kind: 'fenced', reason: 'the name is taken' } as const
    return super.judge(head)
  }
}

/** An exchange that leads or follows, with a journal that no crash takes. */
class Machine implements LogFollower {
  readonly name: string
  readonly journal: JournalRow[] = []
  readonly #store: LossyStore
  readonly #dice: Dice
  readonly #planted: Planted | undefined
  #log: WrongLog
  #standby: ObjectStandby | undefined
  /** The last line that the store is known to have. */
  #shipped: LogEnd = BEGINNING
  leads = false
  isFenced = false
  /** The last line that the store had of it. */
  fencedBehind = 0
  /** Why it must stop. */
  failure: Error | undefined

  constructor(name: string, store: LossyStore, dice: Dice, planted?: Planted) {
    this.name = name
    this.#store = store
    this.#dice = dice
    this.#planted = planted
    this.#log = this.#open()
  }

  get end(): JournalEnd {
    return this.journal.at(-1) ?? BEGINNING
  }

  #open(): WrongLog {
    const own = (sequence: Sequence) => this.#standby?.own(sequence) ?? this.journal[sequence - 1]?.hash
    const log = new WrongLog({ store: this.#store, exchange: EXCHANGE, keys: KEYS, own })
    log.planted = this.#planted
    return log
  }

  decide(type: string): JournalRow {
    return rowAfter(this.end, type, this.name)
  }

  /** Starts it again; a standby follows, one that leads goes on. */
  restart(): void {
    this.#standby = this.leads
      ? undefined
      : new ObjectStandby({
          log: this.#log,
          follower: this,
          from: this.end,
          fail: error => {
            this.failure = error
          },
          pauseMs: 0,
        })
  }

  async look(): Promise<void> {
    await this.#standby?.look().catch(ignoreTimeout)
  }

  /** Promotes it; returns what is wrong with the answer. */
  async promote(): Promise<string | undefined> {
    const asked = this.end.sequence
    try {
      await this.#standby?.promote()
      return undefined
    } catch (error) {
      if (!(error instanceof LostRaceError)) {
        ignoreTimeout(error)
        return undefined
      }
      const others = this.journal.slice(asked).some(({ commands }) => isEpochOfAnother(commands, this.name))
      return others ? undefined : `${this.name} lost a race that nobody won`
    }
  }

  async follow(rows: readonly JournalRow[]): Promise<void> {
    this.journal.push(...rows)
  }

  heard(): void {
    // Nobody asks.
  }

  async lead(put: (row: JournalRow) => Promise<void>): Promise<void> {
    const row = this.decide('BEGIN_EPOCH')
    if (this.#planted === 'leads before the line is there') put(row).catch(() => undefined)
    else if (this.#planted !== 'leads without an epoch line') await put(row)
    // Between the two it may be killed, and finds its own line when it starts again.
    if (this.#dice.percent(10)) throw new Error('killed')
    this.journal.push(row)
    this.leads = true
    this.#shipped = this.#planted === 'leads without an epoch line' ? (this.journal.at(-2) ?? BEGINNING) : row
  }

  /** Decides something if it leads, as a client asks for it. */
  work(): void {
    if (this.leads && !this.isFenced) this.journal.push(this.decide('CREATE_ORDER'))
  }

  async ship(): Promise<void> {
    if (!this.leads || this.isFenced) return
    const lines = this.journal.slice(this.#shipped.sequence, this.#shipped.sequence + 5)
    if (lines.length === 0) return
    const appended = await this.#log.append(lines, this.#shipped)
    if (appended.kind === 'fenced') {
      this.isFenced = true
      this.fencedBehind = this.#shipped.sequence
    } else if (appended.kind !== 'unknown') this.#shipped = appended.end
  }
}

function ignoreTimeout(error: unknown): void {
  const { message } = error as Error
  if (!/timeout|killed|promote it again|one object after the other/.test(message)) throw error
}

function isEpochOfAnother(commands: string, name: string): boolean {
  const [{ type, by }] = JSON.parse(commands) as [{ readonly type: string; readonly by: string }]
  return type === 'BEGIN_EPOCH' && by !== name
}

async function linesIn(store: LossyStore): Promise<JournalRow[]> {
  const lines: JournalRow[] = []
  for (const name of [...store.files.keys()].filter(name => objectFrom(name) !== undefined).sort()) {
    for (const line of await readLines(name, store.files.get(name) ?? Buffer.alloc(0), [])) {
      const fault = linkFault(lines.at(-1) ?? BEGINNING, line)
      if (fault !== undefined) throw new Error(fault)
      lines.push(line)
    }
  }
  return lines
}

/** Plays a leader and two standbys, which are promoted now and then; returns what is wrong, or undefined. */
async function play(dice: Dice, planted?: Planted): Promise<string | undefined> {
  const store = new LossyStore(dice)
  const machine = (name: string) => new Machine(name, store, dice, planted)
  const machines = [machine('leader'), machine('one'), machine('two')] as const
  const [leader, ...standbys] = machines
  leader.leads = true
  for (const each of machines) each.restart()
  try {
    store.trouble = dice.between(0, 50)
    for (let round = 0; round < ROUNDS; round++) {
      const any = dice.oneOf(machines)
      const standby = dice.oneOf(standbys)
      any.work()
      if (dice.percent(60)) await any.ship()
      if (dice.percent(40)) await standby.look()
      if (dice.percent(10)) any.restart()
      if (dice.percent(20)) store.arrive()
      if (dice.percent(5)) {
        const both = dice.percent(50) ? standbys : [standby]
        const wrong = (await Promise.all(both.map(each => each.promote()))).find(text => text !== undefined)
        if (wrong !== undefined) return wrong
      }
    }
    store.heal()
    const rounds = machines.map(({ journal }) => journal.length).reduce((sum, length) => sum + length, 3)
    for (let round = 0; round < rounds; round++) for (const each of machines) await each.ship()
    const lines = await linesIn(store)
    for (const each of standbys.filter(({ leads }) => !leads)) {
      each.restart()
      await each.look()
      if (each.end.sequence !== lines.length) return `${each.name} follows to ${each.end.sequence} only`
    }
    for (const { name, leads, isFenced, fencedBehind, end, journal, failure } of machines) {
      if (failure !== undefined) return `${name}: ${failure.message}`
      const isShared = (row: JournalRow | undefined) =>
        row === undefined || lines[row.sequence - 1]?.hash.equals(row.hash) === true
      if (!isFenced && !isShared(journal.at(-1)))
        return `${name} goes on beside the store, to ${end.sequence}`
      if (isFenced && isShared(journal[fencedBehind])) return `${name} was fenced by a line of its own`
      const epoch = journal.findLast(({ commands }) => /BEGIN_EPOCH/.test(commands))
      if (leads && !isShared(epoch)) return `${name} has led from a line that the store lacks`
    }
    const unfenced = machines.filter(({ leads, isFenced }) => leads && !isFenced)
    const newest = lines.findLast(({ commands }) => /BEGIN_EPOCH/.test(commands))
    if (unfenced.length > 1 && newest !== undefined) {
      for (const each of unfenced) each.work()
      for (let round = 0; round < 3; round++) for (const each of unfenced) await each.ship()
      const left = unfenced.filter(({ isFenced }) => !isFenced)
      if (left.length > 1) return `${left.map(({ name }) => name)} lead together`
    }
    return undefined
  } catch (error) {
    return String(error)
  }
}

const PLANTED: readonly Planted[] = [
  'leads without an epoch line',
  'fences itself',
  'leads before the line is there',
]

testSeeds('of all that are promoted at a place one leads, whatever gets lost', SEEDS, play, PLANTED)

t.test('a promotion that was withdrawn puts no line any more', async t => {
  const puts: ((appended: Appended) => void)[] = []
  let behind: Appended | undefined
  let there: JournalRow[] = []
  const log = {
    async *read() {},
    checkKept: async () => undefined,
    next: async ({ sequence }: LogEnd) => there.filter(row => row.sequence > sequence),
    behind: async () => behind,
    append: () => new Promise<Appended>(resolve => puts.push(resolve)),
    isAt: () => true,
  }
  const line = rowAfter(BEGINNING, 'BEGIN_EPOCH', 'one')
  let leads = 0
  let next = line
  const follower = {
    follow: async () => undefined,
    heard: () => undefined,
    lead: async (put: (row: JournalRow) => Promise<void>) => {
      await put(next)
      leads++
    },
  }
  const open = () => new ObjectStandby({ log, follower, from: BEGINNING, fail: t.fail, pauseMs: 0 })
  const putCount = async (count: number) => {
    while (puts.length < count) await new Promise(resolve => setImmediate(resolve))
  }
  const asleep = open()
  t.equal(await asleep.withdraw(), 'withdrawn', 'it has put nothing')
  const late = open()
  const promoting = t.rejects(late.promote(), /no longer asked/)
  await putCount(1)
  const withdrawn = late.withdraw()
  puts[0]?.({ kind: 'unknown', reason: 'timeout' })
  t.equal(await withdrawn, 'unknown', 'what was put may still arrive')
  await promoting
  t.same([puts.length, leads], [1, 0])

  const held = open()
  const leading = held.promote()
  await putCount(2)
  const tooLate = held.withdraw()
  puts[1]?.({ kind: 'appended', end: line })
  t.equal(await tooLate, 'granted', 'its line is there already')
  await leading
  t.equal(leads, 1)

  const again = late.promote()
  await putCount(3)
  puts[2]?.({ kind: 'mine', end: line })
  await again
  t.equal(leads, 2, 'it can be asked again')

  const lost = open()
  const landed = lost.promote()
  await putCount(4)
  const looked = lost.withdraw()
  behind = { kind: 'mine', end: line }
  puts[3]?.({ kind: 'unknown', reason: 'timeout' })
  t.equal(await looked, 'granted', 'its line is there, though the answer was lost')
  await landed
  t.equal(leads, 3)

  behind = undefined
  const owed = open()
  const refused = t.rejects(owed.promote(), /no longer asked/)
  await putCount(5)
  const unsure = owed.withdraw()
  puts[4]?.({ kind: 'unknown', reason: 'timeout' })
  t.equal(await unsure, 'unknown')
  await refused
  there = [line]
  next = rowAfter(line, 'BEGIN_EPOCH', 'one')
  const seen = owed.look()
  await putCount(6)
  puts[5]?.({ kind: 'appended', end: next })
  await seen
  t.equal(leads, 4, 'a line that arrives late makes it lead: the exchange before it is fenced already')

  const other = open()
  await other.look()
  await other.look()
  t.same([puts.length, leads], [6, 4], 'a line of another standby does not')
})

/** Returns a line behind another. */
function rowAfter({ sequence, at, hash }: JournalEnd, type: string, by: string): JournalRow {
  const commands = JSON.stringify([{ type, by }])
  const row = { sequence: (sequence + 1) as Sequence, shard: 0, at: (at + 1) as TimeMs, commands }
  return { ...row, hash: chainHash(hash, row) }
}
