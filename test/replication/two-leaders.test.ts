import type { Sequence, TimeMs } from '../../src/core/units.js'
import type { Appended, LogEnd } from '../../src/replication/journal-log.js'
import { objectFrom, objectName, readHead, readLines } from '../../src/replication/objects/journal-object.js'
import type { ObjectHead } from '../../src/replication/objects/journal-object.js'
import { joinReplica, meetReplica } from '../../src/replication/objects/join-replica.js'
import { ObjectLog } from '../../src/replication/objects/object-log.js'
import { ReplicaRefusal, replicaStore, writeMarker } from '../../src/replication/objects/replica-store.js'
import { Shipper } from '../../src/replication/objects/shipper.js'
import { trimReplica } from '../../src/replication/objects/trim-replica.js'
import type { JournalEnd, JournalRow } from '../../src/store/journal.js'
import { BEGINNING, chainHash, linkFault } from '../../src/store/journal.js'
import type { Dice } from '../fixtures/dice.js'
import { LossyStore } from '../fixtures/lossy-store.js'
import { putBackup } from '../fixtures/verified-backup.js'
import { testSeeds } from './played-seeds.js'

const ROUNDS = 40
const SEEDS = Number(process.env.RAAY_SEEDS ?? 60)
const EXCHANGE = '0123abcd'
const KEYS = { recipients: [], identities: [] }

/** Faults that the judge must find. */
type Planted =
  | 'ignores the condition'
  | 'takes any lines for its own'
  | 'fences itself'
  | 'takes over without a fence'
  | 'tells before it is there'
  | 'is blind while it is idle'
  | 'trims what no verified backup has'
  | 'trims what another exchange has put'
  | 'takes a trimmed name for a new one'
  | 'takes an empty mount point for a take-over'

/** A store that says that it still has what was deleted. */
function blindTo(store: LossyStore): LossyStore {
  return Object.create(store, { has: { value: async (name: string) => store.taken.has(name) } })
}

/** A log with a fault in whose an object is. */
class WrongLog extends ObjectLog {
  planted: Planted | undefined

  override judge(head: ObjectHead): Appended {
    if (this.planted === 'takes any lines for its own') return { kind: 'mine', end: head.end }
    if (this.planted === 'fences itself') return { kind: 'fenced', reason: 'the name is taken' }
    return super.judge(head)
  }

  override async append(...given: Parameters<ObjectLog['append']>): Promise<Appended> {
    return this.#misjudged(await super.append(...given))
  }

  override async behind(...given: Parameters<ObjectLog['behind']>): Promise<Appended | undefined> {
    const found = await super.behind(...given)
    return found && this.#misjudged(found)
  }

  #misjudged(found: Appended): Appended {
    const isMisjudged = this.planted === 'takes an empty mount point for a take-over'
    if (!isMisjudged || found.kind !== 'unknown' || !/mount/.test(found.reason)) return found
    return { ...found, kind: 'fenced' }
  }
}

/** An exchange with its journal, which decides on and on, and is killed now and then; its disk loses nothing. */
class Leader {
  readonly journal: JournalRow[]
  readonly #store: LossyStore
  readonly #log: WrongLog
  readonly #planted: Planted | undefined
  #shipper: Shipper | undefined
  /** The last line that it has told to be there. */
  told: LogEnd | undefined
  fenced: string | undefined
  /** It puts nothing for a while, and decides on. */
  isSlow = false

  constructor(store: LossyStore, journal: readonly JournalRow[], planted: Planted | undefined) {
    this.journal = [...journal]
    this.#store = store
    this.#planted = planted
    const own = (sequence: Sequence) => this.hashOf(sequence)
    const seen = planted === 'takes a trimmed name for a new one' ? blindTo(store) : store
    this.#log = new WrongLog({ store: seen, exchange: EXCHANGE, keys: KEYS, own })
    this.#log.planted = planted
  }

  get end(): JournalEnd {
    return this.journal.at(-1) ?? BEGINNING
  }

  hashOf(sequence: Sequence): Buffer | undefined {
    return sequence === 0 ? BEGINNING.hash : this.journal[sequence - 1]?.hash
  }

  decide(text: string): void {
    if (this.fenced !== undefined) return
    const { sequence, at, hash } = this.end
    const row = { sequence: (sequence + 1) as Sequence, shard: 0, at: (at + 1) as TimeMs, commands: text }
    this.journal.push({ ...row, hash: chainHash(hash, row) })
  }

  kill(): void {
    this.#shipper = undefined
  }

  async ship(): Promise<void> {
    if (this.fenced !== undefined || this.isSlow) return
    try {
      // A start refuses an empty place where it had a copy.
      if (!this.#store.isMounted && this.#shipper === undefined) return
      this.#shipper ??= await this.#start()
      const before = this.#shipper.end
      const looks = this.#planted !== 'is blind while it is idle'
      const appended = (await this.#shipper.ship()) ?? (looks ? await this.#shipper.look() : undefined)
      if (appended?.kind === 'fenced') this.fenced = appended.reason
      this.told =
        this.#planted === 'tells before it is there' && before !== this.end ? this.end : this.#shipper.end
    } catch (error) {
      // As the thread does, which tries again.
      if (error instanceof ReplicaRefusal) this.fenced = error.message
      else if ((error as Error).message !== 'timeout' && !/does not have it/.test(String(error))) throw error
    }
  }

  /** Deletes what nobody needs, as far as it gets. */
  async trim(dice: Dice): Promise<void> {
    const shipped = this.#shipper?.end.sequence
    if (this.fenced !== undefined || shipped === undefined) return
    const isBlind = this.#planted === 'trims what another exchange has put'
    const journal = {
      hashOf: (sequence: Sequence) => this.hashOf(sequence),
      lastBefore: () => this.end.sequence,
    }
    try {
      await trimReplica({
        ...{ store: replicaStore(this.#store), exchange: EXCHANGE, journal, keepMs: 0, now: () => 0 },
        warn: () => undefined,
        through: () => (isBlind ? this.end.sequence : shipped),
        // It may be killed between two deletions.
        isStopped: () => dice.percent(20),
      })
    } catch (error) {
      if ((error as Error).message !== 'timeout') throw error
    }
  }

  async #start(): Promise<Shipper> {
    const mark = { read: () => undefined, write: () => true }
    const none = { mark, file: '', stage: '', version: '', now: () => 0 }
    const store = replicaStore(this.#store)
    const joining = { store, log: this.#log, journal: this, exchange: EXCHANGE, ...none }
    const from = await joinReplica(joining, await meetReplica(joining))
    const linesAfter = ({ sequence }: LogEnd) => this.journal.slice(sequence, sequence + 5)
    return new Shipper({ log: this.#log, journal: { linesAfter }, from })
  }
}

/** Returns the lines that a store has had, as they follow each other. Throws if they do not. */
async function linesIn(store: LossyStore): Promise<JournalRow[]> {
  const lines: JournalRow[] = []
  const names = [...store.taken.keys()].filter(name => objectFrom(name) !== undefined).sort()
  let end: JournalEnd = BEGINNING
  let isEnded = false
  for (const name of names) {
    const contents = store.taken.get(name) ?? Buffer.alloc(0)
    if (isEnded) throw new Error(`${name} is behind a fence`)
    if (name !== objectName((end.sequence + 1) as Sequence))
      throw new Error(`${name} does not follow ${end.sequence}`)
    isEnded = readHead(name, contents).fence !== undefined
    for (const line of await readLines(name, contents, [])) {
      const fault = linkFault(end, line)
      if (fault !== undefined) throw new Error(fault)
      lines.push(line)
      end = line
    }
  }
  return lines
}

function isTakenOver({ taken }: LossyStore): boolean {
  return [...taken].some(([name, contents]) => {
    return objectFrom(name) !== undefined && readHead(name, contents).fence !== undefined
  })
}

/** Reads a replica behind a backup and takes it over, as a restore does; returns the last line. */
async function takeOver(
  store: LossyStore,
  base: LogEnd,
  planted: Planted | undefined,
): Promise<LogEnd | undefined> {
  const log = new ObjectLog({ store, exchange: EXCHANGE, keys: KEYS, own: () => undefined })
  let end = base
  try {
    for (;;) {
      for await (const lines of log.read(end.sequence)) end = lines.at(-1) ?? end
      if (planted === 'takes over without a fence') return end
      const ending = await log.fence(end, 'heir', 1 as Sequence)
      if (ending === 'ended') return end
    }
  } catch {
    return undefined
  }
}

/** The backups of a world. */
class WorldBackups {
  readonly #store: LossyStore
  readonly #planted: Planted | undefined
  /** The last lines of those that are in order. */
  readonly #whole: LogEnd[] = [BEGINNING]

  constructor(store: LossyStore, planted: Planted | undefined) {
    this.#store = store
    this.#planted = planted
  }

  make({ end }: Leader, number: number, ok: boolean | null): void {
    if (end.sequence === 0) return
    const isLie = this.#planted === 'trims what no verified backup has'
    putBackup(this.#store, { exchange: EXCHANGE, end, number, ok: isLie || ok })
    if (ok === true) this.#whole.push(end)
  }

  /** Returns the newest that lines follow. */
  newest(lines: readonly JournalRow[]): LogEnd {
    const follows = ({ sequence, hash }: LogEnd) =>
      sequence === 0 || lines[sequence - 1]?.hash.equals(hash) === true
    return this.#whole.filter(follows).sort((one, other) => other.sequence - one.sequence)[0] ?? BEGINNING
  }
}

/** Returns why a restore from a backup would not get all lines; undefined if it would. */
async function lossOf(
  store: LossyStore,
  base: LogEnd,
  lines: readonly JournalRow[],
): Promise<string | undefined> {
  const log = new ObjectLog({ store, exchange: EXCHANGE, keys: KEYS, own: () => undefined })
  let end = base
  for await (const rows of log.read(base.sequence)) {
    for (const row of rows) {
      if (row.sequence !== end.sequence + 1) return `${row.sequence} follows ${end.sequence} in the store`
      end = row
    }
  }
  return end.sequence < lines.length ? `a restore ends at ${end.sequence}` : undefined
}

/** Plays two exchanges that go on from the same lines; returns what is wrong, or undefined. */
async function play(dice: Dice, planted?: Planted): Promise<string | undefined> {
  const store = new LossyStore(dice)
  await writeMarker(replicaStore(store), { exchange: EXCHANGE, first: 1 as Sequence })
  store.ignoresConditions = planted === 'ignores the condition'
  const first = new Leader(store, [], planted)
  for (let count = dice.between(0, 5); count > 0; count--) first.decide('before')
  const leaders: [Leader, ...Leader[]] = [first]
  const backups = new WorldBackups(store, planted)
  let heir: LogEnd | undefined
  let hasEnded = false
  const wrong = async (): Promise<string | undefined> => {
    const lines = await linesIn(store)
    for (const { told } of leaders) {
      const { sequence = 0, hash } = told ?? {}
      if (sequence > 0 && hash?.equals(lines[sequence - 1]?.hash ?? Buffer.alloc(0)) !== true) {
        return `batch ${sequence} is not there, though a leader says so`
      }
    }
    if (!store.isMounted) return undefined
    const [oldest = 1] = [...store.files.keys()].flatMap(name => objectFrom(name) ?? []).sort((a, b) => a - b)
    const base = backups.newest(lines).sequence
    if (oldest > base + 1) return `lines ${base + 1} to ${oldest - 1} are in no backup, and were deleted`
    if (heir !== undefined && lines.length > heir.sequence) return 'lines came behind a take-over'
    return undefined
  }
  try {
    store.trouble = dice.between(0, 60)
    for (let round = 0; round < ROUNDS; round++) {
      const leader = dice.oneOf(leaders)
      if (dice.percent(40)) leader.decide(`${leaders.indexOf(leader)} ${round}`)
      if (dice.percent(50)) await leader.ship()
      if (dice.percent(10)) await Promise.all(leaders.map(each => each.ship()))
      if (dice.percent(10)) leader.kill()
      if (dice.percent(10)) leader.isSlow = !leader.isSlow
      if (dice.percent(20)) store.arrive()
      if (dice.percent(5)) store.mount(false)
      if (dice.percent(30)) store.mount(true)
      if (store.isMounted && dice.percent(20)) backups.make(leader, round, dice.oneOf([true, null, false]))
      if (dice.percent(25)) await leader.trim(dice)
      // A copy of the data directory is started as well.
      if (leaders.length < 2 && dice.percent(15)) leaders.push(new Leader(store, leader.journal, planted))
      if (!hasEnded && store.isMounted && dice.percent(3)) {
        hasEnded = true
        heir = await takeOver(store, backups.newest(await linesIn(store)), planted)
      }
      const found = await wrong()
      if (found !== undefined) return found
    }
    store.heal()
    for (const leader of leaders) leader.isSlow = false
    const rounds = leaders.map(({ journal }) => journal.length).reduce((sum, length) => sum + length, 3)
    for (let round = 0; round < rounds; round++) for (const leader of leaders) await leader.ship()
    if (!hasEnded && dice.percent(30)) {
      hasEnded = true
      heir = await takeOver(store, backups.newest(await linesIn(store)), planted)
      for (const leader of leaders) await leader.ship()
    }
    const lines = await linesIn(store)
    const whole = leaders.filter(({ fenced }) => fenced === undefined)
    for (const { end } of whole) {
      if (end.sequence > 0 && !lines[end.sequence - 1]?.hash.equals(end.hash))
        return 'one goes on beside the store'
    }
    if (whole.length > 0 && isTakenOver(store)) return 'one that is idle does not hear of a take-over'
    const reasons = leaders.map(({ fenced }) => fenced)
    // A take-over whose answer was lost has ended the log as well.
    if (!hasEnded && whole.length === 0) return `nobody leads: ${reasons}`
    return (await wrong()) ?? (await lossOf(store, backups.newest(lines), lines))
  } catch (error) {
    return String(error)
  }
}

const PLANTED: readonly Planted[] = [
  'ignores the condition',
  'takes any lines for its own',
  'fences itself',
  'takes over without a fence',
  'tells before it is there',
  'is blind while it is idle',
  'trims what no verified backup has',
  'trims what another exchange has put',
  'takes a trimmed name for a new one',
  'takes an empty mount point for a take-over',
]

testSeeds('of two exchanges exactly one goes on, whatever gets lost', SEEDS, play, PLANTED)
