import type { TimeMs } from '../core/units.js'
import type { Exchange } from '../exchange/exchange.js'
import { Board } from './board.js'
import { CUP } from './cup.js'
import { Operator } from './demo-operator.js'
import { Chance } from './seeded-random.js'
import { Trading } from './trading.js'

const ROUND_MS = 5000
/** All outcomes of a cup together are traded as often as this many events. */
const CUP_SHARE = 4

export interface DemoOptions {
  readonly exchange: Exchange
  readonly seed: number
  readonly now: () => TimeMs
  /** Returns true once the file is so large that the bots must rest. */
  readonly isFull: () => boolean
  /** Called once, when the bots begin to rest. */
  readonly tellFull: () => void
  /** Called with an error that should be impossible: the process must stop. */
  readonly fail: (error: Error) => void
}

/** Keeps an exchange busy: bots trade, and an operator ends events and opens others. */
export class Demo {
  readonly #options: DemoOptions
  readonly #chance: Chance
  readonly #board: Board
  readonly #operator: Operator
  readonly #trading: Trading
  readonly #timers: NodeJS.Timeout[] = []
  readonly #underWay = new Map<() => Promise<void>, Promise<void>>()
  #isFull = false

  constructor(options: DemoOptions) {
    const { exchange, seed, now } = options
    this.#options = options
    // The seed includes the time, so that a restarted demo does not repeat the same rolls.
    this.#chance = new Chance(seed, now())
    this.#board = new Board(exchange, () => !this.#isFull)
    this.#operator = new Operator(exchange, this.#board)
    this.#trading = new Trading(exchange, this.#chance)
  }

  /** Starts the bots, with a maximum number of turns per second across all events. */
  start(turnsPerSecond: number): void {
    this.#repeat(this.round, ROUND_MS)
    this.#repeat(this.turn, 1000 / turnsPerSecond)
    this.#begin(this.round)
  }

  /** Stops the bots; resolves when pending work is on disk. */
  async stop(): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer)
    await Promise.all(this.#underWay.values())
  }

  /** Lets one bot trade in one event. */
  readonly turn = async (): Promise<void> => {
    const open = this.#isFull ? [] : this.#board.open()
    const cup = open.filter(({ series }) => series === CUP)
    const others = open.filter(({ series }) => series !== CUP)
    const roll = this.#chance.between(1, others.length + CUP_SHARE)
    const event = roll <= others.length ? others[roll - 1] : cup[this.#chance.between(1, cup.length) - 1]
    if (event !== undefined) await this.#trading.play(event, this.#options.now(), 1)
  }

  /** Does an operator's periodic work. */
  readonly round = async (): Promise<void> => {
    const { now, isFull, tellFull } = this.#options
    await this.#operator.conclude(now())
    await this.#operator.openNext(now())
    await this.#operator.fund(now())
    if (this.#isFull || !isFull()) return
    this.#isFull = true
    tellFull()
  }

  #repeat(work: () => Promise<void>, everyMs: number): void {
    this.#timers.push(setInterval(() => this.#begin(work), everyMs))
  }

  /** Begins some work unless its previous run is still going on. */
  #begin(work: () => Promise<void>): void {
    if (this.#underWay.has(work)) return
    const done = work()
      .catch((error: unknown) =>
        this.#options.fail(error instanceof Error ? error : new Error(String(error))),
      )
      .finally(() => this.#underWay.delete(work))
    this.#underWay.set(work, done)
  }
}
