import { assert } from '../../src/core/assert.js'
import { keepsOrders } from '../../src/core/market.js'
import type { MarketCode } from '../../src/core/units.js'
import { amount, UNITS_PER_RUPEE } from '../../src/core/units.js'
import type { Exchange } from '../../src/exchange/exchange.js'
import type { HouseBudgets } from '../../src/exchange/house/house-budgets.js'
import type { FeeSettings } from '../../src/exchange/markets/fee-rates.js'
import { NO_FEE_SETTINGS } from '../../src/exchange/markets/fee-rates.js'
import { Dice } from '../fixtures/dice.js'
import { endChecks } from './judges/end-checks.js'
import { assertInvariants, assertTablesAreMemory } from './judges/invariants.js'
import { assertAnswersAreKept, assertHashesAgree } from './judges/start-checks.js'
import { UserJudge } from './judges/user-judge.js'
import type { RareBranches } from './workload/rare-branches.js'
import { CRASHES, GROUP_CRASHES, HOUSE_CRASHES } from './workload/rare-branches.js'
import { GroupActions } from './workload/group-actions.js'
import { HouseActions } from './workload/house-actions.js'
import { Scenario } from './workload/scenario.js'
import { Workload } from './workload/workload.js'
import { ClientBook } from './world/client-book.js'
import { Clients } from './world/clients.js'
import type { CrashPoint } from './world/crash.js'
import { BATCH_POINTS, CRASH_LOADS, CRASH_POINTS } from './world/crash.js'
import { DIES_PERCENT, World } from './world/world.js'

const STEPS = 70
/** Spreads seeds that follow each other: the first throws of their dice are alike. */
const SPREAD = 0x9e3779b1
const HOUSE_SPREAD = 0x85ebca6b
const MARKETS_AT_START = 2
/** Two seeds of seven play groups, and a crash of groups instead of another. */
const GROUP_CYCLE = 7
const GROUP_SEEDS = [3, 6]
const GROUP_PERCENT = 40
/** Two of seven have house quotes, one of them with groups, and a crash of house quotes besides another. */
const HOUSE_SEEDS = [2, 3]
const HOUSE_PERCENT = 25
/** So many seconds without a command, and the exchange empties its logs. */
const QUIET_LOOKS = 11
const DAYS_MS = 90 * 86_400_000

/**
 * One seed: an exchange goes through a day of trading and several crashes, and is checked after every step.
 * The same seed gives the same run, so that a failure can be reproduced.
 */
export class Simulation {
  readonly world: World
  readonly #books = new Map<MarketCode, ClientBook>()
  readonly #clients: Clients
  readonly #dice: Dice
  readonly #workload: Workload
  readonly #groups: GroupActions
  /** Of the groups alone. */
  readonly #groupDice: Dice
  readonly #house: HouseActions
  /** Of the house quotes alone. */
  readonly #houseDice: Dice
  readonly #seed: number
  readonly #users: UserJudge

  constructor(seed: number, branches: RareBranches) {
    const dice = new Dice(seed)
    this.#seed = seed
    this.#dice = dice
    const options = {
      shardCount: dice.between(1, 3),
      queueLengthMax: dice.percent(15) ? dice.between(3, 12) : 8192,
      startingBalance: amount(dice.between(2, 50) * UNITS_PER_RUPEE),
      fees: feesOf(seed),
      house: hasHouse(seed) ? budgetsOf(seed) : {},
    }
    this.world = new World(dice, branches, options)
    this.world.onOpen(exchange => this.#listen(exchange))
    this.#clients = new Clients(this.world)
    this.#users = new UserJudge(this.world)
    this.#workload = new Workload(this.world, this.#clients)
    this.#groupDice = new Dice(Math.imul(seed, SPREAD) ^ SPREAD)
    this.#groups = new GroupActions(this.world, this.#clients, this.#workload, this.#groupDice)
    this.#houseDice = new Dice(Math.imul(seed, SPREAD) ^ HOUSE_SPREAD)
    this.#house = new HouseActions(this.world, this.#clients, this.#workload, this.#houseDice)
  }

  async run(): Promise<void> {
    await this.world.open(DIES_PERCENT)
    for (let n = 0; n < MARKETS_AT_START; n++) this.#workload.create()
    const scenarioStep = this.#dice.between(5, STEPS)
    const hasGroups = this.#groupCrash !== undefined
    if (hasGroups) this.#groups.create()
    const hasQuotes = hasHouse(this.#seed)
    const quotesStep = this.#houseDice.between(5, STEPS)
    for (let step = 1; step <= STEPS; step++) {
      this.#planCrash()
      if (step === scenarioStep) await this.#playScenario()
      else if (hasQuotes && step === quotesStep) await this.#playHouseScenario()
      else if (hasQuotes && this.#houseDice.percent(HOUSE_PERCENT)) this.#house.act()
      else if (hasGroups && this.#groupDice.percent(GROUP_PERCENT)) this.#groups.act()
      else this.#workload.act()
      for (let left = this.#dice.oneOf([0, 0, 1, 1, 2, 4]); left > 0; left--) await this.world.tick()
      await this.#look()
    }
    await this.#finish()
  }

  /** Checks after every step; now and then drains or restarts. */
  async #look(): Promise<void> {
    this.world.assertNoViolation()
    if (this.world.isDead) return this.#recover()
    assertInvariants(this.world)
    this.#clients.arrivals.assertInOrder()
    for (const [code, book] of this.#books) book.assertIsThe(this.#market(code))
    if (this.#dice.percent(4) && (await this.world.settleDown())) await this.#lookAtQuiet()
    if (this.#dice.percent(3)) await this.#rest()
    if (this.#dice.percent(1)) await this.#restart()
    if (this.world.isDead) await this.#recover()
  }

  /** Nothing comes for a while: the logs are emptied, and a backup is made. */
  async #rest(): Promise<void> {
    if (!(await this.world.settleDown())) return
    if (this.#dice.percent(50)) this.world.backUp()
    for (let look = 0; look < QUIET_LOOKS && !this.world.isDead; look++) {
      this.world.exchange.advanceClock()
      await this.world.tick()
    }
  }

  async #lookAtQuiet(): Promise<void> {
    assertInvariants(this.world)
    assertTablesAreMemory(this.world)
    this.#users.assertKnowThemselves()
    await this.#lookAtTimers()
    await assertHashesAgree(this.world)
    this.#clients.house.judge.quiet()
  }

  /** Lets the timers fire that are due. */
  async #lookAtTimers(): Promise<void> {
    this.world.exchange.advanceClock()
    if (!(await this.world.settleDown())) return
    this.#clients.timers.assertNoneOutlived()
    this.#clients.timers.assertNoneLater()
  }

  #planCrash(): void {
    const { machine } = this.world
    if (machine.plan !== undefined || !this.#dice.percent(12)) return
    const point = this.#dice.oneOf<CrashPoint>(CRASH_POINTS)
    const isLoaded = this.#dice.percent(50) && BATCH_POINTS.some(other => other === point)
    machine.plan = { point, load: isLoaded ? this.#dice.oneOf(CRASH_LOADS) : undefined, nth: this.#nth() }
  }

  /** Plans a crash; every counted kind gets its turn among the seeds. */
  async #playScenario(): Promise<void> {
    const groupCrash = this.#groupCrash
    if (groupCrash !== undefined) {
      await this.#scenario(false).play({ ...groupCrash, nth: this.#groupDice.between(1, 2) })
      return
    }
    const crash = CRASHES[this.#seed % CRASHES.length]
    assert(crash !== undefined, 'a crash is available')
    const isCrowded = Math.floor(this.#seed / CRASHES.length) % 3 === 0
    await this.#scenario(isCrowded).play({
      ...crash,
      nth: crash.point === 'between publications' ? 1 : this.#nth(),
    })
  }

  /** Plans a crash of house quotes; these take turns, too. */
  async #playHouseScenario(): Promise<void> {
    const turn =
      Math.floor(this.#seed / GROUP_CYCLE) * HOUSE_SEEDS.length +
      HOUSE_SEEDS.indexOf(this.#seed % GROUP_CYCLE)
    const crash = HOUSE_CRASHES[turn % HOUSE_CRASHES.length]
    assert(crash !== undefined, 'a crash is available')
    const nth = crash.point === 'between publications' ? 1 : this.#houseDice.between(1, 8)
    await this.#scenario(false).play({ ...crash, nth })
  }

  /** The crash of a group that a seed plays, if it plays groups: these take turns, too. */
  get #groupCrash(): (typeof GROUP_CRASHES)[number] | undefined {
    const place = GROUP_SEEDS.indexOf(this.#seed % GROUP_CYCLE)
    if (place < 0) return undefined
    const turn = Math.floor(this.#seed / GROUP_CYCLE) * GROUP_SEEDS.length + place
    return GROUP_CRASHES[turn % GROUP_CRASHES.length]
  }

  #scenario(isCrowded: boolean): Scenario {
    const actions = { groups: this.#groups, house: this.#house }
    return new Scenario(this.world, this.#clients, this.#workload, actions, isCrowded)
  }

  #nth(): number {
    return this.#dice.percent(70) ? this.#dice.between(1, 8) : this.#dice.between(9, 80)
  }

  async #recover(): Promise<void> {
    const { branches, machine } = this.world
    const { death } = machine
    assert(death !== undefined && death.point !== 'at the start', 'only the dead are recovered')
    this.world.note(`crash ${death.point} with ${[...death.loads].join(', ') || 'nothing'}`)
    branches.count(`crash ${death.point}`)
    for (const load of death.loads) {
      // A crash between two messages is counted only if it can show something.
      const crash = [...CRASHES, ...GROUP_CRASHES, ...HOUSE_CRASHES].find(
        ({ point, load: other }) => point === death.point && other === load,
      )
      if (crash !== undefined) branches.count(`crash ${crash.point}, ${crash.load}`)
    }
    await this.#clients.fallSilent()
    await this.world.recover()
    this.#countResumed()
    this.#countResumedGroups()
    assertAnswersAreKept(this.world, this.#clients)
    for (const [code, book] of this.#books) book.reconnect(this.#market(code))
    for (const request of this.#clients.transfers.unanswered()) this.#clients.transfer({ ...request })
    this.#workload.orders.sendAgain()
    if (await this.world.settleDown()) await this.#lookAtQuiet()
  }

  #countResumed(): void {
    const { branches, exchange } = this.world
    for (const { terms, progress, openOrders } of exchange.directory.all()) {
      branches.count('clearing resumed after a crash', !keepsOrders(progress.status) && openOrders.size > 0)
      if (progress.outcome === undefined) continue
      const [settled] = this.world.rows('SELECT 1 FROM settlements WHERE market = ?', terms.code)
      const [left] = this.world.rows('SELECT 1 FROM positions WHERE market = ? AND yes + no > 0', terms.code)
      branches.count('settlement resumed after a crash', settled !== undefined && left !== undefined)
    }
  }

  /** Of a group, one outcome may be paid and another not. */
  #countResumedGroups(): void {
    for (const { terms, result } of this.world.exchange.groups.all()) {
      if (result === undefined) continue
      const rows = (from: string) =>
        this.world.rows(
          `SELECT 1 FROM ${from} AND market IN
          (SELECT code FROM markets WHERE group_code = ? UNION SELECT ?) LIMIT 1`,
          terms.code,
          terms.code,
        )
      const isResumed =
        rows('settlements WHERE true').length > 0 && rows('positions WHERE yes + no > 0').length > 0
      this.world.branches.count('group settlement resumed after a crash', isResumed)
    }
  }

  async #restart(): Promise<void> {
    this.world.machine.plan = undefined
    this.world.note('restart in good order')
    if (!(await this.world.settleDown())) return
    // A timer that was being set as the clock moved fires with the next second, not at the start.
    this.world.exchange.advanceClock()
    if (!(await this.world.settleDown())) return
    await this.world.restart()
    this.world.branches.count('restart in good order')
    assertAnswersAreKept(this.world, this.#clients)
    for (const [code, book] of this.#books) {
      book.assertIsThe(this.#market(code))
      book.reconnect(this.#market(code))
    }
    if (await this.world.settleDown()) await this.#lookAtQuiet()
  }

  /** Stops injecting faults, lets everything in progress finish, and runs the end checks. */
  async #finish(): Promise<void> {
    const { world } = this
    world.machine.plan = undefined
    for (const request of this.#clients.transfers.unanswered()) this.#clients.transfer({ ...request })
    this.#workload.orders.sendAgain()
    await world.settleDown()
    world.now += DAYS_MS
    world.exchange.advanceClock()
    await world.settleDown()
    for (const market of world.exchange.directory.all()) this.#workload.close(market)
    await world.settleDown()
    this.#workload.resolveAll()
    this.#groups.resolveAll()
    await world.settleDown()
    assert(this.#clients.pending === 0, 'in the end every client has an answer')
    await this.#lookAtQuiet()
    await this.#restart()
    assertAnswersAreKept(world, this.#clients, true)
    await endChecks(world, this.#books, this.#clients.house.judge)
  }

  #listen(exchange: Exchange): void {
    this.#users.listen(exchange)
    exchange.onPublication(publication => {
      const { terms } = publication.market
      this.world.assertJournalled()
      let book = this.#books.get(terms.code)
      if (book === undefined) {
        book = new ClientBook()
        this.#books.set(terms.code, book)
      }
      book.take(publication)
      this.world.machine.published()
    })
  }

  #market(code: MarketCode) {
    const market = this.world.exchange.market(code)
    assert(market !== undefined, 'a published market exists')
    return market
  }
}

function hasHouse(seed: number): boolean {
  return HOUSE_SEEDS.includes(seed % GROUP_CYCLE)
}

/** Returns the ceiling of house quotes of a seed, and the budget of new markets, by dice of their own. */
function budgetsOf(seed: number): HouseBudgets {
  const dice = new Dice(Math.imul(seed, HOUSE_SPREAD))
  const rupees = (value: number) => amount(value * UNITS_PER_RUPEE)
  return {
    ...(dice.percent(40) && { budgetMax: rupees(200) }),
    ...(dice.percent(40) && { ofNew: rupees(dice.oneOf([10, 40])) }),
  }
}

/** Returns the rates of a seed, by dice of their own: three of five exchanges charge fees. */
function feesOf(seed: number): FeeSettings {
  const dice = new Dice(Math.imul(seed, SPREAD))
  if (dice.percent(40)) return NO_FEE_SETTINGS
  const rate = () => dice.oneOf([0, 7, 100, 1000])
  return { taker: rate(), maker: rate(), categories: new Map() }
}
