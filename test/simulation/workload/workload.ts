import type { Outcome } from '../../../src/core/market.js'
import { keepsOrders } from '../../../src/core/market.js'
import type { MarketEdit } from '../../../src/core/market-edit.js'
import type { Amount, TimeMs } from '../../../src/core/units.js'
import { amount, lots, ticks, UNITS_PER_RUPEE } from '../../../src/core/units.js'
import type { DeskMarket } from '../../../src/exchange/markets/desk-market.js'
import type { Dice } from '../../fixtures/dice.js'
import type { Clients } from '../world/clients.js'
import type { World } from '../world/world.js'
import { START } from '../world/world.js'
import { OrderActions } from './order-actions.js'

const MINUTE = 60_000
const OUTCOMES = ['yes', 'no', 'void'] as const

/** Chooses the next action of the clients and the operator, from a table weighted by frequency. */
export class Workload {
  readonly orders: OrderActions
  readonly #world: World
  readonly #clients: Clients
  readonly #dice: Dice
  readonly #users: readonly [string, ...string[]]
  readonly #actions: readonly (() => void)[]
  #slugs = 0
  #txns = 0

  constructor(world: World, clients: Clients) {
    this.#world = world
    this.#clients = clients
    this.#dice = world.dice
    const [first, ...others] = Array.from({ length: this.#dice.between(3, 6) }, (_, n) => `user${n + 1}`)
    this.#users = [first ?? 'user1', ...others]
    // Any market, but more often one that is open.
    const chooseMarket = () => (this.#dice.percent(85) ? this.#openMarket() : undefined) ?? this.market(false)
    this.orders = new OrderActions(world, clients, this.#users, chooseMarket)
    this.#actions = [
      ...times(28, () => this.orders.place()),
      ...times(14, () => this.orders.burst()),
      ...times(10, () => this.orders.cancel()),
      ...times(2, () => this.orders.cancelAll()),
      ...times(10, () => this.orders.amend()),
      ...times(6, () => this.orders.setTimer()),
      ...times(6, () => this.orders.replaceQuotes()),
      ...times(6, () => this.orders.placeNamed()),
      ...times(3, () => this.orders.placeAgain()),
      ...times(4, () => this.orders.placeBatch()),
      ...times(5, () => this.orders.placeBatchAgain()),
      ...times(6, () => this.#transfer()),
      ...times(4, () => this.#transferAgain()),
      ...times(4, () => this.#withdrawAll()),
      ...times(8, () => this.#moveClock()),
      ...times(3, () => this.orders.find()),
      ...times(6, () => this.orders.list()),
      ...times(4, () => this.#moveMarket()),
      ...times(2, () => this.resolve()),
      ...times(1, () => this.#resolveAgain()),
      ...times(3, () => this.create()),
      ...times(5, () => this.edit()),
    ]
  }

  get users(): readonly [string, ...string[]] {
    return this.#users
  }

  /** Does one thing, without waiting for its answer. */
  act(): void {
    const [first, ...others] = this.#actions
    if (first !== undefined) this.#dice.oneOf([first, ...others])()
  }

  create(): void {
    const dice = this.#dice
    const isAgain = this.#slugs > 0 && dice.percent(15)
    if (!isAgain) this.#slugs++
    const payout = ticks(dice.oneOf([1000, 1000, 1000, 100, 2500]))
    const startAt = this.#world.now + (dice.percent(20) ? dice.between(1, 5) * MINUTE : 0)
    const endAt = startAt + (dice.percent(30) ? dice.between(3, 20) * MINUTE : 1000 * MINUTE)
    const terms = {
      payout,
      tickSize: ticks(dice.oneOf([1, 1, 5, 10])),
      minBet: rupees(dice.oneOf([0, 0, 0, 2])),
      maxBet: rupees(dice.oneOf([5, 25, 100_000, 100_000])),
      capacity: lots(dice.oneOf([300, 1000, 4000, 1_000_000])),
      startAt: startAt as TimeMs,
      endAt: endAt as TimeMs,
    }
    const slug = `question-${this.#slugs}`
    this.#clients.create({ terms, listing: { title: 'Rain', slug, description: 'Rain?', sot: 'weather' } })
    this.#world.note(`create ${slug} ${JSON.stringify(terms)}`)
  }

  /** Edits words or limits of a market, sometimes among orders. */
  edit(market = this.market(this.#dice.percent(80))): void {
    if (market === undefined) return
    const dice = this.#dice
    const { startAt, endAt, minBet, maxBet, capacity } = market.terms
    const { openPairs } = market.progress
    const later = (time: number, minutes: number) => (time + minutes * MINUTE) as TimeMs
    const number = dice.percent(60) ? dice.between(1, this.#slugs + 1) : this.#slugs + 1
    if (number > this.#slugs) this.#slugs++
    const edit = dice.oneOf<MarketEdit>([
      { terms: {}, listing: { title: `Rain ${number}`, slug: `question-${number}` } },
      { terms: {}, listing: { description: `Rain, ${dice.between(1, 9)}?`, sot: 'sky' } },
      { terms: { startAt: later(startAt, dice.between(-3, 3)) }, listing: {} },
      { terms: { endAt: later(endAt, dice.oneOf([-2000, -1, 5, 60])) }, listing: {} },
      { terms: { endAt: later(this.#world.now, -1) }, listing: {} },
      { terms: { maxBet: rupees(dice.oneOf([3, 25, 100_000])) }, listing: {} },
      { terms: { minBet: rupees(dice.oneOf([0, 1, 4, 200_000])), maxBet }, listing: {} },
      {
        terms: { minBet, capacity: lots(Math.max(1, openPairs + dice.oneOf([-1, 0, 50, 5000]))) },
        listing: {},
      },
      { terms: { capacity, minBet: rupees(0), maxBet: rupees(100_000) }, listing: {} },
    ])
    this.#world.note(`edit ${market.terms.code} ${JSON.stringify(edit)}`)
    // Orders just before the edit and just after it.
    if (dice.percent(50)) this.orders.burst()
    this.#clients.edit(market, edit)
    if (dice.percent(50)) this.orders.burst()
  }

  /** Chooses a market; undefined if there is none of the kind. */
  market(isAlive: boolean): DeskMarket | undefined {
    return this.#oneOf(({ pendingStatus }) => !isAlive || keepsOrders(pendingStatus))
  }

  /** Resolves a market, mostly a closed one. */
  resolve(): void {
    const isOwn = (market: DeskMarket) => this.#isResolvedAlone(market)
    const closed = this.#oneOf(market => isOwn(market) && market.pendingStatus === 'closed')
    const any = () => this.#oneOf(isOwn)
    const market = this.#dice.percent(30) ? any() : (closed ?? any())
    if (market !== undefined) this.resolveAs(market, this.#dice.oneOf(OUTCOMES))
  }

  /** Resolves a resolved market again, with the same outcome or another. */
  #resolveAgain(): void {
    const market = this.#oneOf(one => this.#isResolvedAlone(one) && one.pendingOutcome !== undefined)
    const given = market?.pendingOutcome
    if (market === undefined || given === undefined) return
    this.resolveAs(market, this.#dice.oneOf([given, given, 'yes', 'void']))
  }

  /** Resolves each market that has no result yet; exclusive groups have results of their own. */
  resolveAll(): void {
    for (const market of this.#world.exchange.directory.all()) {
      if (market.pendingOutcome !== undefined || !this.#isResolvedAlone(market)) continue
      this.resolveAs(market, this.#dice.oneOf(OUTCOMES))
    }
  }

  #isResolvedAlone(market: DeskMarket): boolean {
    return this.#world.exchange.groups.of(market)?.isExclusive !== true
  }

  resolveAs(market: DeskMarket, outcome: Outcome): void {
    this.#world.note(`resolve ${market.terms.code} ${outcome}`)
    this.#clients.resolve(market, outcome)
  }

  close(market: DeskMarket): void {
    this.#world.note(`close ${market.terms.code}`)
    this.#clients.move(market, 'close')
  }

  deposit(userId: string, value: Amount): void {
    this.#send({ userId, direction: 'deposit', amount: value, txnId: this.#txnId() })
  }

  /** Withdraws everything that a user has available. */
  withdrawAllOf(userId: string): void {
    const available = this.#world.exchange.balance(userId)?.available ?? 0
    if (available === 0) return
    this.#world.branches.count('withdrew everything')
    this.#send({ userId, direction: 'withdrawal', amount: amount(available), txnId: this.#txnId() })
  }

  #transfer(): void {
    const dice = this.#dice
    const userId = dice.percent(5) ? 'stranger' : dice.oneOf(this.#users)
    const available = this.#world.exchange.balance(userId)?.available ?? 0
    const direction = dice.oneOf(['deposit', 'withdrawal'] as const)
    const values = [1, 100, available - 1, available, available + 1, dice.between(1, 2_000_000)] as const
    const value = dice.percent(2) ? Number.MAX_SAFE_INTEGER : dice.oneOf(values)
    this.#send({ userId, direction, amount: amount(Math.max(1, value)), txnId: this.#txnId() })
  }

  /** Repeats a `txn_id`, unchanged or changed; sometimes both at once. */
  #transferAgain(): void {
    const dice = this.#dice
    const { transfers } = this.#clients
    const [txnId, ...others] = transfers.txnIds.slice(-5)
    const request = txnId === undefined ? undefined : transfers.firstOf(dice.oneOf([txnId, ...others]))
    if (request === undefined) return
    if (dice.percent(30)) {
      this.#world.branches.count('two of one txn_id at once')
      const fresh = { ...request, txnId: this.#txnId() }
      this.#send(fresh)
      this.#send(dice.percent(50) ? fresh : { ...fresh, amount: amount(fresh.amount + 1) })
      return
    }
    const changed = dice.oneOf([
      request,
      request,
      { ...request, amount: amount(request.amount + 1) },
      { ...request, userId: dice.oneOf(this.#users) },
      { ...request, direction: request.direction === 'deposit' ? 'withdrawal' : 'deposit' },
    ] as const)
    this.#send({ ...changed })
  }

  #withdrawAll(): void {
    this.withdrawAllOf(this.#dice.oneOf(this.#users))
  }

  #send(request: Parameters<Clients['transfer']>[0]): void {
    this.#world.note(JSON.stringify(request))
    this.#clients.transfer({ ...request })
  }

  /**
   * Moves the clock forward, not at all, or back, as a real clock may; often to the end of a timer. Some send
   * orders before the exchange has looked at its clock.
   */
  #moveClock(): void {
    const { branches, exchange } = this.#world
    const { timers } = this.#clients
    const end = timers.nextEnd()
    const isToEnd = end !== undefined && this.#dice.percent(50)
    const jump = isToEnd
      ? end - this.#world.now
      : this.#dice.oneOf([0, 1, 5, 1000, MINUTE, 4 * MINUTE, -1, -MINUTE] as const)
    branches.count('clock stood still', jump === 0)
    branches.count('clock went back', jump < 0)
    if (jump < 0) timers.clockGoesBack(this.#world.now)
    this.#world.now = Math.max(START, this.#world.now + jump)
    this.#world.note(`clock moves by ${jump}`)
    for (const userId of timers.justEnded()) {
      if (this.#dice.percent(60)) this.orders.place([userId])
    }
    exchange.advanceClock()
    const { directory } = exchange
    const known = [...directory.allInMemory()].filter(({ terms }) => directory.ended.has(terms.code)).length
    branches.count('memory forgot an event', known < directory.ended.length)
  }

  #moveMarket(): void {
    const market = this.market(this.#dice.percent(80))
    const move = this.#dice.oneOf(['halt', 'resume', 'resume', 'close'] as const)
    if (market === undefined) return
    this.#world.note(`${move} ${market.terms.code}`)
    this.#clients.move(market, move)
  }

  #openMarket(): DeskMarket | undefined {
    return this.#oneOf(({ pendingStatus }) => pendingStatus === 'open')
  }

  #oneOf(isOne: (market: DeskMarket) => boolean): DeskMarket | undefined {
    const [first, ...others] = [...this.#world.exchange.directory.all()].filter(isOne)
    return first === undefined ? undefined : this.#dice.oneOf([first, ...others])
  }

  #txnId(): string {
    this.#txns++
    return `txn-${this.#txns}`
  }
}

const rupees = (value: number) => amount(value * UNITS_PER_RUPEE)
const times = <T>(count: number, value: T): T[] => Array.from({ length: count }, () => value)
