import { randomBytes } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import type { Test } from 'tap'
import t from 'tap'
import { ACCESS_FILE } from '../../src/access/accounts/access-schema.js'
import type { Identity, Recipient } from '../../src/backup/encryption/age-keys.js'
import { newKeys } from '../../src/backup/encryption/age-keys.js'
import { fetchCompanion } from '../../src/replication/companions/fetch-companion.js'
import { ObjectPacks } from '../../src/replication/companions/object-packs.js'
import { readPack, writePack } from '../../src/replication/companions/pack.js'
import { PackFollower } from '../../src/replication/companions/pack-follower.js'
import type { PackLog } from '../../src/replication/companions/pack-log.js'
import { StoppedError } from '../../src/replication/companions/pack-putting.js'
import { PackSender } from '../../src/replication/companions/pack-sender.js'
import { MARKER, replicaStore } from '../../src/replication/objects/replica-store.js'
import { LogLostError } from '../../src/replication/replication-error.js'
import { SITE_FILE } from '../../src/site/site-schema.js'
import { Companion } from '../../src/store/companions/companion.js'
import { examineCompanion } from '../../src/store/companions/companion-fault.js'
import type { CompanionKind } from '../../src/store/companions/companion-kind.js'
import type { Held, Outbox } from '../../src/store/companions/companion-outbox.js'
import { isFileError } from '../../src/replication/companions/followed-file.js'
import { acceptLineage, isAccepted, readLineage } from '../../src/store/companions/companion-outbox.js'
import { DecisionMark } from '../../src/store/companions/decision-mark.js'
import { allRows } from '../../src/store/companions/table-rows.js'
import { openDatabase, openReadOnly } from '../../src/store/database.js'
import { changed } from '../fixtures/backup-world.js'
import { Dice } from '../fixtures/dice.js'
import type { LossyStore } from '../fixtures/lossy-store.js'
import { MarkedStore } from '../fixtures/lossy-store.js'
import { roomyDirectory } from '../fixtures/server/server-directory.js'

/** All rows of a file, as text in one order. */
function rowsOf(path: string): string {
  const database = openReadOnly(path)
  try {
    return [...allRows(database)]
      .map(row => JSON.stringify(row))
      .sort()
      .join('\n')
  } finally {
    database.close()
  }
}

/** A log whose process can be stopped for ever before and after each of its steps. */
class CrashingLog implements PackLog {
  readonly name = 'the log'
  readonly #log: PackLog
  /** Steps until the crash. */
  #steps: number
  readonly crashed: Promise<'crashed'>
  #crash: () => void = () => undefined
  readonly #stepped: () => void

  constructor(log: PackLog, steps: number, stepped: () => void) {
    this.#log = log
    this.#stepped = stepped
    this.#steps = steps
    this.crashed = new Promise(resolve => {
      this.#crash = () => resolve('crashed')
    })
  }

  put = (place: number, pack: Uint8Array) => this.#step(() => this.#log.put(place, pack))
  get = (place: number) => this.#step(() => this.#log.get(place))
  confirm = (place: number, pack: Uint8Array) => this.#step(() => this.#log.confirm(place, pack))
  last = () => this.#step(() => this.#log.last())
  trim = (before: number) => this.#step(() => this.#log.trim(before))

  async #step<Answer>(act: () => Promise<Answer>): Promise<Answer> {
    await this.#mayCrash()
    this.#stepped()
    const answer = await act()
    await this.#mayCrash()
    return answer
  }

  async #mayCrash(): Promise<void> {
    if (this.#steps-- > 0) return
    this.#crash()
    await new Promise(() => undefined)
  }
}

interface ExchangeOptions {
  readonly kind: CompanionKind
  readonly directory: string
  readonly log: PackLog
  readonly epoch?: number
  readonly recipients?: readonly Recipient[]
  readonly identities?: readonly Identity[]
  readonly pause?: () => Promise<void>
  /** Called with what the log holds. */
  readonly told?: (held: Held) => void
}

const pathIn = (directory: string, kind: CompanionKind) =>
  join(directory, kind.companion === 'accounts' ? 'access.db' : 'site.db')

/** A log of which some functions are others. */
function partOf(log: PackLog, other: Partial<PackLog>): PackLog {
  return {
    name: log.name,
    put: (place, pack) => log.put(place, pack),
    get: place => log.get(place),
    confirm: (place, pack) => log.confirm(place, pack),
    last: () => log.last(),
    trim: before => log.trim(before),
    ...other,
  }
}

/** A sender that tells nobody anything. */
const UNTOLD = {
  held: () => undefined,
  failing: () => undefined,
  untrimmed: () => undefined,
  warn: () => undefined,
}

let owners = 0

function followerOf(
  { kind, directory, log, identities = [] }: ExchangeOptions,
  warnings: string[] = [],
  leads = false,
) {
  const keepsUnknown = leads && existsSync(pathIn(directory, kind))
  return new PackFollower({
    keepsUnknown,
    ...{ kind, log, identities, path: pathIn(directory, kind), exchangeFile: join(directory, 'raay.db') },
    warn: message => warnings.push(message),
  })
}

/** A companion of an exchange that leads, and what sends its changes. */
class Leader {
  readonly file: Companion
  readonly outbox: Outbox
  readonly sender: PackSender
  readonly path: string
  held: Held = { number: 0, place: 0, hash: '', epoch: 0 }
  readonly failures: (string | undefined)[] = []
  readonly untrimmed: (string | undefined)[] = []
  readonly warnings: string[] = []

  private constructor(options: ExchangeOptions, owner: string) {
    const { kind, directory, log, epoch = 0, recipients = [], pause = () => turn(), told } = options
    this.path = pathIn(directory, kind)
    const mark = new DecisionMark(join(directory, 'raay.db'))
    const chained = kind.chain === undefined ? {} : { mark }
    this.file = new Companion({ path: this.path, isLenient: true, replication: 'leads', ...chained }, kind)
    this.outbox = this.file.lead() as Outbox
    this.sender = new PackSender({
      ...{ kind, log, path: this.path, owner, epoch, recipients, pause },
      held: held => {
        this.held = held
        told?.(held)
      },
      failing: reason => this.failures.push(reason),
      untrimmed: reason => this.untrimmed.push(reason),
      warn: message => this.warnings.push(message),
    })
  }

  /** Begins as an exchange does: takes what the log has more, and then leads it. */
  static async start(options: ExchangeOptions): Promise<Leader> {
    const follower = followerOf(options, [], true)
    const owner = `owner-${owners++}`
    await retried(async () => {
      await follower.open()
      await follower.catchUp()
    })
    follower.ownedBy(owner)
    const leader = new Leader(options, owner)
    await leader.sender.begin(async () => {
      await follower.catchUp()
      return follower.ownedBy(owner)
    })
    follower.close()
    return leader
  }

  async sendAll(): Promise<void> {
    while (await this.sender.send());
  }

  /** Writes down what the log has, as an exchange does now and then. */
  note(): void {
    if (this.held.place > 0) this.outbox.acknowledge(this.held)
  }

  close(): void {
    this.sender.close()
    this.file.close()
  }
}

async function retried<Result>(act: () => Promise<Result>): Promise<Result> {
  for (;;) {
    try {
      return await act()
    } catch (error) {
      if ((error as Error).message !== 'timeout') throw error
      await turn()
    }
  }
}

type Act = (file: Companion, dice: Dice, number: number) => void

/** Random changes of accounts, as statements of the exchange and others might make them. */
const ACCOUNT_ACTS: readonly [Act, ...Act[]] = [
  (file, _dice, number) =>
    file.transaction(() => {
      file
        .prepare('INSERT INTO accounts (name, folded, handle, role, created_at) VALUES (?, ?, ?, ?, ?)')
        .run(`user ${number}`, `user ${number}`, Buffer.from(`handle ${number}`), 'trader', number)
      file
        .prepare("INSERT INTO audit VALUES (NULL, 0, ?, 'account_made', 'x', '', '', ?, 1)")
        .run(number, "it's ₹ \n \0 done")
    })(),
  (file, dice, number) =>
    file.transaction(() =>
      file
        .prepare('INSERT INTO api_keys (hash, account, name, scopes, created_at) VALUES (?, ?, ?, ?, ?)')
        .run(`hash ${number}`, dice.between(1, 20), 'bot', 'read', 2 ** 41 + number),
    )(),
  (file, dice) => file.prepare('DELETE FROM api_keys WHERE id % 3 = ?').run(dice.between(0, 2)),
  (file, dice, number) =>
    file
      .prepare('UPDATE accounts SET password = ?, role = ? WHERE id = ?')
      .run(`hash ${number}`, dice.oneOf(['viewer', 'trader', 'admin']), dice.between(1, 20)),
  // Two accounts change names: the unique ones are for a moment those of a third.
  (file, _dice, number) =>
    file.transaction(() => {
      const [one, other] = file
        .prepare<unknown[], { id: number; name: string }>('SELECT id, name FROM accounts ORDER BY id LIMIT 2')
        .all()
      if (one === undefined || other === undefined) return
      const rename = file.prepare('UPDATE accounts SET name = ?, folded = ? WHERE id = ?')
      rename.run(`moving ${number}`, `moving ${number}`, one.id)
      rename.run(one.name, one.name, other.id)
      rename.run(other.name, other.name, one.id)
    })(),
  // What is rolled back is sent to no log, whether all or a part.
  (file, _dice, number) =>
    file.transaction(() => {
      file
        .prepare("INSERT OR REPLACE INTO user_limits VALUES (?, 1, '', NULL, NULL, 1, 'ops')")
        .run(`kept ${number}`)
      try {
        file.transaction(() => {
          file.prepare('DELETE FROM accounts').run()
          throw new Error('rolled back')
        })()
      } catch {
        // Expected.
      }
    })(),
  (file, dice) =>
    file
      .prepare("INSERT OR REPLACE INTO user_limits VALUES (?, 1, 'again', 5, NULL, 1, 'ops')")
      .run(`kept ${dice.between(0, 30)}`),
  file => {
    try {
      file
        .prepare(
          "INSERT INTO sessions SELECT id, 'same', id, NULL, 1, 1, '', '', NULL, NULL, NULL FROM accounts",
        )
        .run()
    } catch {
      // The second one breaks a rule, and takes the first one with it.
    }
  },
]

const SITE_ACTS: readonly [Act, ...Act[]] = [
  (file, dice, number) =>
    file
      .prepare('INSERT OR REPLACE INTO pictures (name, bytes) VALUES (?, ?)')
      .run(`picture ${number % 7}`, Buffer.alloc(dice.between(0, 30_000), number)),
  (file, _dice, number) =>
    file
      .prepare('INSERT INTO watchlists SELECT ?, ?, ? WHERE true ON CONFLICT DO NOTHING')
      .run(`user ${number % 5}`, number % 11, number),
  (file, dice) => file.prepare('DELETE FROM watchlists WHERE market = ?').run(dice.between(0, 10)),
]

/** Takes a companion from a log with an empty directory; returns its rows, and where it is. */
async function readBack(
  t: Test,
  store: LossyStore,
  kind: CompanionKind,
  identities: readonly Identity[] = [],
): Promise<string> {
  const directory = roomyDirectory(t)
  const trouble = store.trouble
  store.trouble = 0
  const options = { kind, directory, log: new ObjectPacks(store, kind.companion), identities }
  const follower = followerOf(options)
  try {
    await follower.open()
    await follower.catchUp()
  } finally {
    follower.close()
    store.trouble = trouble
  }
  const path = pathIn(directory, kind)
  t.equal(examineCompanion({ path, mark: new DecisionMark(join(directory, 'raay.db')) }, kind).kind, 'sound')
  return rowsOf(path)
}

for (const [kind, acts] of [
  [ACCESS_FILE, ACCOUNT_ACTS],
  [SITE_FILE, SITE_ACTS],
] as const) {
  t.test(`${kind.companion}: crashes between every two steps, on a log that loses and doubles`, async t => {
    const dice = Dice.fromEnvironment(t)
    const store = new MarkedStore(dice)
    const directory = roomyDirectory(t)
    const log = new ObjectPacks(store, kind.companion)
    let acted = 0
    const states: { readonly number: number; readonly rows: string }[] = []
    let held = 0
    let own: string | undefined
    for (let steps = 0; steps < 40; steps++) {
      store.trouble = dice.oneOf([0, 30])
      let leader: Leader | undefined
      const act = () => {
        store.arrive()
        if (leader === undefined) return
        dice.oneOf(acts)(leader.file, dice, acted++)
        states.push({ number: leader.outbox.last, rows: rowsOf(leader.path) })
        if (dice.percent(30)) leader.note()
      }
      const crashing = new CrashingLog(log, steps, () => {
        if (dice.percent(40)) act()
      })
      const told = ({ number }: Held) => {
        held = Math.max(held, number)
      }
      const running = (async () => {
        leader = await Leader.start({ kind, directory, log: crashing, told })
        if (own !== undefined) t.equal(rowsOf(pathIn(directory, kind)), own)
        for (;;) {
          await leader.sendAll()
          act()
          await turn()
        }
      })()
      await Promise.race([crashing.crashed, running])
      leader?.close()
      // What is on its own disk is never replaced by what the log has of it.
      if (leader !== undefined) own = rowsOf(pathIn(directory, kind))
      else if (own !== undefined) t.equal(rowsOf(pathIn(directory, kind)), own)
      if (held === 0) continue
      const found = await readBack(t, store, kind)
      const from = states.findLastIndex(({ number }) => number > 0 && number <= held)
      t.ok(
        states.slice(Math.max(0, from)).some(({ rows }) => rows === found),
        `${steps} steps: as of ${held} or later`,
      )
    }
    store.heal()
    const leader = await Leader.start({ kind, directory, log })
    await leader.sendAll()
    t.equal(await readBack(t, store, kind), rowsOf(leader.path))
    for (const acting of [...acts, ...acts]) {
      acting(leader.file, dice, acted++)
      await leader.sendAll()
      t.equal(await readBack(t, store, kind), rowsOf(leader.path))
    }
    leader.close()
  })
}

/** The kinds of packs that a log has. */
function kindsIn(store: LossyStore, kind: CompanionKind): string[] {
  const prefix = `companion-${kind.companion}-`
  const names = [...store.files.keys()].filter(name => name.startsWith(prefix)).sort()
  return names.map(name => {
    const place = Number(name.slice(prefix.length, -'.raay'.length))
    return readPack(place, store.files.get(name) as Buffer).head.kind
  })
}

/** Moves all of a file's log into it, so that it can be copied. */
function checkpointed(path: string): void {
  const database = openDatabase(path)
  database.pragma('wal_checkpoint(PASSIVE)')
  database.close()
}

/** A change that makes an account. */
const signUp = (leader: Leader, number: number) => ACCOUNT_ACTS[0](leader.file, new Dice(1), number)

function accountsIn(directory: string): string[] {
  const database = openReadOnly(pathIn(directory, ACCESS_FILE))
  try {
    return database.prepare<unknown[], string>('SELECT name FROM accounts ORDER BY id').pluck().all()
  } finally {
    database.close()
  }
}

const isSound = (directory: string) =>
  examineCompanion(
    { path: pathIn(directory, ACCESS_FILE), mark: new DecisionMark(join(directory, 'raay.db')) },
    ACCESS_FILE,
  ).kind === 'sound'

for (const [kind, acts] of [
  [ACCESS_FILE, ACCOUNT_ACTS],
  [SITE_FILE, SITE_ACTS],
] as const) {
  t.test(`${kind.companion}: standbys stay with the log while they take over from each other`, async t => {
    const dice = Dice.fromEnvironment(t)
    const store = new MarkedStore(dice)
    const log = new ObjectPacks(store, kind.companion)
    const directories = [roomyDirectory(t), roomyDirectory(t), roomyDirectory(t)]
    let acted = 0
    let leading = 0
    const optionsOf = (at: number, epoch = 0) => ({ kind, log, epoch, directory: directories[at] ?? '' })
    for (let epoch = 0; epoch < 8; epoch++) {
      const leader = await Leader.start(optionsOf(leading, epoch))
      const standbys = [0, 1, 2].filter(at => at !== leading)
      const followers = standbys.map(at => followerOf(optionsOf(at)))
      for (const follower of followers) await follower.open()
      for (let acts = 0; acts < 15; acts++) {
        dice.oneOf(kind === ACCESS_FILE ? ACCOUNT_ACTS : SITE_ACTS)(leader.file, dice, acted++)
        if (dice.percent(50)) await leader.sendAll()
        if (dice.percent(20)) leader.note()
        for (const follower of followers) if (dice.percent(50)) await follower.catchUp()
      }
      const isTail = dice.percent(50)
      if (!isTail) await leader.sendAll()
      for (const follower of followers) await follower.catchUp()
      const [one, other] = standbys.map(at => rowsOf(pathIn(directories[at] ?? '', kind)))
      t.equal(one, other)
      if (!isTail) t.equal(one, rowsOf(leader.path))
      for (const follower of followers) follower.close()
      leader.close()
      leading = dice.oneOf(standbys as [number, ...number[]])
    }
    t.ok(acts.length > 0)
    const last = await Leader.start(optionsOf(leading, 8))
    await last.sendAll()
    t.equal(await readBack(t, store, kind), rowsOf(last.path))
    last.close()
  })
}

t.test('a start sends what the log lacks, and all only if the file is another one', async t => {
  const store = new MarkedStore(new Dice(1))
  const log = new ObjectPacks(store, 'accounts')
  const directory = roomyDirectory(t)
  const options = { kind: ACCESS_FILE, directory, log }
  const first = await Leader.start(options)
  signUp(first, 1)
  await first.sendAll()
  first.note()
  first.close()
  const second = await Leader.start(options)
  signUp(second, 2)
  await second.sendAll()
  signUp(second, 3)
  second.close()
  t.same(kindsIn(store, ACCESS_FILE), ['begin', 'rows', 'snapshot', 'begin', 'rows'])
  const third = await Leader.start(options)
  await third.sendAll()
  t.same(kindsIn(store, ACCESS_FILE).slice(5), ['begin', 'rows'], 'what the crash kept back')
  t.equal(await readBack(t, store, ACCESS_FILE), rowsOf(third.path))
  third.close()

  // Without replication nothing is noted: then the file is another one.
  new Companion({ path: third.path, isLenient: true }, ACCESS_FILE).close()
  const fourth = await Leader.start(options)
  await fourth.sendAll()
  t.equal(kindsIn(store, ACCESS_FILE).at(-1), 'snapshot')
  t.equal(await readBack(t, store, ACCESS_FILE), rowsOf(fourth.path))
  fourth.note()
  checkpointed(fourth.path)
  const copy = readFileSync(fourth.path)
  signUp(fourth, 4)
  await fourth.sendAll()
  fourth.close()

  // An older copy of the file, put back while the log cannot be read.
  writeFileSync(third.path, copy)
  const own = followerOf(options, [], true)
  const old = own.ownedBy('a copy')
  own.close()
  const sender = new PackSender({
    ...{ kind: ACCESS_FILE, log, path: third.path, owner: 'a copy', epoch: 0, recipients: [] },
    ...UNTOLD,
    pause: () => turn(),
  })
  await t.rejects(
    sender.begin(async () => ({ ...old, place: undefined })),
    /has rows that this exchange lacks/,
  )
  sender.close()
  const fifth = await Leader.start(options)
  t.same(accountsIn(directory), ['user 1', 'user 2', 'user 3', 'user 4'], 'the log goes on from the copy')
  fifth.close()
})

t.test('a file whose changes were not noted counts, unless another exchange has led since', async t => {
  const store = new MarkedStore(new Dice(1))
  const log = new ObjectPacks(store, 'accounts')
  const options = { kind: ACCESS_FILE, log, directory: roomyDirectory(t) }
  const alone = (user: string) => {
    const file = new Companion({ path: pathIn(options.directory, ACCESS_FILE), isLenient: true }, ACCESS_FILE)
    file.prepare("INSERT INTO user_limits VALUES (?, 1, '', NULL, NULL, 1, 'ops')").run(user)
    file.close()
  }
  const first = await Leader.start(options)
  signUp(first, 1)
  await first.sendAll()
  first.note()
  first.close()
  const copy = readFileSync(first.path)

  alone('first')
  // Starts that the log does not hear of.
  for (let starts = 0; starts < 70; starts++) {
    const follower = followerOf(options, [], true)
    await follower.open()
    follower.ownedBy(`unheard-${starts}`)
    follower.close()
  }
  const second = await Leader.start(options)
  await second.sendAll()
  t.match(rowsOf(second.path), /first/, 'nobody else has led')
  signUp(second, 2)
  await second.sendAll()
  second.close()

  // A copy from before those rows, which runs alone.
  for (const suffix of ['', '-wal', '-shm']) rmSync(second.path + suffix, { force: true })
  writeFileSync(second.path, copy)
  rmSync(join(options.directory, 'raay.access'), { force: true })
  alone('second')
  const warnings: string[] = []
  const older = followerOf(options, warnings, true)
  await older.open()
  await older.catchUp()
  older.close()
  t.same(accountsIn(options.directory), ['user 1', 'user 2'], 'a copy has given fewer numbers')

  const other = await Leader.start({ ...options, directory: roomyDirectory(t) })
  signUp(other, 3)
  await other.sendAll()
  other.close()
  alone('third')
  const back = followerOf(options, warnings, true)
  await back.open()
  await back.catchUp()
  back.close()
  t.equal(rowsOf(first.path), rowsOf(other.path), 'another one has led')
  t.match(warnings.at(-1), /what only this exchange had is in orphans\/accounts-\d+\.db$/)
  const orphan = join(options.directory, /orphans\/.*$/.exec(warnings.at(-1) ?? '')?.[0] ?? '')
  t.match(rowsOf(orphan), /third/)
  t.equal(statSync(orphan).mode & 0o777, 0o600)

  alone('fourth')
  const database = openDatabase(first.path)
  acceptLineage(database)
  database.close()
  const accepted = await Leader.start(options)
  await accepted.sendAll()
  t.match(rowsOf(accepted.path), /fourth/, 'an operator has said that it counts')
  t.equal(await readBack(t, store, ACCESS_FILE), rowsOf(accepted.path))
  accepted.close()
})

const addKey = (file: Companion) =>
  file
    .prepare("INSERT INTO api_keys (hash, account, name, scopes, created_at) VALUES ('stolen', 1, '', '', 1)")
    .run()
const revokeKey = (file: Companion) => file.prepare("DELETE FROM api_keys WHERE hash = 'stolen'").run()

function accept(path: string): void {
  const database = openDatabase(path)
  acceptLineage(database)
  database.close()
}

/** Sends all, notes it, and stops. */
async function finish(leader: Leader): Promise<void> {
  await leader.sendAll()
  leader.note()
  leader.close()
}

t.test('a leader that dies before its first copy of all rows keeps nobody from leading', async t => {
  const log = new ObjectPacks(new MarkedStore(new Dice(1)), 'accounts')
  const options = { kind: ACCESS_FILE, log, directory: roomyDirectory(t) }
  const first = await Leader.start(options)
  signUp(first, 1)
  await finish(first)
  const standby = { ...options, directory: roomyDirectory(t) }
  const followed = followerOf(standby)
  await followed.open()
  await followed.catchUp()
  followed.close()
  // Its file is another one for the log, of which there is no copy yet.
  new Companion({ path: first.path, isLenient: true }, ACCESS_FILE).close()
  const second = await Leader.start({ ...options, epoch: 1 })
  second.close()
  for (const directory of [standby.directory, roomyDirectory(t)]) {
    const next = await Leader.start({ ...options, directory, epoch: 2 })
    t.same(accountsIn(directory), ['user 1'])
    next.close()
  }
})

t.test('one that died before the first copy of all rows ever has not led', async t => {
  const log = new ObjectPacks(new MarkedStore(new Dice(1)), 'accounts')
  const first = await Leader.start({ kind: ACCESS_FILE, log, directory: roomyDirectory(t) })
  first.close()
  const options = { kind: ACCESS_FILE, log, directory: roomyDirectory(t) }
  const elsewhere = new ObjectPacks(new MarkedStore(new Dice(2)), 'accounts')
  const own = await Leader.start({ ...options, log: elsewhere })
  signUp(own, 1)
  await finish(own)
  const second = await Leader.start(options)
  await finish(second)
  t.same(accountsIn(options.directory), ['user 1'], 'there are no rows but its own')
  const next = await Leader.start({ ...options, directory: roomyDirectory(t) })
  t.equal(rowsOf(next.path), rowsOf(second.path))
  next.close()
})

t.test('a file that went to another log and back counts in both', async t => {
  const one = new ObjectPacks(new MarkedStore(new Dice(1)), 'accounts')
  const other = new ObjectPacks(new MarkedStore(new Dice(2)), 'accounts')
  const options = { kind: ACCESS_FILE, directory: roomyDirectory(t) }
  const first = await Leader.start({ ...options, log: one })
  signUp(first, 1)
  addKey(first.file)
  await finish(first)
  const second = await Leader.start({ ...options, log: other })
  revokeKey(second.file)
  signUp(second, 2)
  await finish(second)
  const third = await Leader.start({ ...options, log: one })
  t.same(accountsIn(options.directory), ['user 1', 'user 2'])
  t.notMatch(rowsOf(third.path), /stolen/)
  await finish(third)
  const reader = { ...options, log: one, directory: roomyDirectory(t) }
  const follower = followerOf(reader)
  await follower.open()
  await follower.catchUp()
  follower.close()
  t.equal(rowsOf(pathIn(reader.directory, ACCESS_FILE)), rowsOf(third.path))
})

t.test('what an accepted file does later, alone, counts as that of any other', async t => {
  for (const hasLed of [false, true]) {
    const log = new ObjectPacks(new MarkedStore(new Dice(1)), 'accounts')
    const options = { kind: ACCESS_FILE, directory: roomyDirectory(t), log }
    const first = await Leader.start(options)
    signUp(first, 1)
    addKey(first.file)
    await finish(first)
    accept(first.path)
    if (hasLed) await finish(await Leader.start(options))
    const alone = new Companion({ path: first.path, isLenient: true }, ACCESS_FILE)
    revokeKey(alone)
    alone.close()
    const second = await Leader.start(options)
    t.notMatch(rowsOf(second.path), /stolen/)
    await finish(second)
  }
})

t.test('a file is accepted only until others lead', async t => {
  const log = new ObjectPacks(new MarkedStore(new Dice(1)), 'accounts')
  const options = { kind: ACCESS_FILE, log, directory: roomyDirectory(t) }
  const first = await Leader.start(options)
  signUp(first, 1)
  addKey(first.file)
  await finish(first)
  accept(first.path)
  // A start whose log takes nothing.
  const follower = followerOf(options, [], true)
  await follower.open()
  await follower.catchUp()
  follower.ownedBy('unheard')
  follower.close()
  const other = await Leader.start({ ...options, directory: roomyDirectory(t) })
  revokeKey(other.file)
  signUp(other, 2)
  await finish(other)
  const back = await Leader.start(options)
  t.same(accountsIn(options.directory), ['user 1', 'user 2'])
  t.notMatch(rowsOf(back.path), /stolen/)
  back.close()
})

t.test('a file that was accepted before an empty log counts only until others lead', async t => {
  const log = new ObjectPacks(new MarkedStore(new Dice(1)), 'accounts')
  const options = { kind: ACCESS_FILE, log, directory: roomyDirectory(t) }
  const made = await Leader.start({
    ...options,
    log: new ObjectPacks(new MarkedStore(new Dice(2)), 'accounts'),
  })
  signUp(made, 1)
  addKey(made.file)
  made.close()
  accept(made.path)
  await finish(await Leader.start(options))
  const standby = { ...options, directory: roomyDirectory(t) }
  const other = await Leader.start(standby)
  revokeKey(other.file)
  await finish(other)
  // It sends a copy of all rows, behind which the packs before it are deleted.
  new Companion({ path: other.path, isLenient: true }, ACCESS_FILE).close()
  await finish(await Leader.start(standby))
  while ((await log.get(1)) !== undefined) await turn()
  const back = await Leader.start(options)
  t.notMatch(rowsOf(back.path), /stolen/)
  back.close()
})

t.test('a file that was accepted while its log could not be read counts only until others lead', async t => {
  const log = new ObjectPacks(new MarkedStore(new Dice(1)), 'accounts')
  const options = { kind: ACCESS_FILE, log, directory: roomyDirectory(t) }
  const made = await Leader.start(options)
  await finish(made)
  accept(made.path)
  const unread = followerOf(options, [], true)
  unread.ownedBy('later')
  unread.close()
  const file = new Companion({ path: made.path, isLenient: true, replication: 'leads' }, ACCESS_FILE)
  const database = openReadOnly(made.path)
  t.ok(isAccepted(readLineage(database)), 'its log has not been read yet')
  file.lead()?.acknowledge({ number: 0, place: 9, hash: 'of the copy of all rows', epoch: 0 })
  const lineage = readLineage(database)
  t.match(lineage, { owner: 'later', place: 9, hash: 'of the copy of all rows', epoch: 0 })
  t.notOk(isAccepted(lineage))
  database.close()
  file.close()
})

t.test('one that led takes the rows of the next, whose numbers are lower', async t => {
  const log = new ObjectPacks(new MarkedStore(new Dice(1)), 'accounts')
  const options = { kind: ACCESS_FILE, log, directory: roomyDirectory(t) }
  const first = await Leader.start(options)
  for (let number = 1; number <= 9; number++) signUp(first, number)
  addKey(first.file)
  await finish(first)
  // Changes that are not noted: the next start sends a copy of all rows, and counts from 0 again.
  new Companion({ path: first.path, isLenient: true }, ACCESS_FILE).close()
  await finish(await Leader.start(options))
  const other = await Leader.start({ ...options, directory: roomyDirectory(t) })
  revokeKey(other.file)
  await finish(other)
  const back = followerOf(options)
  await back.open()
  await back.catchUp()
  back.close()
  t.equal(rowsOf(first.path), rowsOf(other.path))
})

t.test('a disk that cannot keep what is set aside is no log that does not answer', async t => {
  const log = new ObjectPacks(new MarkedStore(new Dice(1)), 'accounts')
  const options = { kind: ACCESS_FILE, log, directory: roomyDirectory(t) }
  const first = await Leader.start(options)
  signUp(first, 1)
  await finish(first)
  const other = await Leader.start({ ...options, directory: roomyDirectory(t) })
  signUp(other, 2)
  await finish(other)
  const alone = new Companion({ path: first.path, isLenient: true }, ACCESS_FILE)
  addKey(alone)
  alone.close()
  writeFileSync(join(options.directory, 'orphans'), 'a file')
  const follower = followerOf(options, [], true)
  await follower.open()
  const error = await follower.catchUp().catch((error: Error) => error)
  follower.close()
  t.match(error, { message: /^the accounts cannot be set aside in .*orphans: EEXIST/ })
  t.ok(isFileError(error))
  t.match(rowsOf(first.path), /stolen/, 'nothing was replaced')
})

t.test('a file that ran alone after it was accepted is no longer accepted', async t => {
  const log = new ObjectPacks(new MarkedStore(new Dice(1)), 'site')
  const other = await Leader.start({ kind: SITE_FILE, log, directory: roomyDirectory(t) })
  other.file.prepare("INSERT INTO pictures (name, bytes) VALUES ('one', x'01')").run()
  await other.sendAll()
  other.close()
  const options = { kind: SITE_FILE, log, directory: roomyDirectory(t) }
  const path = pathIn(options.directory, SITE_FILE)
  const own = new Companion({ path, isLenient: true }, SITE_FILE)
  own.prepare("INSERT INTO pictures (name, bytes) VALUES ('two', x'02')").run()
  own.close()
  const database = openDatabase(path)
  acceptLineage(database)
  database.close()
  new Companion({ path, isLenient: true }, SITE_FILE).close()
  const back = followerOf(options, [], true)
  await back.open()
  await back.catchUp()
  back.close()
  t.equal(rowsOf(path), rowsOf(other.path))
})

t.test(
  'a log without its last pack is refused with advice, and gets all rows again once it is deleted',
  async t => {
    const log = new ObjectPacks(new MarkedStore(new Dice(1)), 'accounts')
    const options = { kind: ACCESS_FILE, directory: roomyDirectory(t), log }
    const first = await Leader.start(options)
    signUp(first, 1)
    await finish(first)
    // As a stream that was purged: it still says where it ends.
    const purged = partOf(log, { get: async () => undefined })
    await t.rejects(
      Leader.start({ ...options, log: purged }),
      /no longer has pack \d+, its last one: restore it/,
    )
    const empty = new ObjectPacks(new MarkedStore(new Dice(1)), 'accounts')
    const again = await Leader.start({ ...options, log: empty })
    await again.sendAll()
    t.same(accountsIn(options.directory), ['user 1'])
    t.ok(again.held.place > 0)
    again.close()
  },
)

t.test(
  'a log that has lost a pack in its middle is refused with advice, and not taken for its beginning',
  async t => {
    const store = new MarkedStore(new Dice(1))
    const log = new ObjectPacks(store, 'accounts')
    const options = { kind: ACCESS_FILE, directory: roomyDirectory(t), log }
    const first = await Leader.start(options)
    signUp(first, 1)
    addKey(first.file)
    await finish(first)
    const standby = { ...options, directory: roomyDirectory(t) }
    const early = followerOf(standby)
    await early.open()
    await early.catchUp()
    early.close()
    const second = await Leader.start(options)
    revokeKey(second.file)
    await second.sendAll()
    signUp(second, 2)
    await finish(second)
    const last = await log.last()
    t.same(kindsIn(store, ACCESS_FILE), ['begin', 'rows', 'snapshot', 'begin', 'rows', 'rows'])

    const { head, body } = readPack(last, (await log.get(last)) as Uint8Array)
    const strange = writePack({ ...head, before: 'f'.repeat(64) }, body).bytes
    const changed = partOf(log, {
      get: async place => (place === last ? strange : log.get(place)),
    })
    const lost = (...places: number[]) =>
      partOf(log, { get: async place => (places.includes(place) ? undefined : log.get(place)) })
    for (const [broken, at] of [
      [lost(last - 1), last - 1],
      [lost(last - 1, last - 2), last - 2],
      [changed, last],
      [lost(3), 3],
    ] as const) {
      const message = `the log no longer has pack ${at}, which others follow: restore it, or delete all of it. `
      const files = at === 3 ? [roomyDirectory(t)] : [roomyDirectory(t), standby.directory]
      for (const directory of files) {
        const follower = followerOf({ ...options, directory, log: { ...broken, name: 'the log' } })
        await follower.open()
        await t.rejects(follower.catchUp(), { name: 'BrokenPackError', message: new RegExp(`^${message}`) })
        follower.close()
      }
    }
    const restored = join(roomyDirectory(t), 'access.db')
    const fetched = fetchCompanion(lost(last - 1), {
      ...{ kind: ACCESS_FILE, path: restored, identities: [], fence: 'me' },
    })
    await t.rejects(fetched, { name: 'BrokenPackError' })
    t.equal(await log.last(), last, 'it is not ended')
  },
)

/** A log as a stream is: each pack is taken behind the last one, and one that was taken is missed. */
class StreamPacks implements PackLog {
  readonly name = 'the log'
  packs: Uint8Array[] = []
  taken: () => void = () => undefined

  async put(place: number, pack: Uint8Array): Promise<boolean> {
    const last = this.packs.length
    if (last < place - 1) throw new LogLostError(`the log ends at pack ${last}, and had pack ${place - 1}`)
    if (last >= place) return false
    this.packs.push(pack)
    this.taken()
    return true
  }

  get = async (place: number) => this.packs[place - 1]
  confirm = async () => undefined
  last = async () => this.packs.length
  trim = async () => undefined
}

/** Follows a log until it has looked whether the next pack is missing. */
async function lookTwice(follower: PackFollower): Promise<void> {
  for (let looks = 0; looks <= 30; looks++) await follower.catchUp()
}

t.test(
  'a log that was restored as of an earlier time gets all rows again, and takes nobody back',
  async t => {
    const log = new StreamPacks()
    const options = { kind: ACCESS_FILE, log, directory: roomyDirectory(t) }
    const leader = await Leader.start(options)
    signUp(leader, 1)
    addKey(leader.file)
    await leader.sendAll()
    leader.note()
    const early = [...log.packs]
    const [behind, ahead, restarted] = [0, 1, 2].map(() => ({ ...options, directory: roomyDirectory(t) }))
    const warnings: string[] = []
    const readers: PackFollower[] = []
    for (const reader of [behind, ahead, restarted] as ExchangeOptions[]) {
      const follower = followerOf(reader, warnings)
      readers.push(follower)
      await follower.open()
      await follower.catchUp()
    }
    const [late, follower, stopped] = readers as [PackFollower, PackFollower, PackFollower]
    revokeKey(leader.file)
    await leader.sendAll()
    for (const follows of [follower, stopped]) await follows.catchUp()
    stopped.close()
    warnings.length = 0

    log.packs = [...early]
    await lookTwice(follower)
    await late.catchUp()
    const again = followerOf(restarted as ExchangeOptions, warnings)
    await again.open()
    await again.catchUp()
    const rows = ({ directory }: ExchangeOptions = options) => rowsOf(pathIn(directory, ACCESS_FILE))
    for (const reader of [ahead, restarted])
      t.equal(rows(reader), rowsOf(leader.path), 'the key stays revoked')
    const wanted = new RegExp(
      `the log ends at pack ${early.length}, and this exchange has the accounts as of`,
    )
    t.match(warnings, [wanted, wanted])

    signUp(leader, 2)
    // What the log had before is noted late, once it has the next owner's begin.
    log.taken = () => leader.note()
    await leader.sendAll()
    t.match(leader.warnings, [
      /^the log ends at pack 3, and had pack \d\. All rows of the accounts are sent again$/,
    ])
    t.equal(leader.failures.at(-1), undefined)
    t.equal(leader.held.number, leader.outbox.last)
    for (const follows of [late, follower, again]) {
      await lookTwice(follows)
      follows.close()
    }
    for (const reader of [behind, ahead, restarted]) t.equal(rows(reader), rowsOf(leader.path))
    signUp(leader, 3)
    leader.close()
    const next = await Leader.start(options)
    await next.sendAll()
    t.same(accountsIn(options.directory), ['user 1', 'user 2', 'user 3'], 'its own start knows it as its own')
    next.close()
  },
)

t.test('a standby that leads while its log is as of an earlier time sends what it has', async t => {
  const log = new StreamPacks()
  const leader = await Leader.start({ kind: ACCESS_FILE, log, directory: roomyDirectory(t) })
  signUp(leader, 1)
  addKey(leader.file)
  await leader.sendAll()
  const early = [...log.packs]
  const options = { kind: ACCESS_FILE, log, directory: roomyDirectory(t), epoch: 1 }
  const follower = followerOf(options)
  await follower.open()
  revokeKey(leader.file)
  await finish(leader)
  await follower.catchUp()
  log.packs = early
  await lookTwice(follower)
  follower.close()
  const next = await Leader.start(options)
  await next.sendAll()
  t.equal(rowsOf(next.path), rowsOf(leader.path))
  const reader = { ...options, directory: roomyDirectory(t) }
  const reads = followerOf(reader)
  await reads.open()
  await reads.catchUp()
  reads.close()
  t.notMatch(rowsOf(pathIn(reader.directory, ACCESS_FILE)), /stolen/)
  next.close()
})

t.test('a standby keeps its newer rows while the one that leads sends all of them again', async t => {
  const log = new StreamPacks()
  const leader = await Leader.start({ kind: ACCESS_FILE, log, directory: roomyDirectory(t) })
  signUp(leader, 1)
  addKey(leader.file)
  await leader.sendAll()
  const early = [...log.packs]
  const options = { kind: ACCESS_FILE, log, directory: roomyDirectory(t), epoch: 1 }
  const other = { ...options, directory: roomyDirectory(t) }
  const [follower, stopped] = [followerOf(options), followerOf(other)]
  for (const follows of [follower, stopped]) await follows.open()
  revokeKey(leader.file)
  await leader.sendAll()
  for (const follows of [follower, stopped]) await follows.catchUp()
  stopped.close()
  const rows = rowsOf(leader.path)
  log.packs = [...early]
  // It dies after its own begin and a pack of rows, before its copy of all rows is there.
  signUp(leader, 2)
  for (let packs = 0; packs < 2; packs++) t.ok(await leader.sender.send())
  t.equal(log.packs.length, early.length + 2)
  leader.close()

  await lookTwice(follower)
  t.equal(rowsOf(pathIn(options.directory, ACCESS_FILE)), rows, 'one that runs')
  follower.close()
  const restarted = followerOf(other)
  await restarted.open()
  await restarted.catchUp()
  restarted.close()
  t.equal(rowsOf(pathIn(other.directory, ACCESS_FILE)), rows, 'one that is started meanwhile')

  const next = await Leader.start(other)
  await next.sendAll()
  t.equal(rowsOf(next.path), rows, 'and leads with them')
  next.close()
  const late = followerOf(options)
  await late.open()
  await late.catchUp()
  late.close()
  t.equal(rowsOf(pathIn(options.directory, ACCESS_FILE)), rows)
})

t.test('a standby with newer rows than its log follows one that leads with older ones', async t => {
  const log = new StreamPacks()
  const leader = await Leader.start({ kind: ACCESS_FILE, log, directory: roomyDirectory(t) })
  signUp(leader, 1)
  addKey(leader.file)
  await leader.sendAll()
  const early = [...log.packs]
  const options = { kind: ACCESS_FILE, log, directory: roomyDirectory(t) }
  const follower = followerOf(options)
  await follower.open()
  signUp(leader, 2)
  await finish(leader)
  await follower.catchUp()
  log.packs = early
  await lookTwice(follower)

  const older = await Leader.start({ ...options, directory: roomyDirectory(t), epoch: 1 })
  revokeKey(older.file)
  await older.sendAll()
  t.equal(older.held.number, older.outbox.last, 'the revocation is answered')
  await follower.catchUp()
  t.equal(rowsOf(pathIn(options.directory, ACCESS_FILE)), rowsOf(older.path))
  follower.close()
  await finish(older)
  const next = await Leader.start({ ...options, epoch: 2 })
  await next.sendAll()
  t.equal(rowsOf(next.path), rowsOf(older.path), 'the key stays revoked')
  next.close()
})

interface Standby {
  readonly follower: PackFollower
  readonly path: string
}

for (const packs of [1, 3]) {
  t.test(`one that led earlier writes ${packs} into a log as of its time, and nobody goes back`, async t => {
    const log = new StreamPacks()
    const slept = await Leader.start({ kind: ACCESS_FILE, log, directory: roomyDirectory(t) })
    signUp(slept, 1)
    addKey(slept.file)
    await slept.sendAll()
    const early = [...log.packs]
    const options = { kind: ACCESS_FILE, log, directory: roomyDirectory(t), epoch: 1 }
    const leader = await Leader.start(options)
    await leader.sendAll()
    const directories = [0, 1, 2, 3].map(() => roomyDirectory(t))
    const [running, leading, late, stopped] = directories.map(directory => {
      return { follower: followerOf({ ...options, directory }), path: pathIn(directory, ACCESS_FILE) }
    }) as [Standby, Standby, Standby, Standby]
    for (const { follower } of [running, leading, late, stopped]) {
      await follower.open()
      await follower.catchUp()
    }
    revokeKey(leader.file)
    await leader.sendAll()
    for (const { follower } of [running, leading, stopped]) await follower.catchUp()
    stopped.follower.close()
    const revoked = rowsOf(leader.path)

    log.packs = [...early]
    for (let sent = 0; sent < packs; sent++) {
      for (let number = 0; number < 5; number++) signUp(slept, 10 + 5 * sent + number)
      await slept.sendAll()
    }
    const restored = [...log.packs]
    for (const { follower } of [running, leading]) await lookTwice(follower)
    t.equal(rowsOf(running.path), revoked, 'a standby keeps its rows')
    const started = {
      path: stopped.path,
      follower: followerOf({ ...options, directory: dirname(stopped.path) }),
    }
    await started.follower.open()
    await lookTwice(started.follower)
    t.equal(rowsOf(started.path), revoked, 'so does one that starts just then')

    signUp(leader, 2)
    await leader.sendAll()
    t.equal(leader.held.number, leader.outbox.last, 'the one that leads goes on')
    for (const { follower } of [running, late, started]) await lookTwice(follower)
    for (const { path } of [running, late, started]) t.equal(rowsOf(path), rowsOf(leader.path))
    signUp(slept, 30)
    await t.rejects(slept.sendAll(), { name: 'FencedError' }, 'the one that slept ends')

    log.packs = [...restored]
    const own = { kind: ACCESS_FILE, log, path: leading.path, owner: 'next', epoch: 2, recipients: [] }
    const sender = new PackSender({ ...own, ...UNTOLD, pause: () => turn() })
    const begun = sender.begin(async () => {
      await leading.follower.catchUp()
      return leading.follower.ownedBy('next')
    }, 3)
    t.ok(await begun, 'so does a standby that leads instead')
    while (await sender.send());
    t.equal(rowsOf(leading.path), revoked)
    t.equal(readPack(log.packs.length, (await log.get(log.packs.length)) as Uint8Array).head.until, 0)
    sender.close()
    for (const { follower } of [running, leading, late, started]) follower.close()
    log.packs = [...restored]
    const back = followerOf({ ...options, directory: dirname(leading.path) })
    await back.open()
    await lookTwice(back)
    t.equal(rowsOf(leading.path), revoked, 'and after a start, though it has not noted what the log had')
    back.close()

    log.packs = restored
    const rows = rowsOf(leader.path)
    leader.note()
    leader.close()
    const again = await Leader.start({ ...options, epoch: 2 })
    t.equal(rowsOf(again.path), rows, 'so does the one that led, once it has started again')
    for (const exchange of [slept, again]) exchange.close()
  })
}

t.test('a standby that read the end of a log follows its leader elsewhere, also after a start', async t => {
  const options = { kind: ACCESS_FILE, log: new StreamPacks(), directory: roomyDirectory(t) }
  const leader = await Leader.start(options)
  signUp(leader, 1)
  await leader.sendAll()
  const directory = roomyDirectory(t)
  const follower = followerOf({ ...options, directory })
  await follower.open()
  await follower.catchUp()
  const taken = { path: join(roomyDirectory(t), 'access.db'), identities: [], fence: 'me' }
  await fetchCompanion(options.log, { kind: ACCESS_FILE, ...taken })
  await follower.catchUp()
  follower.close()
  leader.note()
  leader.close()

  const elsewhere = { ...options, log: new StreamPacks() }
  const again = await Leader.start(elsewhere)
  signUp(again, 2)
  await again.sendAll()
  const started = followerOf({ ...elsewhere, directory })
  await started.open()
  await lookTwice(started)
  t.equal(rowsOf(pathIn(directory, ACCESS_FILE)), rowsOf(again.path))
  started.close()
  again.close()
})

for (const what of ['rows', 'copy']) {
  t.test(`a standby that has only just read all rows takes no ${what} from one that led earlier`, async t => {
    const log = new StreamPacks()
    const slept = await Leader.start({ kind: ACCESS_FILE, log, directory: roomyDirectory(t) })
    signUp(slept, 1)
    addKey(slept.file)
    // Its copy of all rows follows the first ones.
    await (what === 'rows' ? slept.sendAll() : slept.sender.send())
    const early = [...log.packs]
    const options = { kind: ACCESS_FILE, log, directory: roomyDirectory(t), epoch: 1 }
    const leader = await Leader.start(options)
    revokeKey(leader.file)
    await leader.sendAll()
    log.packs = [...early]
    signUp(leader, 2)
    await leader.sendAll()
    leader.close()
    const standby = { ...options, directory: roomyDirectory(t) }
    const follower = followerOf(standby)
    await follower.open()
    await follower.catchUp()
    const rows = rowsOf(leader.path)
    t.equal(rowsOf(pathIn(standby.directory, ACCESS_FILE)), rows)

    log.packs = early
    for (let number = 0; number < 5; number++) signUp(slept, 10 + number)
    await slept.sender.send()
    await lookTwice(follower)
    await slept.sendAll()
    await lookTwice(follower)
    t.equal(rowsOf(pathIn(standby.directory, ACCESS_FILE)), rows, 'it keeps its own')
    follower.close()
    slept.close()
  })
}

t.test('one that led earlier goes on while the one that leads looks where to send all again', async t => {
  const log = new StreamPacks()
  const slept = await Leader.start({ kind: ACCESS_FILE, log, directory: roomyDirectory(t) })
  signUp(slept, 1)
  await slept.sendAll()
  const early = [...log.packs]
  const leader = await Leader.start({ kind: ACCESS_FILE, log, directory: roomyDirectory(t), epoch: 1 })
  signUp(leader, 2)
  await leader.sendAll()

  log.packs = early
  const sendSlept = async (number: number) => {
    for (let account = 0; account < 5; account++) signUp(slept, 10 * number + account)
    await slept.sendAll()
  }
  await sendSlept(1)
  let sent = 1
  log.last = async () => {
    const last = log.packs.length
    // Its packs may come between any two answers.
    if (sent++ < 6) await sendSlept(sent)
    return last
  }
  signUp(leader, 3)
  await leader.sendAll()
  t.equal(leader.held.number, leader.outbox.last)
  t.ok(sent > 6)
  leader.close()
  slept.close()
})

t.test('one that cannot write its new name down sends nothing under it', async t => {
  const log = new StreamPacks()
  const leader = await Leader.start({ kind: ACCESS_FILE, log, directory: roomyDirectory(t) })
  await leader.sendAll()
  const early = [...log.packs]
  signUp(leader, 1)
  await leader.sendAll()
  const all = log.packs
  log.packs = [...early]
  signUp(leader, 2)
  const refusing = "BEFORE INSERT ON replicated BEGIN SELECT RAISE(ABORT, 'full'); END"
  leader.file.prepare(`CREATE TRIGGER refusing ${refusing}`).run()
  await t.rejects(leader.sender.send(), { message: 'full' })
  log.packs = all
  leader.file.prepare('DROP TRIGGER refusing').run()
  await leader.sendAll()
  const owners = log.packs.map((pack, index) => readPack(index + 1, pack).head.owner)
  t.equal(new Set(owners).size, 1)
  leader.close()
})

t.test('a log that ends too early until its servers are elected is followed from where it was', async t => {
  const log = new StreamPacks()
  const leader = await Leader.start({ kind: ACCESS_FILE, log, directory: roomyDirectory(t) })
  signUp(leader, 1)
  await leader.sendAll()
  const early = [...log.packs]
  signUp(leader, 2)
  await leader.sendAll()
  const options = { kind: ACCESS_FILE, log, directory: roomyDirectory(t) }
  const warnings: string[] = []
  const first = followerOf(options)
  await first.open()
  await first.catchUp()
  first.close()
  const all = log.packs
  log.packs = early
  const again = followerOf(options, warnings)
  await again.open()
  await again.catchUp()
  t.match(warnings, [/ends at pack 3/])
  log.packs = all
  signUp(leader, 3)
  await leader.sendAll()
  await again.catchUp()
  again.close()
  t.equal(rowsOf(pathIn(options.directory, ACCESS_FILE)), rowsOf(leader.path))
  t.equal(warnings.length, 1, 'and no copy of all rows is taken')
  leader.close()
})

t.test("a log that another one's was restored over is not overwritten", async t => {
  const log = new StreamPacks()
  const other = await Leader.start({ kind: ACCESS_FILE, log, directory: roomyDirectory(t) })
  signUp(other, 1)
  await finish(other)
  const strange = log.packs
  log.packs = []
  const leader = await Leader.start({ kind: ACCESS_FILE, log, directory: roomyDirectory(t) })
  for (const number of [2, 3, 4]) {
    signUp(leader, number)
    await leader.sendAll()
  }
  log.packs = [...strange]
  signUp(leader, 5)
  await t.rejects(leader.sendAll(), {
    message: 'the log has rows that this exchange lacks: a start takes them',
  })
  t.equal(log.packs.length, strange.length)
  leader.close()
})

t.test('one that begins pauses before it looks at its log again, and stops if it is to', async t => {
  const log = new StreamPacks()
  const options = { kind: ACCESS_FILE, log, directory: roomyDirectory(t) }
  const first = await Leader.start(options)
  await finish(first)
  const end = await log.last()
  const pauses: number[] = []
  let isClosing = false
  const senderOf = (of: PackLog) =>
    new PackSender({
      ...{ kind: ACCESS_FILE, log: of, path: first.path, owner: 'again', epoch: 0, recipients: [] },
      ...UNTOLD,
      isClosing: () => isClosing,
      pause: async ms => {
        // What does not pause would not end, and what does not stop neither.
        if (pauses.push(ms) > 9) throw new Error('it goes on')
        await turn()
      },
    })
  let looks = 0
  const late = async () => ({ lineage: undefined, counter: 0, place: looks++ < 3 ? end - 1 : end })
  const sender = senderOf(log)
  t.ok(await sender.begin(late))
  t.same([looks, pauses], [4, [250, 250, 250]], 'another pack came after each look')
  sender.close()

  looks = pauses.length = 0
  const strange = Buffer.from('of another one')
  const raced = partOf(log, {
    put: async (place, pack) => looks > 2 && log.put(place, pack),
    get: async place => (place > end + 1 && looks <= 2 ? strange : log.get(place)),
  })
  const overtaken = senderOf(raced)
  const own = async () => {
    looks++
    return { lineage: undefined, counter: 0, place: await log.last() }
  }
  t.ok(await overtaken.begin(own))
  t.same(pauses, [250, 250], 'another pack was faster')
  overtaken.close()

  isClosing = true
  looks = pauses.length = 0
  const stopped = senderOf(log)
  const ended = stopped.begin(async () => ({ lineage: undefined, counter: 0, place: 99 }))
  t.type(await ended.catch((error: unknown) => error), StoppedError)
  t.same(pauses, [])
  stopped.close()
})

t.test('a pack that comes between two looks costs no other copy of the rows', async t => {
  const log = new ObjectPacks(new MarkedStore(new Dice(1)), 'accounts')
  const leader = await Leader.start({ kind: ACCESS_FILE, directory: roomyDirectory(t), log })
  await leader.sendAll()
  const directory = roomyDirectory(t)
  const first = followerOf({ kind: ACCESS_FILE, directory, log })
  await first.open()
  await first.catchUp()
  first.close()
  let change: (() => Promise<void>) | undefined = async () => {
    change = undefined
    signUp(leader, 1)
    await leader.sendAll()
  }
  const racing = partOf(log, {
    last: async () => {
      await change?.()
      return log.last()
    },
  })
  const warnings: string[] = []
  const again = followerOf({ kind: ACCESS_FILE, directory, log: racing }, warnings)
  await again.open()
  await again.catchUp()
  again.close()
  t.same(warnings, [], 'it goes on from its file')
  t.equal(rowsOf(pathIn(directory, ACCESS_FILE)), rowsOf(leader.path))
  leader.close()
})

t.test('a log that ends too early for a moment costs no row that was not sent', async t => {
  const log = new ObjectPacks(new MarkedStore(new Dice(1)), 'accounts')
  const options = { kind: ACCESS_FILE, directory: roomyDirectory(t), log }
  const leader = await Leader.start(options)
  await leader.sendAll()
  signUp(leader, 1)
  await leader.sendAll()
  leader.note()
  signUp(leader, 2)
  leader.close()
  const rows = rowsOf(leader.path)
  for (const isShort of [false, true]) {
    const end = await log.last()
    let looks = 3
    const late = partOf(log, {
      last: async () => (looks-- > 0 ? end - 1 : end),
      get: async place => (isShort && looks > 0 && place >= end ? undefined : log.get(place)),
    })
    // It knew its last pack before the servers elected another one.
    const warnings: string[] = []
    const again = followerOf({ ...options, log: late }, warnings, true)
    looks = 0
    await again.open()
    looks = 3
    await again.catchUp()
    again.close()
    t.same(warnings, [])
    t.equal(rowsOf(leader.path), rows)
  }
})

t.test('rows wait for no deletion of old packs', async t => {
  const log = new ObjectPacks(new MarkedStore(new Dice(1)), 'accounts')
  const hanging = partOf(log, { trim: () => new Promise(() => undefined) })
  const leader = await Leader.start({ kind: ACCESS_FILE, directory: roomyDirectory(t), log: hanging })
  await leader.sendAll()
  signUp(leader, 1)
  await leader.sendAll()
  t.equal(leader.held.number, leader.outbox.last)
  leader.close()
})

t.test('a large row that could not be written is read again from its first piece', async t => {
  const log = new ObjectPacks(new MarkedStore(new Dice(1)), 'site')
  const leader = await Leader.start({ kind: SITE_FILE, directory: roomyDirectory(t), log })
  await leader.sendAll()
  const directory = roomyDirectory(t)
  const follower = followerOf({ kind: SITE_FILE, directory, log })
  await follower.open()
  await follower.catchUp()
  const insert = leader.file.prepare('INSERT INTO pictures (name, bytes) VALUES (?, ?)')
  insert.run('one', randomBytes(1_500_000))
  await leader.sendAll()
  const other = openDatabase(pathIn(directory, SITE_FILE))
  other.exec('BEGIN IMMEDIATE')
  await t.rejects(follower.catchUp(), { code: 'SQLITE_BUSY' })
  other.exec('ROLLBACK')
  other.close()
  await follower.catchUp()
  t.ok(rowsOf(pathIn(directory, SITE_FILE)) === rowsOf(leader.path), 'all rows are there')
  follower.close()
  leader.close()
})

for (const [kind, [change]] of [
  [ACCESS_FILE, ACCOUNT_ACTS],
  [SITE_FILE, SITE_ACTS],
] as const) {
  t.test(`${kind.companion}: a filling that was broken off is made again by the next start`, async t => {
    const store = new MarkedStore(new Dice(1))
    const log = new ObjectPacks(store, kind.companion)
    const one = await Leader.start({ kind, log, directory: roomyDirectory(t) })
    change(one.file, new Dice(1), 1)
    await one.sendAll()
    one.close()
    const options = { kind, log, directory: roomyDirectory(t) }
    followerOf(options).close()
    t.ok(existsSync(pathIn(options.directory, kind)), 'a file was made, and nothing was written')
    const again = followerOf(options, [], true)
    await again.open()
    await again.catchUp()
    again.close()
    t.equal(rowsOf(pathIn(options.directory, kind)), rowsOf(one.path))
  })
}

t.test('of two leaders the earlier one is fenced, and cannot begin again', async t => {
  const log = new ObjectPacks(new MarkedStore(new Dice(1)), 'accounts')
  const [first, second] = [roomyDirectory(t), roomyDirectory(t)]
  const one = await Leader.start({ kind: ACCESS_FILE, log, directory: first })
  signUp(one, 1)
  await one.sendAll()
  const two = await Leader.start({ kind: ACCESS_FILE, log, directory: second, epoch: 1 })
  signUp(one, 2)
  await t.rejects(one.sendAll(), { name: 'FencedError' })
  const { number } = one.held
  t.ok(number < one.outbox.last, 'its change is not acknowledged')
  signUp(two, 3)
  await two.sendAll()
  one.close()
  await t.rejects(Leader.start({ kind: ACCESS_FILE, log, directory: first }), { name: 'FencedError' })
  two.close()

  // It comes back as a standby; what only it had is set aside.
  const warnings: string[] = []
  writeFileSync(pathIn(first, ACCESS_FILE), readFileSync(pathIn(first, ACCESS_FILE)))
  t.same(accountsIn(second), ['user 1', 'user 3'])
  const again = followerOf({ kind: ACCESS_FILE, log, directory: first }, warnings)
  await again.open()
  await again.catchUp()
  again.close()
  t.same(accountsIn(first), ['user 1', 'user 3'])
  t.ok(isSound(first))
  t.ok(isSound(second))
})

t.test('a leader that slept does not find a place that was deleted free again', async t => {
  const store = new MarkedStore(new Dice(1))
  const log = new ObjectPacks(store, 'site')
  const put = ({ file }: Leader, name: string, bytes: Buffer) =>
    file.prepare('INSERT OR REPLACE INTO pictures (name, bytes) VALUES (?, ?)').run(name, bytes)
  const slept = await Leader.start({ kind: SITE_FILE, log, directory: roomyDirectory(t) })
  await slept.sendAll()
  const place = (await log.last()) + 1
  const next = await Leader.start({ kind: SITE_FILE, log, directory: roomyDirectory(t), epoch: 1 })
  while ((await log.get(place)) !== undefined) {
    put(next, 'one', randomBytes(400_000))
    await next.sendAll()
  }
  put(slept, 'two', Buffer.alloc(9))
  await t.rejects(slept.sendAll(), { name: 'FencedError' })
  t.equal(await log.get(place), undefined, 'and leaves nothing there')
  t.ok((await readBack(t, store, SITE_FILE)) === rowsOf(next.path))
  slept.close()
  next.close()
})

t.test('a disk that comes back just then keeps the pack of the one that leads', async t => {
  const store = new MarkedStore(new Dice(1))
  const log = new ObjectPacks(store, 'accounts')
  let isBack = false
  const has = async (name: string) => {
    const found = await store.has(name)
    store.mount(true)
    isBack = true
    return found
  }
  const blinking = new ObjectPacks(
    replicaStore(changed(store, { has, putNew: (name, pack) => store.putNew(name, pack) })),
    'accounts',
  )
  const slept = await Leader.start({ kind: ACCESS_FILE, log: blinking, directory: roomyDirectory(t) })
  await slept.sendAll()
  const place = (await log.last()) + 1
  const next = await Leader.start({ kind: ACCESS_FILE, log, directory: roomyDirectory(t), epoch: 1 })
  signUp(next, 1)
  await next.sendAll()
  const theirs = store.files.get(`companion-accounts-${String(place).padStart(16, '0')}.raay`)
  t.ok(theirs)
  isBack = false
  store.mount(false)
  signUp(slept, 2)
  await t.rejects(slept.sendAll(), { name: 'FencedError' })
  t.ok(isBack)
  t.same(await log.get(place), theirs)
  t.ok((await readBack(t, store, ACCESS_FILE)) === rowsOf(next.path))
  slept.close()
  next.close()
})

t.test('a directory of packs that was restored as of an earlier time gets all rows again', async t => {
  const store = new MarkedStore(new Dice(1))
  const log = new ObjectPacks(store, 'accounts')
  const leader = await Leader.start({ kind: ACCESS_FILE, log, directory: roomyDirectory(t) })
  signUp(leader, 1)
  await leader.sendAll()
  const early = new Map(store.files)
  for (const number of [2, 3]) {
    signUp(leader, number)
    await leader.sendAll()
  }
  for (const files of [early, new Map([[MARKER, Buffer.alloc(0)]])]) {
    store.files.clear()
    for (const [name, contents] of files) store.files.set(name, contents)
    signUp(leader, 4 + store.files.size)
    await leader.sendAll()
    t.equal(leader.failures.at(-1), undefined)
    t.equal(leader.held.number, leader.outbox.last)
    t.ok((await readBack(t, store, ACCESS_FILE)) === rowsOf(leader.path))
  }
  t.equal(leader.warnings.length, 2)
  t.match(leader.warnings, [
    /no longer has pack 5, and ends at pack 3\. All rows of the accounts are sent again/,
  ])
  leader.close()
})

t.test('nothing is sent to an empty mount point, and all goes on once the disk is back', async t => {
  const store = new MarkedStore(new Dice(1))
  const log = new ObjectPacks(store, 'site')
  const mounted = new Map(store.files)
  let pauses = 0
  const pause = async () => {
    t.equal(store.files.size, 0, 'nothing stays there')
    if (++pauses === 3) for (const [name, bytes] of mounted) store.files.set(name, bytes)
    await turn()
  }
  const leader = await Leader.start({ kind: SITE_FILE, log, directory: roomyDirectory(t), pause })
  await leader.sendAll()
  for (const [name, bytes] of store.files) mounted.set(name, bytes)
  store.files.clear()
  leader.file.prepare("INSERT INTO pictures (name, bytes) VALUES ('one', x'00')").run()
  await leader.sendAll()
  t.equal(pauses, 3)
  t.match(
    leader.failures.join(),
    /no longer has raay-replica\.json, and nothing that follows it: mount its disk/,
  )
  t.equal(leader.failures.at(-1), undefined)
  t.equal(leader.held.number, leader.outbox.last)
  t.ok((await readBack(t, store, SITE_FILE)) === rowsOf(leader.path))
  leader.close()
})

t.test('a standby whose disk is away as it leads begins nothing in the mount point', async t => {
  for (const isFirst of [false, true]) {
    const store = new MarkedStore(new Dice(1))
    const log = new ObjectPacks(store, 'accounts')
    const options = { kind: ACCESS_FILE, directory: roomyDirectory(t), log, epoch: 1 }
    let rows: string | undefined
    if (!isFirst) {
      const leader = await Leader.start({ ...options, directory: roomyDirectory(t) })
      signUp(leader, 1)
      await finish(leader)
      rows = rowsOf(leader.path)
    }
    const follower = followerOf(options)
    await follower.open()
    await follower.catchUp()
    store.mount(false)
    let pauses = 0
    const failures: (string | undefined)[] = []
    const sender = new PackSender({
      ...{ kind: ACCESS_FILE, log, path: pathIn(options.directory, ACCESS_FILE), owner: 'standby', epoch: 1 },
      ...{ recipients: [], ...UNTOLD, failing: reason => failures.push(reason) },
      pause: async () => {
        t.same([...store.files.keys()], [])
        if (++pauses === 40) store.mount(true)
        await turn()
      },
    })
    await sender.begin(async () => {
      await follower.catchUp()
      return follower.ownedBy('standby')
    })
    t.equal(pauses, 40)
    t.match(failures.join(), /no longer has raay-replica\.json, and nothing that follows it: mount its disk/)
    while (await sender.send());
    sender.close()
    follower.close()
    const found = await readBack(t, store, ACCESS_FILE)
    t.equal(found, rows ?? rowsOf(pathIn(options.directory, ACCESS_FILE)))
  }
})

t.test('a first pack that comes just as the disk goes stays nowhere', async t => {
  const store = new MarkedStore(new Dice(1))
  const log = new ObjectPacks(store, 'site')
  let pauses = 0
  const pause = async () => {
    t.same([...store.files.keys()], [])
    store.mount(true)
    pauses++
    await turn()
  }
  const late = partOf(log, {
    put: async (place, pack) => {
      if (pauses === 0) store.mount(false)
      return log.put(place, pack)
    },
  })
  const leader = await Leader.start({ kind: SITE_FILE, log: late, directory: roomyDirectory(t), pause })
  t.equal(pauses, 1)
  await finish(leader)
  t.ok((await readBack(t, store, SITE_FILE)) === rowsOf(leader.path))
})

t.test('a crash between the packs of one large row loses no row', async t => {
  for (let puts = 0; puts < 4; puts++) {
    const store = new MarkedStore(new Dice(1))
    const inner = new ObjectPacks(store, 'site')
    let left = Number.POSITIVE_INFINITY
    let stuck: () => void = () => undefined
    const isStuck = new Promise<void>(resolve => {
      stuck = resolve
    })
    const put = async (place: number, pack: Uint8Array) => {
      if (left-- > 0) return inner.put(place, pack)
      stuck()
      return new Promise<boolean>(() => undefined)
    }
    const log: PackLog = {
      ...{
        name: 'the log',
        put,
        get: place => inner.get(place),
        confirm: (place, pack) => inner.confirm(place, pack),
      },
      ...{ last: () => inner.last(), trim: before => inner.trim(before) },
    }
    const options = { kind: SITE_FILE, directory: roomyDirectory(t), log }
    const first = await Leader.start(options)
    await first.sendAll()
    first.note()
    const insert = first.file.prepare('INSERT INTO pictures (name, bytes) VALUES (?, ?)')
    insert.run('small', Buffer.from('small'))
    insert.run('large', randomBytes(1_100_000))
    left = puts
    void first.sendAll()
    await isStuck
    first.close()
    left = Number.POSITIVE_INFINITY
    const second = await Leader.start(options)
    await second.sendAll()
    t.ok((await readBack(t, store, SITE_FILE)) === rowsOf(second.path), `after ${puts} packs`)
    second.close()
  }
})

t.test('what only an earlier leader had is set aside, and its mark follows', async t => {
  const log = new ObjectPacks(new MarkedStore(new Dice(1)), 'accounts')
  const [first, second] = [roomyDirectory(t), roomyDirectory(t)]
  const one = await Leader.start({ kind: ACCESS_FILE, log, directory: first })
  signUp(one, 1)
  await one.sendAll()
  one.note()
  for (const number of [2, 3, 4]) signUp(one, number)
  one.close()
  const two = await Leader.start({ kind: ACCESS_FILE, log, directory: second, epoch: 1 })
  signUp(two, 5)
  await two.sendAll()
  two.close()
  const warnings: string[] = []
  const again = followerOf({ kind: ACCESS_FILE, log, directory: first }, warnings)
  await again.open()
  await again.catchUp()
  again.close()
  t.same(accountsIn(first), ['user 1', 'user 5'])
  const [name = ''] = readdirSync(join(first, 'orphans'))
  t.match(readFileSync(join(first, 'orphans', name), 'utf8'), /"user 2".*"user 3".*"user 4"/s)
  t.match(warnings, [/^took the accounts from .*, as of pack \d+; what only this exchange had is in orphans/])
  t.ok(isSound(first), 'though it has fewer decisions than its mark named')
})

t.test('a byte that flipped is refused, wherever it is', async t => {
  const { identity, recipient } = await newKeys()
  for (const recipients of [[], [recipient]]) {
    const store = new MarkedStore(new Dice(1))
    const log = new ObjectPacks(store, 'accounts')
    const leader = await Leader.start({ kind: ACCESS_FILE, directory: roomyDirectory(t), log, recipients })
    signUp(leader, 1)
    await leader.sendAll()
    leader.close()
    t.equal(await readBack(t, store, ACCESS_FILE, [identity]), rowsOf(leader.path))
    if (recipients.length > 0) {
      t.notMatch(Buffer.concat([...store.files.values()]).toString('latin1'), /user 1/)
      await t.rejects(readBack(t, store, ACCESS_FILE), { message: /give your key with --identity/ })
    }
    const name = `companion-accounts-${'3'.padStart(16, '0')}.raay`
    const whole = store.files.get(name) as Buffer
    for (let at = 0; at < whole.length; at += 7) {
      const flipped = Buffer.from(whole)
      flipped[at] = (flipped[at] ?? 0) ^ 4
      store.files.set(name, flipped)
      await t.rejects(readBack(t, store, ACCESS_FILE, [identity]), { name: 'BrokenPackError' }, `byte ${at}`)
    }
  }
})

t.test('a standby follows an older version, and refuses a newer one', async t => {
  const store = new MarkedStore(new Dice(1))
  const log = new ObjectPacks(store, 'accounts')
  const { schema } = ACCESS_FILE
  const steps = [...schema.steps, "ALTER TABLE accounts ADD COLUMN colour TEXT NOT NULL DEFAULT 'red'"]
  const newer = { ...ACCESS_FILE, schema: { ...schema, steps } }
  const [older, standby] = [roomyDirectory(t), roomyDirectory(t)]
  const leader = await Leader.start({ kind: ACCESS_FILE, log, directory: older })
  signUp(leader, 1)
  await leader.sendAll()
  const follower = followerOf({ kind: newer, log, directory: standby })
  await follower.open()
  for (const number of [2, 3]) {
    await follower.catchUp()
    signUp(leader, number)
    await leader.sendAll()
  }
  await follower.catchUp()
  follower.close()
  leader.close()
  const path = pathIn(standby, ACCESS_FILE)
  t.same(accountsIn(standby), ['user 1', 'user 2', 'user 3'])
  const mark = new DecisionMark(join(standby, 'raay.db'))
  t.equal(examineCompanion({ path, mark }, newer).kind, 'sound', 'its chain goes over the new column')
  const next = await Leader.start({ kind: newer, log, directory: standby, epoch: 1 })
  signUp(next, 4)
  await next.sendAll()
  next.close()
  t.equal(kindsIn(store, ACCESS_FILE).includes('snapshot'), true)
  const left = followerOf({ kind: ACCESS_FILE, log, directory: older })
  await left.open()
  await t.rejects(left.catchUp(), {
    message: /has the accounts of version 11, this program knows 10: install the version of the exchange/,
  })
  left.close()
  t.same(accountsIn(older), ['user 1', 'user 2', 'user 3'], 'and has what it had')
})

t.test('steps of companions only add: rows of the version before them still fit', t => {
  const adds = /^(?:--.*|CREATE (?:UNIQUE )?INDEX\b.*|CREATE TABLE\b.*|ALTER TABLE \w+ ADD COLUMN\b.*)$/s
  for (const { schema } of [ACCESS_FILE, SITE_FILE]) {
    for (const step of schema.steps) {
      const statements = step.replaceAll(/--.*$/gm, '').split(';')
      for (const statement of statements.map(text => text.trim()).filter(text => text !== '')) {
        t.match(statement, adds, 'a step that does more needs a snapshot that a standby can read')
      }
    }
  }
  t.end()
})

t.test('a log that is down: what changes is sent once it is up, and nothing is kept open', async t => {
  const store = new MarkedStore(new Dice(1))
  const inner = new ObjectPacks(store, 'site')
  let isDown = false
  let pauses = 0
  const refuse = () => {
    throw new Error('the store is down')
  }
  const log: PackLog = {
    name: 'the log',
    put: async (place, pack) => (isDown ? refuse() : inner.put(place, pack)),
    get: async place => (isDown ? refuse() : inner.get(place)),
    confirm: (place, pack) => inner.confirm(place, pack),
    last: () => inner.last(),
    trim: before => inner.trim(before),
  }
  const change = () =>
    leader.file
      .prepare('INSERT OR REPLACE INTO pictures (name, bytes) VALUES (?, ?)')
      .run('one', Buffer.alloc(900_000, pauses))
  let most = 0
  const pause = async () => {
    pauses++
    change()
    most = Math.max(most, statSync(`${leader.path}-wal`).size)
    await turn()
    if (pauses === 40) isDown = false
  }
  const leader = await Leader.start({ kind: SITE_FILE, directory: roomyDirectory(t), log, pause })
  isDown = true
  await leader.sendAll()
  t.ok(pauses >= 40)
  t.match(leader.failures, [undefined, 'the store is down'])
  t.equal(leader.failures.at(-1), undefined)
  t.equal(leader.held.number, leader.outbox.last)
  t.ok(most < 20_000_000, `the file's log is emptied meanwhile: ${most} bytes`)
  t.equal(await readBack(t, store, SITE_FILE), rowsOf(leader.path))
  leader.close()
})

t.test('packs are deleted behind snapshots, however long it runs', async t => {
  const store = new MarkedStore(new Dice(1))
  const log = new ObjectPacks(store, 'site')
  const leader = await Leader.start({ kind: SITE_FILE, directory: roomyDirectory(t), log })
  let most = 0
  let largest = 0
  for (let changes = 0; changes < 120; changes++) {
    const noise = randomBytes(changes === 60 ? 1_500_000 : 300_000)
    leader.file.prepare('INSERT OR REPLACE INTO pictures (name, bytes) VALUES (?, ?)').run('one', noise)
    await leader.sendAll()
    const sizes = [...store.files.values()].map(({ length }) => length)
    most = Math.max(
      most,
      sizes.reduce((sum, size) => sum + size, 0),
    )
    largest = Math.max(largest, ...sizes)
  }
  t.ok(most < 24_000_000, `${most} bytes at most`)
  t.ok(largest <= 512 * 1024, `${largest} bytes in the largest pack`)
  t.ok((await log.last()) > store.files.size, 'some were deleted')
  t.equal(await readBack(t, store, SITE_FILE), rowsOf(leader.path))
  leader.close()
})

t.test('rows that change while a snapshot is sent wait for none of it', async t => {
  const store = new MarkedStore(new Dice(1))
  const log = new ObjectPacks(store, 'site')
  const leader = await Leader.start({ kind: SITE_FILE, directory: roomyDirectory(t), log })
  const put = leader.file.prepare('INSERT OR REPLACE INTO pictures (name, bytes) VALUES (?, ?)')
  await leader.sendAll()
  // As much as calls for another snapshot, which takes many packs.
  for (let number = 0; number < 30; number++) put.run(`picture ${number}`, randomBytes(350_000))
  while (kindsIn(store, SITE_FILE).filter(kind => kind === 'snapshot').length < 3) await leader.sender.send()
  leader.file.prepare("DELETE FROM pictures WHERE name = 'picture 0'").run()
  await leader.sender.send()
  t.equal(kindsIn(store, SITE_FILE).at(-1), 'rows')
  t.equal(leader.held.number, leader.outbox.last, 'it is acknowledged')
  await leader.sender.send()
  t.equal(kindsIn(store, SITE_FILE).at(-1), 'snapshot', 'which goes on')
  await leader.sendAll()
  t.equal(await readBack(t, store, SITE_FILE), rowsOf(leader.path))
  leader.close()
})
