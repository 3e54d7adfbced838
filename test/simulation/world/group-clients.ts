import { assert } from '../../../src/core/assert.js'
import { keepsOrders } from '../../../src/core/market.js'
import type { ConversionRequest } from '../../../src/exchange/groups/conversions.js'
import type { DeskGroup, GroupResult } from '../../../src/exchange/groups/desk-group.js'
import type { DeskMarket } from '../../../src/exchange/markets/desk-market.js'
import type { GroupRequest } from '../../../src/exchange/markets/market-entry.js'
import type { MarketMove } from '../../../src/exchange/markets/market-life.js'
import { eliminationOf } from '../../../src/exchange/groups/group-results.js'
import type { ActionJudge } from '../judges/action-judge.js'
import { GroupJudge } from '../judges/group-judge.js'
import type { MarketJudge } from '../judges/market-judge.js'
import type { Hear } from './listings.js'
import type { World } from './world.js'

/** The judges of the answers about markets, and of the log of operators. */
interface Judges {
  readonly actions: ActionJudge
  readonly markets: MarketJudge
}

/** The clients and the operator of groups, as `Clients` is for markets. */
export class GroupClients {
  readonly #world: World
  readonly #judges: Judges
  readonly #hear: Hear
  readonly #judge: GroupJudge

  constructor(world: World, judges: Judges, hear: Hear) {
    this.#world = world
    this.#judges = judges
    this.#hear = hear
    this.#judge = new GroupJudge(world)
  }

  create(request: GroupRequest): void {
    const { exchange, branches } = this.#world
    const { actions, markets } = this.#judges
    const by = actions.sign('create', request.listing.title)
    this.#hear(exchange.groups.create({ ...request, by }), answer => {
      const isMade = typeof answer === 'object' && 'terms' in answer
      actions.answered(by, isMade ? 'done' : 'refused')
      if (!isMade) {
        branches.count('answer: group slug_used', typeof answer === 'object')
        branches.count('answer: busy', answer === 'queue_full')
        return
      }
      branches.count('group with None of these', answer.listing.hasNone === true)
      branches.count('independent group', !answer.isExclusive)
      assert(answer.markets.length === request.markets.length, 'a group has the outcomes that were asked for')
      for (const [index, market] of answer.markets.entries()) {
        markets.created(request.markets[index]?.listing.slug ?? '', market)
      }
    })
  }

  convert(request: ConversionRequest): void {
    this.#judge.askedToConvert(request)
    const answer = this.#world.exchange.groups.convert(request)
    this.#hear(answer, converted => this.#judge.converted(request, converted))
  }

  move(group: DeskGroup, move: MarketMove): void {
    const { live } = group
    this.#hear(this.#world.exchange.groups.move(group, move), refusal => {
      if (refusal !== undefined || move !== 'close') return
      const isClosed = live.every(({ progress }) => !keepsOrders(progress.status))
      assert(isClosed, 'a closed group keeps no orders')
    })
  }

  resolve(group: DeskGroup, result: GroupResult): void {
    const { actions, markets } = this.#judges
    this.#judge.askedToResolve(group, result)
    for (const market of group.markets) {
      markets.mayResolve(market, result === 'void' ? 'void' : market === result ? 'yes' : 'no')
    }
    const by = actions.sign(result === 'void' ? 'void' : 'resolve', group.terms.code)
    this.#hear(this.#world.exchange.groups.resolve(group, result, { by }), refusal => {
      actions.answered(by, refusal === undefined ? 'done before' : 'refused')
      this.#judge.resolved(group, result, refusal)
    })
  }

  /** Says what an elimination may set besides: the last outcome left wins. */
  eliminating(group: DeskGroup, market: DeskMarket): void {
    for (const other of group.markets) if (other !== market) this.#judges.markets.mayResolve(other, 'yes')
    this.#world.branches.count('answer: outcome eliminated', eliminationOf(group, market).size === 1)
  }

  assertKept(): void {
    this.#judge.assertKept()
  }
}
