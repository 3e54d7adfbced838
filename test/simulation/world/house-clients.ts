import { assert } from '../../../src/core/assert.js'
import type { Amount, PriceTicks } from '../../../src/core/units.js'
import type { FundingRequest } from '../../../src/exchange/house/house-budgets.js'
import type { DeskMarket } from '../../../src/exchange/markets/desk-market.js'
import type { ActionJudge } from '../judges/action-judge.js'
import { HouseJudge } from '../judges/house-judge.js'
import type { Hear } from './listings.js'
import type { World } from './world.js'

/** The operator of house quotes. */
export class HouseClients {
  readonly judge: HouseJudge
  readonly #world: World
  readonly #actions: ActionJudge
  readonly #hear: Hear

  constructor(world: World, actions: ActionJudge, hear: Hear) {
    this.judge = new HouseJudge(world)
    this.#world = world
    this.#actions = actions
    this.#hear = hear
  }

  /** Funds the quotes of markets; the quotes of one are signed. */
  fund(requests: readonly FundingRequest[]): void {
    const { funding } = this.#world.exchange.house
    const [first] = requests
    if (first === undefined) return
    const by = requests.length > 1 ? undefined : this.#actions.sign('fund_quotes', first.market.terms.code)
    this.#hear(funding.fund(requests, by), refused => {
      if (by !== undefined) this.#actions.answered(by, refused === undefined ? 'done' : 'refused')
      this.judge.funded(requests, refused)
    })
  }

  /** Returns the requests that split a budget among outcomes; fails if they are of more, or much less. */
  evenly(markets: readonly DeskMarket[], budget: Amount, step: PriceTicks): readonly FundingRequest[] {
    const requests = this.#world.exchange.house.funding.evenly(markets, budget, { step })
    const sum = requests.reduce((total, request) => total + request.budget, 0)
    assert(sum <= budget && sum > budget - markets.length, 'the outcomes of a group share one budget')
    return requests
  }

  stop(market: DeskMarket): void {
    const { house } = this.#world.exchange
    const wasRunning = house.running(market) !== undefined
    const by = this.#actions.sign('stop_quotes', market.terms.code)
    this.#hear(house.stop(market, by), refusal => {
      const done = wasRunning ? 'done' : 'refused'
      this.#actions.answered(by, refusal === undefined ? done : 'refused')
      if (refusal === undefined) this.judge.stopped(market, wasRunning)
    })
  }
}
