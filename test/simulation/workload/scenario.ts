import { assert } from '../../../src/core/assert.js'
import type { EditedTerms } from '../../../src/core/market-edit.js'
import type { Side } from '../../../src/core/order.js'
import type { TimeMs } from '../../../src/core/units.js'
import { amount, lots, ticks, UNITS_PER_RUPEE } from '../../../src/core/units.js'
import type { DeskMarket } from '../../../src/exchange/markets/desk-market.js'
import type { Amendment } from '../../../src/exchange/orders/order-amendments.js'
import type { Clients } from '../world/clients.js'
import type { CrashLoad, CrashPlan } from '../world/crash.js'
import { GROUP_LOADS, HOUSE_LOADS } from '../world/crash.js'
import type { World } from '../world/world.js'
import type { GroupActions } from './group-actions.js'
import { GroupScenario } from './group-scenario.js'
import type { HouseActions } from './house-actions.js'
import { HouseScenario } from './house-scenario.js'
import type { Workload } from './workload.js'

/** More than one batch clears from a book, and more than one batch settles. */
const CROWD_ORDERS = 270
const CROWD_USERS = 140
const HOUR = 3_600_000

/** Places an order at a price in ticks; a market order without one. */
export type Placing = (
  market: DeskMarket,
  userId: string,
  side: Side,
  quantity: number,
  price: number | undefined,
) => void

/** Sets up situations that random play seldom reaches, and crashes the process in them. */
export class Scenario {
  readonly #world: World
  readonly #clients: Clients
  readonly #workload: Workload
  readonly #isCrowded: boolean

  readonly #groups: GroupScenario
  readonly #house: HouseScenario

  constructor(
    world: World,
    clients: Clients,
    workload: Workload,
    actions: { readonly groups: GroupActions; readonly house: HouseActions },
    isCrowded: boolean,
  ) {
    this.#world = world
    this.#clients = clients
    this.#workload = workload
    this.#isCrowded = isCrowded
    this.#groups = new GroupScenario(world, workload, actions.groups, (...order) => this.#place(...order))
    this.#house = new HouseScenario(world, workload, actions.house)
  }

  /** Returns how many orders fit into the queue; a user's first takes two places, to open an account. */
  get #atOnceMax(): number {
    return Math.min(150, Math.floor(this.#world.queueLengthMax / 2))
  }

  /** Plays until the crash, or until everything is done if the crash point is not reached. */
  async play(plan: CrashPlan & { readonly load: CrashLoad }): Promise<void> {
    const { machine } = this.#world
    machine.plan = undefined
    this.#world.note(`scenario ${plan.load}, to die ${plan.point}`)
    const act = await this.#prepare(plan.load)
    if (act === undefined || this.#world.isDead) return
    machine.plan = plan
    act()
    await this.#world.settleDown()
    machine.plan = undefined
  }

  async #prepare(load: CrashLoad): Promise<(() => void) | undefined> {
    if (load === 'orders') return () => this.#workload.orders.place()
    if (load === 'transfer') return () => this.#workload.deposit(this.#workload.users[0], rupees(5))
    if (GROUP_LOADS.some(other => other === load)) return this.#groups.prepare(load)
    const market = await this.#newMarket()
    if (market === undefined) return undefined
    if (HOUSE_LOADS.some(other => other === load)) return this.#house.prepare(market, load)
    switch (load) {
      case 'amendment':
        return this.#toAmend(market)
      case 'edit':
        return this.#toEdit(market)
      case 'clear part':
        return this.#toClear(market)
      case 'resolution':
        return this.#toResolve(market)
      case 'settlement part':
        return this.#toSettle(market)
      default:
        return this.#toVoid(market)
    }
  }

  /** Rests an order, then reduces it, replaces it, or requests both at once. */
  async #toAmend(market: DeskMarket): Promise<(() => void) | undefined> {
    this.#workload.deposit('maker', rupees(100))
    await this.#world.settleDown()
    this.#place(market, 'maker', 'yes', 5, 300)
    await this.#world.settleDown()
    const id = this.#clients.orders.ids.filter(one => one.startsWith(String(market.terms.code))).at(-1)
    if (id === undefined) return undefined
    const price = 4
    const amendments = this.#world.dice.oneOf<readonly Amendment[]>([
      [{ quantity: 3 }],
      [{ price }],
      [{ quantity: 3 }, { quantity: 2 }],
      [{ price }, { quantity: 7 }],
      [{ quantity: 3 }, { price }],
    ])
    return () => {
      for (const amendment of amendments) this.#workload.orders.amendTo(id, amendment)
    }
  }

  /** Sends an edit between orders, in the same batch where there is room. */
  async #toEdit(market: DeskMarket): Promise<() => void> {
    for (const user of ['low', 'high']) this.#workload.deposit(user, rupees(100))
    await this.#world.settleDown()
    this.#place(market, 'low', 'no', 5, 500)
    await this.#world.settleDown()
    const terms = this.#world.dice.oneOf<EditedTerms>([
      { capacity: lots(300) },
      { capacity: lots(300) },
      { maxBet: rupees(10) },
      { maxBet: rupees(10) },
      { minBet: rupees(20) },
      { endAt: this.#world.now as TimeMs },
    ])
    return () => {
      if (this.#world.dice.percent(50)) this.#place(market, 'high', 'yes', 4, 500)
      this.#clients.edit(market, { terms, listing: {} })
      this.#place(market, 'high', 'yes', 1, 500)
      this.#place(market, 'high', 'yes', 3, undefined)
    }
  }

  /** Rests more orders than one batch clears. */
  async #toClear(market: DeskMarket): Promise<() => void> {
    this.#workload.deposit('maker', rupees(100))
    await this.#world.settleDown()
    for (let n = 1; n <= CROWD_ORDERS; n++) {
      this.#place(market, 'maker', n % 3 === 0 ? 'no' : 'yes', 0.01, n % 3 === 0 ? 700 : 300)
      if (n % this.#atOnceMax === 0) await this.#world.settleDown()
    }
    await this.#world.settleDown()
    return () => this.#workload.close(market)
  }

  /** Sells to every user from one seller, then closes the market. */
  async #toSettle(market: DeskMarket): Promise<() => void> {
    const crowd = this.#isCrowded ? CROWD_USERS : 3
    this.#workload.deposit('maker', rupees(10 * crowd))
    await this.#world.settleDown()
    this.#place(market, 'maker', 'no', crowd, 500)
    for (let n = 1; n <= crowd; n++) {
      this.#place(market, this.#isCrowded ? `crowd${n}` : `user${n}`, 'yes', 1, 500)
      if (n % this.#atOnceMax === 0) await this.#world.settleDown()
    }
    await this.#world.settleDown()
    this.#workload.close(market)
    await this.#world.settleDown()
    return () => this.#workload.resolveAs(market, this.#world.dice.oneOf(['yes', 'yes', 'no', 'void']))
  }

  /** Gives one user pairs of YES and NO while the outcome is queued: they are settled, not merged. */
  async #toResolve(market: DeskMarket): Promise<() => void> {
    for (const user of ['both', 'low', 'high']) this.#workload.deposit(user, rupees(100))
    await this.#world.settleDown()
    this.#place(market, 'both', 'yes', 3, 300)
    this.#place(market, 'both', 'no', 2, 700)
    await this.#world.settleDown()
    return () => {
      this.#place(market, 'low', 'no', 3, 300)
      this.#place(market, 'high', 'yes', 2, 700)
      this.#workload.close(market)
      this.#workload.resolveAs(market, this.#world.dice.oneOf(['yes', 'no', 'void']))
    }
  }

  /** Buys low, sells high and withdraws the money before the market is voided. */
  async #toVoid(market: DeskMarket): Promise<() => void> {
    for (const user of ['low', 'ahead', 'high']) this.#workload.deposit(user, rupees(100))
    await this.#world.settleDown()
    this.#place(market, 'low', 'no', 5, 300)
    this.#place(market, 'ahead', 'yes', 5, 300)
    await this.#world.settleDown()
    // With the last contract sold, only `paid` shows that the user is ahead.
    const sold = this.#world.dice.oneOf([4, 5])
    this.#place(market, 'high', 'yes', sold, 700)
    this.#place(market, 'ahead', 'no', sold, 700)
    await this.#world.settleDown()
    this.#workload.withdrawAllOf('ahead')
    if (this.#world.dice.percent(50)) this.#workload.deposit('ahead', rupees(1))
    this.#workload.close(market)
    await this.#world.settleDown()
    return () => this.#workload.resolveAs(market, 'void')
  }

  #place(market: DeskMarket, userId: string, side: Side, quantity: number, price: number | undefined): void {
    const { code: event } = market.terms
    const [yesPrice, askedPrice] = [(price ?? 500) / 100, (price ?? 500) / 100]
    const orderType = price === undefined ? 'MO' : 'LO'
    const order = { market: event, userId, side, orderType, selfTrade: 'off', outcome: 'yes' } as const
    this.#clients.place({ ...order, yesPrice, askedPrice, quantity })
  }

  /** Creates a market for the scenario; undefined if the exchange has no room for it. */
  async #newMarket(): Promise<DeskMarket | undefined> {
    const { exchange, now } = this.#world
    const slug = `scenario-${now}-${this.#world.epoch}`
    const terms = {
      payout: ticks(1000),
      tickSize: ticks(1),
      minBet: amount(0),
      maxBet: rupees(100_000),
      capacity: lots(1_000_000),
      startAt: now as TimeMs,
      endAt: (now + 100 * HOUR) as TimeMs,
    }
    this.#clients.create({ terms, listing: { title: 'Rain', slug, description: '', sot: 'weather' } })
    const lives = await this.#world.settleDown()
    assert(lives, 'nothing dies while no crash is planned')
    return [...exchange.directory.all()].find(({ listing }) => listing.slug === slug)
  }
}

const rupees = (value: number) => amount(value * UNITS_PER_RUPEE)
