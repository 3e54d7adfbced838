import type { MarketStatus } from '../../../src/core/market.js'
import { keepsOrders } from '../../../src/core/market.js'
import type { PriceTicks } from '../../../src/core/units.js'
import { amount, lots, ticks, UNITS_PER_RUPEE } from '../../../src/core/units.js'
import type { FundingRequest } from '../../../src/exchange/house/house-budgets.js'
import type { DeskGroup } from '../../../src/exchange/groups/desk-group.js'
import type { DeskMarket } from '../../../src/exchange/markets/desk-market.js'
import type { Dice } from '../../fixtures/dice.js'
import type { Clients } from '../world/clients.js'
import type { World } from '../world/world.js'
import type { Workload } from './workload.js'

/** In rupees: from what gives each cell a few lots to more than the users have. */
const BUDGETS = [2, 10, 10, 40, 40, 200] as const
/** The number of steps in a payout; one is too few. */
const STEPS = [1, 4, 10, 10, 10, 20, 20, 50] as const

/** Lets the house quote among the users: funds, stops, and lets users trade with it. */
export class HouseActions {
  readonly #world: World
  readonly #clients: Clients
  readonly #workload: Workload
  readonly #dice: Dice

  /** @param dice of its own, so that seeds without house quotes play as before */
  constructor(world: World, clients: Clients, workload: Workload, dice: Dice) {
    this.#world = world
    this.#clients = clients
    this.#workload = workload
    this.#dice = dice
  }

  /** Does one thing, without waiting for its answer. */
  act(): void {
    const chance = this.#dice.between(1, 100)
    if (chance <= 30) this.#fund()
    else if (chance <= 40) this.#fundGroup()
    else if (chance <= 48) this.#stop()
    else if (chance <= 54) this.#move()
    else if (chance <= 82) this.#trade()
    else if (chance <= 88) this.#fundAmongOrders()
    else if (chance <= 97) this.#editCapacity(this.#quoted())
    else this.#workload.edit(this.#quoted() ?? this.#workload.market(true))
  }

  fund(market: DeskMarket, rupees: number, { startPrice, step }: Partial<FundingRequest> = {}): void {
    this.#send([
      {
        market,
        budget: amount(rupees * UNITS_PER_RUPEE),
        startPrice: startPrice ?? this.#price(market),
        step: step ?? this.#step(market),
      },
    ])
  }

  stop(market: DeskMarket): void {
    this.#world.note(`stop quotes of ${market.terms.code}`)
    this.#clients.house.stop(market)
  }

  /** Lets users trade with the quotes of a market, at whatever they are. */
  take(market: DeskMarket, count: number): void {
    const dice = this.#dice
    for (let left = count; left > 0; left--) {
      const side = dice.oneOf(['yes', 'no'] as const)
      const price = dice.oneOf([0.2, 0.5, 0.8]) * market.terms.payout
      const yesPrice = (Math.round(price / market.terms.tickSize) * market.terms.tickSize) / 100
      const quantity = dice.oneOf([0.01, 0.1, 0.5, 2, 2])
      const userId = dice.oneOf(this.#workload.users)
      const isMarket = dice.percent(40)
      const order = { market: market.terms.code, userId, side, selfTrade: 'taker', outcome: 'yes' } as const
      const orderType = isMarket ? 'MO' : 'LO'
      this.#world.note(`take ${market.terms.code} ${userId} ${side} ${quantity} @ ${yesPrice} ${orderType}`)
      this.#clients.place({ ...order, orderType, yesPrice, askedPrice: yesPrice, quantity })
    }
  }

  #fund(): void {
    const dice = this.#dice
    const market = dice.percent(85) ? this.#unquoted() : this.#workload.market(false)
    if (market !== undefined) this.fund(market, dice.oneOf([...BUDGETS, 0.01]))
  }

  /** Chooses a market without quotes that run. */
  #unquoted(status?: MarketStatus): DeskMarket | undefined {
    const { directory, house } = this.#world.exchange
    const unquoted = [...directory.all()].filter(market => {
      const isWanted = status === undefined || market.pendingStatus === status
      return isWanted && keepsOrders(market.pendingStatus) && house.running(market) === undefined
    })
    const [first, ...others] = unquoted
    return first === undefined ? undefined : this.#dice.oneOf([first, ...others])
  }

  /** Funds a market where orders rest that the house takes, while there is room for pairs or not. */
  #fundAmongOrders(): void {
    const market = this.#unquoted('open')
    if (market === undefined) return
    this.#editCapacity(market, this.#dice.oneOf([0, 5, 10_000]))
    this.take(market, 3)
    this.fund(market, 20)
  }

  #fundGroup(): void {
    const { groups, house } = this.#world.exchange
    const isFree = ({ live }: DeskGroup) => live.every(market => house.running(market) === undefined)
    const [first, ...others] = this.#dice.percent(80) ? groups.all().filter(isFree) : groups.all()
    if (first === undefined) return
    const group = this.#dice.oneOf<DeskGroup>([first, ...others])
    const markets = this.#dice.percent(80) ? group.live : group.markets
    const [market] = markets
    if (market === undefined) return
    const budget = amount(this.#dice.oneOf(BUDGETS) * UNITS_PER_RUPEE)
    this.#send(this.#clients.house.evenly(markets, budget, this.#step(market)))
  }

  #send(requests: readonly FundingRequest[]): void {
    const texts = requests.map(
      ({ market, budget, startPrice, step }) => `${market.terms.code} ${budget} at ${startPrice} by ${step}`,
    )
    this.#world.note(`fund quotes: ${texts.join(', ')}`)
    this.#clients.house.fund(requests)
  }

  #stop(): void {
    const market = this.#dice.percent(85) ? this.#quoted() : this.#workload.market(false)
    if (market === undefined) return
    if (this.#dice.percent(50)) this.take(market, 2)
    this.stop(market)
    if (this.#dice.percent(40)) this.fund(market, 10)
  }

  /** Halts a market among fills, or lets it go on. */
  #move(): void {
    const market = this.#quoted()
    if (market === undefined) return
    this.take(market, 2)
    const move = this.#dice.oneOf(['halt', 'halt', 'resume', 'resume', 'resume', 'close'] as const)
    this.#world.note(`${move} ${market.terms.code}`)
    this.#clients.move(market, move)
    this.take(market, 1)
  }

  #trade(): void {
    const market = this.#quoted()
    if (market !== undefined) this.take(market, this.#dice.between(1, 4))
    else this.#fund()
  }

  /** Leaves a market little room or none for more pairs, or room again. */
  #editCapacity(
    market: DeskMarket | undefined,
    more = this.#dice.oneOf([0, 5, 40, 10_000, 10_000, 10_000]),
  ): void {
    if (market === undefined) return
    const capacity = lots(Math.max(1, market.progress.openPairs + more))
    this.#world.note(`edit ${market.terms.code} capacity ${capacity}`)
    this.#clients.edit(market, { terms: { capacity }, listing: {} })
    if (this.#dice.percent(30)) this.take(market, 2)
  }

  /** Chooses a market with quotes that run. */
  #quoted(): DeskMarket | undefined {
    const { directory, house } = this.#world.exchange
    const quoted = [...directory.all()].filter(
      market => keepsOrders(market.pendingStatus) && house.running(market) !== undefined,
    )
    const [first, ...others] = quoted
    return first === undefined ? undefined : this.#dice.oneOf([first, ...others])
  }

  #price({ terms: { payout, tickSize } }: DeskMarket): PriceTicks {
    const share = this.#dice.oneOf([0.1, 0.3, 0.5, 0.5, 0.5, 0.7, 0.9])
    return ticks(Math.round((share * payout) / tickSize) * tickSize)
  }

  #step({ terms: { payout, tickSize } }: DeskMarket): PriceTicks {
    const step = payout / this.#dice.oneOf(STEPS)
    return ticks(Math.max(1, Math.round(step / tickSize)) * tickSize)
  }
}
