import { assert } from '../../../src/core/assert.js'
import { amount, lots, UNITS_PER_RUPEE } from '../../../src/core/units.js'
import type { DeskGroup } from '../../../src/exchange/groups/desk-group.js'
import type { DeskMarket } from '../../../src/exchange/markets/desk-market.js'
import type { CrashLoad, CrashPlan } from '../world/crash.js'
import type { World } from '../world/world.js'
import type { GroupActions } from './group-actions.js'
import type { Placing } from './scenario.js'
import type { Workload } from './workload.js'

const HOUR = 3_600_000
const USERS = ['low', 'ahead', 'high'] as const

/** Lets a group trade and convert, and crashes the process in what follows. */
export class GroupScenario {
  readonly #world: World
  readonly #workload: Workload
  readonly #actions: GroupActions
  readonly #place: Placing

  constructor(world: World, workload: Workload, actions: GroupActions, place: Placing) {
    this.#world = world
    this.#workload = workload
    this.#actions = actions
    this.#place = place
  }

  /** Prepares a group, and returns what then happens to it; undefined if the exchange has no room for it. */
  async prepare(load: CrashPlan['load'] & CrashLoad): Promise<(() => void) | undefined> {
    const group = await this.#traded()
    if (group === undefined) return undefined
    const [a, b] = group.markets
    assert(a !== undefined && b !== undefined, 'a group has outcomes')
    if (load === 'conversion') {
      // Outcomes then have more NO than YES.
      const others = group.markets.filter(market => market !== b)
      this.#convert(group, 'ahead', 150, others)
      await this.#world.settleDown()
      return () => {
        this.#place(a, 'high', 'yes', 0.05, 300)
        this.#convert(group, 'low', 50, [a, b])
        this.#convert(group, 'high', 20, [])
        this.#place(b, 'ahead', 'no', 0.05, 700)
      }
    }
    this.#convert(group, 'low', 100, [a, b])
    await this.#world.settleDown()
    const { dice } = this.#world
    if (dice.percent(50)) {
      this.#workload.close(a)
      await this.#world.settleDown()
      this.#actions.eliminate(group, a)
      await this.#world.settleDown()
    }
    for (const market of group.live) this.#workload.close(market)
    await this.#world.settleDown()
    if (load === 'group void part') this.#workload.withdrawAllOf('ahead')
    const [first, ...others] = group.live
    assert(first !== undefined, 'a group has outcomes left')
    const result =
      load === 'group void part' ? 'void' : dice.oneOf<DeskMarket | 'void'>([first, ...others, 'void'])
    return () => this.#actions.resolve(group, result)
  }

  /** Low has NO of two outcomes, and high and ahead YES; ahead has gained by selling dearer. */
  async #traded(): Promise<DeskGroup | undefined> {
    const { now, epoch, exchange } = this.#world
    const title = `Scenario ${now} ${epoch}`
    this.#actions.request({
      ...{ title, labels: ['A', 'B', 'C'], kind: 'exclusive', hasNone: this.#world.dice.percent(50) },
      ...{ capacity: lots(1_000_000), endAt: now + 100 * HOUR },
    })
    for (const user of USERS) this.#workload.deposit(user, amount(100 * UNITS_PER_RUPEE))
    await this.#world.settleDown()
    const group = exchange.groups.all().find(({ listing }) => listing.title === title)
    const [a, b] = group?.markets ?? []
    if (group === undefined || a === undefined || b === undefined) return undefined
    for (const [market, price] of [
      [a, 300],
      [b, 200],
    ] as const) {
      this.#place(market, 'low', 'no', 2, price)
      this.#place(market, 'ahead', 'yes', 2, price)
    }
    this.#place(a, 'high', 'yes', 2, 700)
    this.#place(a, 'ahead', 'no', 2, 700)
    await this.#world.settleDown()
    return group
  }

  /** Low releases; the others build. */
  #convert(group: DeskGroup, userId: string, quantity: number, markets: readonly DeskMarket[]): void {
    const direction = userId === 'low' ? 'release' : 'build'
    this.#actions.convertNamed({ group, userId, direction, lots: lots(quantity), markets })
  }
}
