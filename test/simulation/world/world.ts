import { assert } from '../../../src/core/assert.js'
import type { Amount, TimeMs } from '../../../src/core/units.js'
import { Exchange } from '../../../src/exchange/exchange.js'
import type { HouseBudgets } from '../../../src/exchange/house/house-budgets.js'
import type { FeeSettings } from '../../../src/exchange/markets/fee-rates.js'
import { MessageReader } from '../../../src/exchange/reads/message-reader.js'
import type { Database, Statement } from '../../../src/store/database.js'
import { openReadOnly } from '../../../src/store/database.js'
import { BatchKeyRows } from '../../../src/store/rows/batch-key-rows.js'
import { GroupRows } from '../../../src/store/rows/group-rows.js'
import { MarketRows } from '../../../src/store/rows/market-rows.js'
import { OpenOrderRows } from '../../../src/store/rows/open-order-rows.js'
import { OrderRows } from '../../../src/store/rows/order-rows.js'
import type { Dice } from '../../fixtures/dice.js'
import { CommandWatch } from '../workload/command-watch.js'
import type { RareBranches } from '../workload/rare-branches.js'
import { Crash, DiskError, loadsOf } from './crash.js'
import { Disk } from './disk.js'
import { changeForm, countBehind, countPart, MOVING } from './files-found.js'
import { Machine, tick } from './machine.js'

export const START = 1_800_000_000_000
const LOG_LINES_MAX = 60
/** How many of a hundred starts die. */
export const DIES_PERCENT = 20
/** How many starts find the files in another form, and how many of those die. */
const CHANGED_PERCENT = 15
const CHANGED_DIES_PERCENT = 60
/** About how many statements move a journal. */
const MOVING_STATEMENTS = 8

export interface WorldOptions {
  readonly shardCount: number
  readonly queueLengthMax: number
  readonly startingBalance: Amount
  readonly fees: FeeSettings
  readonly house: HouseBudgets
}

interface Observed {
  readonly orders: OrderRows
  readonly markets: MarketRows
  readonly groups: GroupRows
  readonly openOrders: OpenOrderRows
  readonly batchKeys: BatchKeyRows
  readonly messages: MessageReader
}

/** A series of exchanges on one file, with a clock moved by hand, on a machine that can die. */
export class World {
  readonly dice: Dice
  readonly branches: RareBranches
  readonly machine: Machine
  now = START
  /** Recent events, shown with a violation. */
  readonly log: string[] = []
  /** An error raised where it could not be thrown. */
  readonly violations: unknown[] = []
  /** The number of exchanges opened so far. */
  epoch = 0
  /** True while an exchange starts: its markets cannot be read yet. */
  isOpening = false
  /** Returns the number of answers that clients wait for. */
  awaited = () => 0
  readonly #options: WorldOptions
  readonly #disk: Disk
  readonly #listeners: ((exchange: Exchange) => void)[] = []
  #shardCount: number
  #ids = 0
  #exchange: Exchange | undefined
  #observer: Database | undefined
  #tables: Observed | undefined
  #questions = new Map<string, Statement>()

  constructor(dice: Dice, branches: RareBranches, options: WorldOptions) {
    this.dice = dice
    this.branches = branches
    this.#options = options
    this.#shardCount = options.shardCount
    this.#disk = new Disk(dice)
    const commands = new CommandWatch(this)
    this.machine = new Machine(dice, {
      died: () => {
        const { isTorn, hasLostTables } = this.#disk.takeImage(this.machine.isRelaxed)
        branches.count('crash with a torn log', isTorn)
        branches.count('crash with unsynced tables lost', hasLostTables)
      },
      queued: (command, isFull) => commands.queued(command, isFull),
      readWaits: () => branches.count('read waited for the tables'),
      foundFresh: () => branches.count('look-up answered from fresh rows'),
    })
  }

  get exchange(): Exchange {
    assert(this.#exchange !== undefined, 'an exchange is used while it is open')
    return this.#exchange
  }

  get file(): string {
    return this.#disk.file
  }

  get shardCount(): number {
    return this.#shardCount
  }

  get budgets(): HouseBudgets {
    return this.#options.house
  }

  get queueLengthMax(): number {
    return this.#options.queueLengthMax
  }

  get isDead(): boolean {
    return this.machine.death !== undefined
  }

  /** Called with every exchange that opens, before anything happens in it. */
  onOpen(listener: (exchange: Exchange) => void): void {
    this.#listeners.push(listener)
  }

  note(line: string): void {
    this.log.push(`${this.now - START} ms: ${line}`)
    if (this.log.length > LOG_LINES_MAX) this.log.shift()
  }

  /** Throws an error that could not be thrown where it happened. */
  assertNoViolation(): void {
    const [first] = this.violations
    if (first !== undefined) throw first
  }

  /** Opens an exchange on the file; sometimes the start crashes and is repeated. */
  async open(diesPercent: number, isMoving = false): Promise<void> {
    const { dice, machine, branches } = this
    for (let percent = diesPercent; ; percent = 0) {
      const isInMove = isMoving && dice.percent(50)
      const nth = dice.between(1, isInMove ? MOVING_STATEMENTS : dice.oneOf([20, 120, 600]))
      machine.start(dice.percent(percent) ? nth : undefined, isInMove ? MOVING : undefined)
      this.isOpening = true
      try {
        this.#exchange = await this.#start()
        // It may also have died in what a start does beside the trading, which fails nobody.
        if (!this.isDead) break
        this.note('crash beside the end of the start')
      } catch (error) {
        if (!(error instanceof Crash) || !this.isDead) throw error
        this.note(`crash ${error.message}`)
      }
      branches.count('crash at the start')
      countPart(machine, branches)
      this.#boot()
    }
    this.isOpening = false
    machine.started()
    this.epoch++
    this.#observer = openReadOnly(this.file)
    machine.observe(this.#observer)
    for (const listener of this.#listeners) listener(this.exchange)
  }

  /** Starts a new process on the file that a crash left, perhaps with another number of shards. */
  async recover(): Promise<void> {
    this.#endObserver()
    this.#boot()
    this.#chooseShards()
    countBehind(this.file, this.branches)
    if (!this.dice.percent(CHANGED_PERCENT)) return this.open(DIES_PERCENT)
    const isMoving = changeForm(this.#disk, this.dice, this.branches) === 'one file'
    return this.open(CHANGED_DIES_PERCENT, isMoving)
  }

  /** Keeps a backup, which a later start may find in the place of the tables. */
  backUp(): void {
    this.#disk.backUp()
  }

  /** Stops cleanly and starts again. */
  async restart(): Promise<void> {
    this.#endObserver()
    await this.exchange.close()
    assert(!this.isDead, 'no crash happens during a clean stop')
    this.machine.boot()
    this.#chooseShards()
    await this.open(0)
  }

  /** Opens a second connection to the file. */
  rows<Row>(sql: string, ...values: unknown[]): Row[] {
    let question = this.#questions.get(sql)
    if (question === undefined) {
      assert(this.#observer !== undefined, 'the file is read while an exchange is open')
      question = this.#observer.prepare(sql)
      this.#questions.set(sql, question)
    }
    return question.all(...values) as Row[]
  }

  /** Checks that the last batch that memory includes is in the journal, however far behind the tables are. */
  assertJournalled(): void {
    const { committed } = this.machine
    const [row] = this.rows<{ end: number }>('SELECT max(sequence) AS end FROM whole_journal')
    assert(row !== undefined && row.end >= committed && committed > 0, 'whatever anyone was shown is on disk')
  }

  /** Waits until all requests and their consequences are done; returns false if the machine died. */
  async settleDown(): Promise<boolean> {
    let ticks = 0
    do {
      await this.tick()
      this.assertNoViolation()
      ticks++
      assert(ticks < 10_000, 'every request is eventually completed and answered')
    } while (!this.isDead && this.#isBusy())
    return !this.isDead
  }

  #isBusy(): boolean {
    return this.machine.inFlight.size > 0 || this.awaited() > 0 || this.machine.isBehind
  }

  /** Lets the exchange run for a moment, in which it may die. */
  async tick(): Promise<void> {
    await tick()
    const { plan, inFlight, failing } = this.machine
    assert(failing === undefined, 'an exchange stops when its disk fails')
    if (plan?.point !== 'between batches') return
    if (plan.load !== undefined && !loadsOf(inFlight, this.machine).has(plan.load)) return
    try {
      this.machine.die(plan.point)
    } catch (error) {
      if (!(error instanceof Crash)) throw error
    }
  }

  /** Returns the tables, read through a connection of their own. */
  tables(): Observed {
    assert(this.#observer !== undefined, 'the file is read while an exchange is open')
    this.#tables ??= {
      orders: new OrderRows(this.#observer),
      openOrders: new OpenOrderRows(this.#observer),
      markets: new MarketRows(this.#observer),
      groups: new GroupRows(this.#observer),
      batchKeys: new BatchKeyRows(this.#observer),
      messages: new MessageReader(this.#observer),
    }
    return this.#tables
  }

  /** Ends abruptly, whatever is in progress. */
  abandon(): void {
    this.#endObserver()
    this.machine.boot()
    this.#disk.remove()
  }

  /** Starts an exchange; rejects if the machine dies before it is open. */
  #start(): Promise<Exchange> {
    return new Promise((resolve, reject) => {
      const fail = (error: Error) => {
        this.machine.stopped()
        if (!(error instanceof Crash || error instanceof DiskError)) this.violations.push(error)
        reject(error)
      }
      const sources = {
        now: () => this.now as TimeMs,
        watch: () => this.now,
        sinceBoot: () => this.now,
        messageId: () => `message-${this.#nextId()}`,
        orderSuffix: () => `tail${this.#nextId()}`,
        eventId: () => `event${this.#nextId()}`,
        rest: (goOn: () => void) => goOn(),
      }
      const options = {
        ...this.#options,
        file: this.file,
        eventsMax: () => 20_000,
        threads: false,
        forgetAfterMs: 60_000,
        follower: 'verify' as const,
      }
      Exchange.open({ ...options, shardCount: this.#shardCount, sources, fail }).then(resolve, reject)
    })
  }

  #chooseShards(): void {
    const before = this.#shardCount
    if (this.dice.percent(40)) this.#shardCount = this.dice.between(1, 3)
    if (this.#shardCount !== before) this.branches.count('restart with another number of shards')
  }

  #boot(): void {
    this.machine.boot()
    this.#disk.useImage()
  }

  #endObserver(): void {
    this.#questions.clear()
    this.#tables = undefined
    this.#observer?.close()
    this.#observer = undefined
  }

  #nextId(): number {
    this.#ids++
    return this.#ids
  }
}
