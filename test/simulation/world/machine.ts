import type { Command } from '../../../src/core/command.js'
import type { Outcome } from '../../../src/core/market.js'
import type { MarketCode } from '../../../src/core/units.js'
import type { Desk } from '../../../src/exchange/desk.js'
import type { Followed } from '../../../src/follower/follower.js'
import type { BatchResult } from '../../../src/shard/batch-runner.js'
import { readCommands } from '../../../src/store/command-text.js'
import type { Database } from '../../../src/store/database.js'
import type { Dice } from '../../fixtures/dice.js'
import type { CrashLoad, CrashPlan, CrashPoint } from './crash.js'
import { Crash, DiskError, isFailure, loadsOf } from './crash.js'
import { patchOnto } from './patches.js'

/** How the process died, and with which commands in flight. */
export interface Death {
  readonly point: CrashPoint | 'at the start'
  readonly loads: ReadonlySet<CrashLoad>
  /** The statement it died of; undefined if it died between two. */
  readonly statement: string | undefined
}

const SLOW_SHARE = 30
const SLOW_TICKS_MAX = 4
/** How long the follower may dawdle: many batches are then committed before it writes their rows. */
const LAG_SHARE = 25
const LAG_TICKS_MAX = 60

/** Callbacks of a machine. */
export interface MachineEvents {
  readonly died: () => void
  readonly queued: (command: Command, isFull: boolean) => void
  readonly readWaits: () => void
  readonly foundFresh: () => void
}

/** Runs everything pending in the event loop. */
export const tick = () => new Promise<void>(resolve => setImmediate(resolve))

/** Every statement. */
const ANY = /^/

/** The points within the transaction of a batch, and those within one of the follower. */
const JOURNAL_POINT = /(?:write|commit)(?: fails)?$/
const TABLES_POINT = / of the tables/

/**
 * The machine under the exchange: workers that may be slow, a disk, and a power switch. It sees every batch,
 * every command and every statement, so it can die before, within and after each of them. A dead machine
 * writes nothing, reads nothing and answers nothing.
 */
export class Machine {
  /** The planned crash. */
  plan: CrashPlan | undefined
  death: Death | undefined
  /** A disk error reported to the exchange, which must stop. */
  failing: CrashPoint | undefined
  /** The memory of the exchange, once it has applied a batch. */
  desk: Desk | undefined
  /** The last batch that memory includes, since the start; 0 until there is one. */
  committed = 0
  /** The last batch that the follower has written since the start. */
  reached = 0
  /** True during a start: everything then runs at once. */
  isStarting = false
  /** True if the tables are written without a sync. */
  isRelaxed = false
  /** Commands queued or decided, but not yet applied by the desk. */
  readonly inFlight = new Set<Command>()
  /** Every command ever queued, by id, and whether the desk applied it. */
  readonly queued = new Map<string, { readonly type: Command['type']; readonly isTakenOver: boolean }>()
  /** The outcomes that were queued. */
  readonly outcomes = new Map<MarketCode, Outcome>()
  /** By market, the group that was queued with it; a group's own code leads to itself. */
  readonly groups = new Map<MarketCode, MarketCode>()

  readonly #dice: Dice
  readonly #on: MachineEvents
  readonly #connections = new Set<Database>()
  readonly #observers = new Set<Database>()
  #boots = 0
  #running: readonly Command[] = []
  #takenOver: readonly Command[] = []
  #armed: CrashPlan | undefined
  #statementsLeft = Number.POSITIVE_INFINITY
  #counted = /^/
  #publicationsLeft = Number.POSITIVE_INFINITY

  constructor(dice: Dice, on: MachineEvents) {
    this.#dice = dice
    this.#on = on
    patchOnto(this)
  }

  /** True if memory includes batches that the tables do not. */
  get isBehind(): boolean {
    return this.reached < this.committed
  }

  /** A connection of the simulation itself, which survives the death of the machine. */
  observe(database: Database): void {
    this.#observers.add(database)
  }

  /** Cuts the power: commands in flight are lost unless they are on disk. */
  die(point: Death['point'], commands: Iterable<Command> = this.inFlight, statement?: string): never {
    this.death = { point, loads: loadsOf(commands, this), statement }
    this.plan = undefined
    this.#armed = undefined
    this.#statementsLeft = Number.POSITIVE_INFINITY
    this.#on.died()
    throw new Crash(point)
  }

  /** Starts a new process, closing the old connections without notifying the exchange. */
  boot(): void {
    for (const connection of this.#connections) if (connection.open) connection.close()
    this.#connections.clear()
    this.#observers.clear()
    this.inFlight.clear()
    this.desk = undefined
    this.death = undefined
    this.committed = 0
    this.reached = 0
    this.isRelaxed = false
    this.#boots++
    this.#running = []
    this.#publicationsLeft = Number.POSITIVE_INFINITY
  }

  /** Begins a start; it dies at its n-th statement of a kind, if it runs that many. */
  start(nth: number | undefined, kind = ANY): void {
    this.isStarting = true
    this.#counted = kind
    this.#statementsLeft = nth ?? Number.POSITIVE_INFINITY
  }

  started(): void {
    this.isStarting = false
    this.#counted = ANY
    this.#statementsLeft = Number.POSITIVE_INFINITY
  }

  /** Handles a publication: the process may die before the next one is delivered. */
  published(): void {
    this.#publicationsLeft--
    if (this.#publicationsLeft === 0) this.die('between publications', this.#takenOver)
  }

  connected(database: Database): void {
    this.#connections.add(database)
  }

  /** Records a queued command; `isFull` if the queue takes no more orders. */
  submitted(command: Command, isFull: boolean): void {
    if (this.death !== undefined) return
    this.inFlight.add(command)
    this.queued.set(command.id, { type: command.type, isTakenOver: false })
    this.#note(command)
    this.#on.queued(command, isFull)
  }

  #note(command: Command): void {
    if (command.type === 'RESOLVE_MARKET') this.outcomes.set(command.market, command.outcome)
    if (command.type === 'CREATE_GROUP') {
      const { code } = command.terms
      for (const market of [code, ...command.markets.map(({ terms }) => terms.code)])
        this.groups.set(market, code)
    }
    if (command.type !== 'RESOLVE_GROUP') return
    for (const [market, outcome] of command.outcomes) this.outcomes.set(market, outcome)
    if (command.outcomes.every(([, outcome]) => outcome === 'void')) this.outcomes.set(command.group, 'void')
  }

  /** Runs a batch, slowly or not, and dies in it if planned. */
  async runBatch<T>(text: string, run: () => T): Promise<T> {
    await this.#dawdle()
    const commands = () => readCommands(text, 0)
    const plan = this.#planFor(commands)
    if (plan?.point === 'before the transaction') this.die(plan.point, commands())
    if (plan !== undefined && JOURNAL_POINT.test(plan.point)) this.#running = commands()
    const answer = this.#armedFor(JOURNAL_POINT, plan, run)
    await this.#dawdle()
    return answer
  }

  /** The follower on its way to the tables, and back; at a start it runs at once. */
  follow(run: (writes: boolean) => Followed): Followed | Promise<Followed> {
    this.isRelaxed = true
    if (!this.isStarting) return this.#followSlowly(run)
    const followed = run(true)
    this.reached = followed.reached
    return followed
  }

  async #followSlowly(run: (writes: boolean) => Followed): Promise<Followed> {
    run(false)
    await this.#dawdle(LAG_SHARE, LAG_TICKS_MAX)
    const { plan } = this
    if (plan !== undefined && TABLES_POINT.test(plan.point)) this.#running = []
    if (plan?.point === 'before the tables') this.die(plan.point)
    const followed = this.#armedFor(TABLES_POINT, plan, () => run(true))
    if (this.plan?.point === 'after the tables') this.die(this.plan.point)
    await this.#dawdle()
    this.reached = followed.reached
    return followed
  }

  /** Runs a transaction; if the plan is about it, the machine dies at one of its statements. */
  #armedFor<T>(points: RegExp, plan: CrashPlan | undefined, run: () => T): T {
    if (plan === undefined || !points.test(plan.point)) return run()
    this.#armed = plan
    this.#statementsLeft = / (?:write|row)/.test(plan.point) ? plan.nth : Number.POSITIVE_INFINITY
    try {
      return run()
    } finally {
      this.#armed = undefined
      this.#statementsLeft = Number.POSITIVE_INFINITY
    }
  }

  foundFresh(): void {
    this.#on.foundFresh()
  }

  readWaits(): void {
    this.#on.readWaits()
  }

  /** Runs look-ups, slowly or not; after a crash they never resolve. */
  async lookUp<T>(find: () => T): Promise<T> {
    try {
      await this.#dawdle()
      return find()
    } catch (error) {
      if (error instanceof Crash) return new Promise<never>(() => {})
      throw error
    }
  }

  /** Runs a statement, unless the machine is dead or dies at it. */
  statement<T>(database: Database, source: string, call: () => T): T {
    if (this.#observers.has(database)) return call()
    // A rollback changes nothing on disk: the image of the crash has been taken.
    if (source === 'ROLLBACK') return call()
    if (this.death !== undefined) throw new Crash(`no ${source} after the end`)
    const plan = this.#armed
    if (source === 'COMMIT' && plan !== undefined) return this.#commit(plan, call)
    if (source.includes('wal_checkpoint') && !this.isStarting) return this.#checkpoint(source, call)
    if (this.#counted.test(source)) this.#statementsLeft--
    if (this.#statementsLeft === 0) this.#strike(plan?.point ?? 'at the start', source)
    return call()
  }

  #checkpoint<T>(source: string, call: () => T): T {
    const point = this.plan?.point
    if (point === 'before a checkpoint') this.die(point, [], source)
    const result = call()
    if (point === 'after a checkpoint') this.die(point, [], source)
    return result
  }

  /** Ends the process after the exchange has stopped itself. */
  stopped(): void {
    if (this.death !== undefined || this.failing === undefined) return
    const { failing } = this
    this.failing = undefined
    try {
      this.die(failing, this.#running)
    } catch (error) {
      if (!(error instanceof Crash)) throw error
    }
  }

  /** Runs as the desk applies a committed batch. */
  takeOver<T>(desk: Desk, commands: readonly Command[], { sequence }: BatchResult, settle: () => T): T {
    this.desk = desk
    const plan = this.#planFor(() => commands)
    const applied = settle()
    if (this.committed === 0) this.reached = sequence - 1
    this.committed = sequence
    this.#takenOver = commands
    for (const command of commands) {
      this.inFlight.delete(command)
      this.queued.set(command.id, { type: command.type, isTakenOver: true })
    }
    if (plan?.point === 'while taken over') this.die(plan.point, commands)
    this.#publicationsLeft = plan?.point === 'between publications' ? plan.nth : Number.POSITIVE_INFINITY
    return applied
  }

  #commit<T>({ point }: CrashPlan, call: () => T): T {
    if (point === 'after the commit' || point.startsWith('as the commit')) call()
    return this.#strike(point)
  }

  /** Kills the process at the planned point, or fails its disk. */
  #strike(point: Death['point'], source?: string): never {
    this.#statementsLeft = Number.POSITIVE_INFINITY
    if (point === 'at the start' || !isFailure(point)) this.die(point, this.#running, source)
    this.plan = undefined
    this.failing = point
    throw new DiskError('disk I/O error')
  }

  /** Returns the plan if it is about a batch of these commands. */
  #planFor(commands: () => readonly Command[]): CrashPlan | undefined {
    const { plan } = this
    if (plan === undefined || plan.load === undefined) return plan
    return loadsOf(commands(), this).has(plan.load) ? plan : undefined
  }

  async #dawdle(share = SLOW_SHARE, ticksMax = SLOW_TICKS_MAX): Promise<void> {
    const boots = this.#boots
    const isWaitedFor = this.plan?.point === 'between batches'
    if (this.death === undefined && (isWaitedFor || this.#dice.percent(share))) {
      for (let left = this.#dice.between(1, ticksMax); left > 0; left--) await tick()
    }
    if (this.death !== undefined || this.#boots > boots) throw new Crash('the worker is gone')
  }
}
