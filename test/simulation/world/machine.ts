import type { Command } from '../../../src/core/command.js'
import type { Outcome } from '../../../src/core/market.js'
import type { MarketCode } from '../../../src/core/units.js'
import type { Desk } from '../../../src/exchange/desk.js'
import type { Database } from '../../../src/store/database.js'
import type { Dice } from '../../fixtures/dice.js'
import type { CrashLoad, CrashPlan, CrashPoint } from './crash.js'
import { Crash, DiskError, loadsOf } from './crash.js'
import { patchOnto } from './patches.js'

/** How the process died, and with which commands in flight. */
export interface Death {
  readonly point: CrashPoint | 'at the start'
  readonly loads: ReadonlySet<CrashLoad>
}

const SLOW_SHARE = 30
const SLOW_TICKS_MAX = 4

/** Runs everything pending in the event loop. */
export const tick = () => new Promise<void>(resolve => setImmediate(resolve))

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
  /** Commands queued or decided, but not yet applied by the desk. */
  readonly inFlight = new Set<Command>()
  /** Every command ever queued, by id, and whether the desk applied it. */
  readonly queued = new Map<string, { readonly type: Command['type']; readonly isTakenOver: boolean }>()
  /** The outcomes that were queued. */
  readonly outcomes = new Map<MarketCode, Outcome>()

  readonly #dice: Dice
  readonly #onDeath: () => void
  readonly #onQueued: (command: Command, isFull: boolean) => void
  readonly #connections = new Set<Database>()
  readonly #observers = new Set<Database>()
  #boots = 0
  #running: readonly Command[] = []
  #takenOver: readonly Command[] = []
  #armed: CrashPlan | undefined
  #statementsLeft = Number.POSITIVE_INFINITY
  #publicationsLeft = Number.POSITIVE_INFINITY

  constructor(dice: Dice, onDeath: () => void, onQueued: (command: Command, isFull: boolean) => void) {
    this.#dice = dice
    this.#onDeath = onDeath
    this.#onQueued = onQueued
    patchOnto(this)
  }

  /** A connection of the simulation itself, which survives the death of the machine. */
  observe(database: Database): void {
    this.#observers.add(database)
  }

  /** Cuts the power: commands in flight are lost unless they are on disk. */
  die(point: Death['point'], commands: Iterable<Command> = this.inFlight): never {
    this.death = { point, loads: loadsOf(commands, this.outcomes) }
    this.plan = undefined
    this.#armed = undefined
    this.#statementsLeft = Number.POSITIVE_INFINITY
    this.#onDeath()
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
    this.#boots++
    this.#running = []
    this.#publicationsLeft = Number.POSITIVE_INFINITY
  }

  /** Makes the start die at its n-th statement, if it runs that many. */
  dieWhileStarting(nth: number | undefined): void {
    this.#statementsLeft = nth ?? Number.POSITIVE_INFINITY
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
    if (command.type === 'RESOLVE_MARKET') this.outcomes.set(command.market, command.outcome)
    this.#onQueued(command, isFull)
  }

  /** Runs a batch, slowly or not, and dies in it if planned. */
  async runBatch(text: string, run: () => string): Promise<string> {
    await this.#dawdle()
    const commands = () => JSON.parse(text) as Command[]
    const plan = this.#planFor(commands)
    if (plan?.point === 'before the transaction') this.die(plan.point, commands())
    if (plan !== undefined && /write|commit/.test(plan.point)) {
      this.#armed = plan
      this.#running = commands()
      this.#statementsLeft = plan.point.includes('write') ? plan.nth : Number.POSITIVE_INFINITY
    }
    let answer: string
    try {
      answer = run()
    } finally {
      this.#armed = undefined
      this.#statementsLeft = Number.POSITIVE_INFINITY
    }
    await this.#dawdle()
    return answer
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
    this.#statementsLeft--
    if (this.#statementsLeft === 0) this.#strike(plan?.point ?? 'at the start')
    return call()
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
  takeOver<T>(desk: Desk, commands: readonly Command[], settle: () => T): T {
    this.desk = desk
    const plan = this.#planFor(() => commands)
    const result = settle()
    this.#takenOver = commands
    for (const command of commands) {
      this.inFlight.delete(command)
      this.queued.set(command.id, { type: command.type, isTakenOver: true })
    }
    if (plan?.point === 'while taken over') this.die(plan.point, commands)
    this.#publicationsLeft = plan?.point === 'between publications' ? plan.nth : Number.POSITIVE_INFINITY
    return result
  }

  #commit<T>({ point }: CrashPlan, call: () => T): T {
    const isInTime = point === 'after the commit' || point === 'as the commit fails'
    if (isInTime) call()
    return this.#strike(point)
  }

  /** Kills the process at the planned point, or fails its disk. */
  #strike(point: Death['point']): never {
    this.#statementsLeft = Number.POSITIVE_INFINITY
    if (point !== 'as a write fails' && point !== 'as the commit fails') this.die(point, this.#running)
    this.plan = undefined
    this.failing = point
    throw new DiskError('disk I/O error')
  }

  /** Returns the plan if it is about a batch of these commands. */
  #planFor(commands: () => readonly Command[]): CrashPlan | undefined {
    const { plan } = this
    if (plan === undefined || plan.load === undefined) return plan
    return loadsOf(commands(), this.outcomes).has(plan.load) ? plan : undefined
  }

  async #dawdle(): Promise<void> {
    const boots = this.#boots
    const isWaitedFor = this.plan?.point === 'between batches'
    if (this.death === undefined && (isWaitedFor || this.#dice.percent(SLOW_SHARE))) {
      for (let left = this.#dice.between(1, SLOW_TICKS_MAX); left > 0; left--) await tick()
    }
    if (this.death !== undefined || this.#boots > boots) throw new Crash('the worker is gone')
  }
}
