import { assert } from '../../../src/core/assert.js'
import type { Command, RequoteHouse, SettledPosition } from '../../../src/core/command.js'
import { newOrdersOf } from '../../../src/core/command.js'
import type { ReturnHouseMoney } from '../../../src/core/house/house-command.js'
import { keepsOrders } from '../../../src/core/market.js'
import type { AccountNumber, MarketCode } from '../../../src/core/units.js'
import { SETTLE_LENGTH_MAX } from '../../../src/exchange/markets/settlement-walk.js'
import { hasShortfall } from '../world/crash.js'
import type { World } from '../world/world.js'

/** Checks every command as it is queued, and counts rare branches. */
export class CommandWatch {
  readonly #world: World
  /** Markets whose end was edited. */
  readonly #edited = new Set<MarketCode>()

  constructor(world: World) {
    this.#world = world
  }

  queued(command: Command, isFull: boolean): void {
    const { branches, isOpening } = this.#world
    switch (command.type) {
      case 'CANCEL_ORDER':
        branches.count('cancelled behind a full queue', isFull && command.reason === 'user_cancelled')
        break
      case 'REDUCE_ORDER':
        branches.count('made smaller behind a full queue', isFull)
        break
      case 'MERGE_PAIRS':
        branches.count('pairs merged')
        branches.count('restart finds pairs to merge', isOpening)
        break
      case 'CLEAR_BOOK':
        branches.count('cleared in several parts')
        break
      case 'EDIT_MARKET':
        if (command.terms.endAt !== undefined) this.#edited.add(command.market)
        break
      case 'MOVE_MARKET':
        this.#move(command)
        break
      case 'FUND_QUOTES':
        // Whatever funds the quotes of a group is unsigned.
        branches.count(
          'quotes funded by the settings',
          command.by === undefined && !this.#world.machine.groups.has(command.market),
        )
        break
      case 'REQUOTE_HOUSE':
        branches.count('house quoted again by a start', isOpening)
        this.#requote(command)
        break
      case 'RETURN_HOUSE_MONEY':
        branches.count('house money returned by a start', isOpening)
        this.#assertAlone(command)
        break
      case 'RESOLVE_MARKET':
        branches.count('order in flight as its market was resolved', this.#hasOrder(command.market))
        break
      case 'RESOLVE_GROUP':
        branches.count(
          'order in flight as its group was resolved',
          command.outcomes.some(([market]) => this.#hasOrder(market)),
        )
        break
      case 'SETTLE_POSITIONS':
        this.#settle(command.market, command.positions)
        break
      default:
    }
  }

  #move({ market: code, to }: Extract<Command, { readonly type: 'MOVE_MARKET' }>): void {
    const { branches, now, exchange, isOpening } = this.#world
    if (isOpening) return
    const market = exchange.market(code)
    assert(market !== undefined, 'only an existing market changes status')
    const { progress, terms } = market
    branches.count('clock opened a market', to === 'open' && progress.status === 'scheduled')
    branches.count('clock closed a market', to === 'closed' && now >= terms.endAt)
    branches.count('edit closed a market', to === 'closed' && this.#edited.has(code) && now >= terms.endAt)
    branches.count('order in flight as its market closed', !keepsOrders(to) && this.#hasOrder(code))
  }

  /** Checks that the house quotes only where the market is open. */
  #requote(command: RequoteHouse): void {
    const market = this.#world.machine.desk?.markets.get(command.market)
    if (market === undefined) return
    const isOpen = market.pendingStatus === 'open' && market.progress.status === 'open'
    assert(isOpen, 'the house quotes only where the market is open')
    this.#assertAlone(command)
  }

  #assertAlone({ account }: RequoteHouse | ReturnHouseMoney): void {
    const others = [...this.#world.machine.inFlight].filter(
      ({ type }) => type === 'REQUOTE_HOUSE' || type === 'RETURN_HOUSE_MONEY',
    )
    const own = others.filter(other => 'account' in other && other.account === account)
    assert(own.length === 1, 'the house waits for its last command')
  }

  #hasOrder(market: MarketCode): boolean {
    for (const command of this.#world.machine.inFlight)
      if (newOrdersOf(command).some(order => order.market === market)) return true
    return false
  }

  #settle(market: MarketCode, positions: readonly SettledPosition[]): void {
    const { branches, machine } = this.#world
    branches.count('settled in several parts', positions.length === SETTLE_LENGTH_MAX)
    if (machine.outcomes.get(market) !== 'void') return
    for (const position of positions) {
      const [account, , , paid, held] = position
      if (paid >= 0) continue
      branches.count('void: user ahead paid', held > 0)
      branches.count('void: shortfall', hasShortfall(position))
      this.#assertPays(account, -paid, held)
    }
  }

  /** Checks that users ahead pay up to their available cash (specification 10.4), once it is held. */
  #assertPays(account: AccountNumber, debt: number, held: number): void {
    if (this.#world.isOpening) return
    const balance = this.#world.machine.desk?.ledger.balance(account)
    assert(balance !== undefined, 'a user ahead in a market has an account')
    assert(held === Math.min(debt, balance.available + held), 'a user ahead pays up to their available cash')
  }
}
