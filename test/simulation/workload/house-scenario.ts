import { ticks } from '../../../src/core/units.js'
import type { DeskMarket } from '../../../src/exchange/markets/desk-market.js'
import type { CrashLoad } from '../world/crash.js'
import type { World } from '../world/world.js'
import type { HouseActions } from './house-actions.js'
import type { Workload } from './workload.js'

const BUDGET = 10
const TABLE = { startPrice: ticks(500), step: ticks(100) }

/** Lets the house quote a market, and crashes the process in what follows. */
export class HouseScenario {
  readonly #world: World
  readonly #workload: Workload
  readonly #actions: HouseActions

  constructor(world: World, workload: Workload, actions: HouseActions) {
    this.#world = world
    this.#workload = workload
    this.#actions = actions
  }

  /** Prepares a market, and returns what then happens to it. */
  async prepare(market: DeskMarket, load: CrashLoad): Promise<() => void> {
    if (load === 'house funding') {
      this.#actions.stop(market)
      await this.#world.settleDown()
      return () => {
        this.#actions.fund(market, BUDGET, TABLE)
        this.#actions.take(market, 3)
      }
    }
    // The settings may have funded it.
    this.#actions.fund(market, BUDGET, TABLE)
    await this.#world.settleDown()
    this.#actions.take(market, 4)
    await this.#world.settleDown()
    if (load === 'house requote') return () => this.#actions.take(market, 4)
    if (load === 'house stop') {
      return () => {
        this.#actions.take(market, 2)
        this.#actions.stop(market)
        this.#actions.take(market, 2)
      }
    }
    if (this.#world.dice.percent(30)) return () => this.#actions.stop(market)
    this.#workload.close(market)
    await this.#world.settleDown()
    return () => this.#workload.resolveAs(market, this.#world.dice.oneOf(['yes', 'no', 'void']))
  }
}
