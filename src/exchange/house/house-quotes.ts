import type { ShownQuotes } from '../../api/operator/shown-quotes.js'
import type { By } from '../../core/command.js'
import type { BatchOutcome } from '../../core/engine-event.js'
import type { QuoteTable } from '../../core/house/quote-table.js'
import { houseResults, lossMax } from '../../core/house/quote-table.js'
import { isOver, keepsOrders } from '../../core/market.js'
import { unfilledOf } from '../../core/order-record.js'
import type { AccountNumber } from '../../core/units.js'
import { amount, lots, ticks } from '../../core/units.js'
import type { ShardPool } from '../../shard/shard-pool.js'
import type { CapacityRefusal } from '../capacity.js'
import type { CommandParts } from '../command-parts.js'
import type { Desk } from '../desk.js'
import type { DeskMarket } from '../markets/desk-market.js'
import type { Unsent } from '../send-to-market.js'
import { sendToMarket, signed } from '../send-to-market.js'
import type { Sources } from '../sources.js'
import type { Funding } from './desk-house.js'
import type { HouseBudgets } from './house-budgets.js'
import { HouseFunding } from './house-funding.js'
import { Requotes } from './requotes.js'

type ChangedParts = Pick<BatchOutcome, 'markets' | 'groups'>

/** Of quotes that trade no more. */
const NOTHING_QUOTED: Omit<QuoteTable, 'step'> = { low: ticks(0), start: 0, lots: [] }

/**
 * Quotes of the house: the desk's market maker. After each batch that changed a market it compares what
 * should rest with what does, and sends one command; what it has to spend is what it was given.
 */
export class HouseQuotes {
  readonly funding: HouseFunding
  readonly #desk: Desk
  readonly #shards: ShardPool
  readonly #sources: Sources
  readonly #requotes: Requotes
  /** True if quotes wait for room on the disk. */
  #isWaiting = false

  constructor(parts: CommandParts, budgets: HouseBudgets = {}) {
    this.funding = new HouseFunding(parts, budgets)
    this.#desk = parts.desk
    this.#shards = parts.shards
    this.#sources = parts.sources
    this.#requotes = new Requotes(parts.desk, parts.sources)
  }

  /** Stops the quotes of a market; resolves when that is committed. Their free money goes back then. */
  async stop(market: DeskMarket, by?: By): Promise<CapacityRefusal | undefined> {
    const running = this.running(market)
    if (running === undefined) return undefined
    const { endingRefusal } = this.#desk
    if (endingRefusal !== undefined) return endingRefusal
    if (this.#shards.isFullForEnding(market.terms.code)) return 'queue_full'
    await this.#send(market, { type: 'STOP_QUOTES', account: running.account, ...signed(by) })
    return undefined
  }

  /** Returns the quotes of a market that are funded, and not stopped. */
  running({ terms: { code } }: DeskMarket): Funding | undefined {
    const last = this.#desk.house.of(code).at(-1)
    return last?.stoppedAt === undefined && last?.table !== undefined ? last : undefined
  }

  /** Returns the last quotes of a market, with what they have and what may come of it. */
  shown(market: DeskMarket): ShownQuotes | undefined {
    const funding = this.#desk.house.of(market.terms.code).at(-1)
    if (funding === undefined) return undefined
    const { account, table, startPrice, step, budget, returned, fundedAt, stoppedAt } = funding
    const { ledger, ownOrders } = this.#desk
    const { yes, no } = ledger.contracts(funding.market, account)
    const means = { cash: ledger.balance(account).cash, yes, no }
    const isStopped = stoppedAt !== undefined
    // Where nothing trades any more, what the house has decides alone.
    const trades = !isStopped && keepsOrders(market.progress.status)
    const quoted = table !== undefined && trades ? table : { ...NOTHING_QUOTED, step }
    const { payout } = market.terms
    const given = { payout, budget: amount(budget - returned) }
    return {
      status: table === undefined ? 'returned' : isStopped ? 'stopped' : 'running',
      ...{ budget, returned, startPrice, step, means, fundedAt, stoppedAt },
      lossMax: table && lossMax(table, payout),
      results: houseResults(quoted, quoted === table ? no - yes : 0, means, given),
      rests: ownOrders.of(account).map(order => ({ ...order, lots: lots(unfilledOf(order)) })),
    }
  }

  /** Requotes all markets, also after what a crash has interrupted. */
  start(): void {
    for (const funding of this.#desk.house.open) this.#carryOn(funding)
  }

  /** Goes on once there is room on the disk again; to be called about every second. */
  advance(): void {
    if (!this.#isWaiting || this.#desk.growthRefusal !== undefined) return
    this.#isWaiting = false
    this.start()
  }

  /** Forgets the quotes whose money is back, all of it: those of an exchange that follows another one. */
  forgetReturned(): void {
    for (const funding of this.#desk.house.open) this.#forgetIfReturned(funding)
  }

  /** The same for those of the markets that a batch of the other exchange has changed. */
  afterFollowed(outcome: ChangedParts): void {
    for (const funding of this.#changedBy(outcome)) this.#forgetIfReturned(funding)
  }

  /** Requotes the markets that a committed batch has changed, and pays money back where they have ended. */
  afterBatch(outcome: ChangedParts & Pick<BatchOutcome, 'events' | 'edits'>): void {
    const { events, edits } = outcome
    const { house } = this.#desk
    if (house.open.size === 0) return
    // Nor is what ended at a capacity that has been edited.
    for (const { market } of edits) for (const funding of house.of(market)) funding.quoted = undefined
    for (const event of events) {
      // What was refused while the market was halted is not refused again.
      if (event.type !== 'market_moved') continue
      for (const funding of house.of(event.market)) funding.quoted = undefined
    }
    for (const funding of this.#changedBy(outcome)) this.#carryOn(funding)
  }

  /** Returns the quotes, past ones included, of the markets that a batch has changed. */
  #changedBy({ markets, groups }: ChangedParts): Funding[] {
    const { house } = this.#desk
    if (house.open.size === 0) return []
    const ofGroups = groups.flatMap(({ code }) => this.#desk.groups.get(code).markets)
    const changed = new Set(markets.map(({ code }) => this.#desk.market(code)).concat(ofGroups))
    // Money in a group returns with the end of its last market.
    for (const market of [...changed]) {
      if (!isOver(market.progress.status)) continue
      for (const other of this.#desk.groups.of(market)?.markets ?? []) changed.add(other)
    }
    return [...changed].flatMap(({ terms }) => house.of(terms.code))
  }

  /** Sends what quotes need next: a requote, or their money back; nothing while something is in flight. */
  #carryOn(funding: Funding): void {
    this.#isWaiting ||= this.#desk.growthRefusal !== undefined
    if (funding.underWay !== undefined || this.#desk.growthRefusal !== undefined) return
    const market = this.#desk.market(funding.market)
    const isEnded = this.#isEnded(market, funding)
    if (funding.stoppedAt === undefined && !isEnded) {
      const requote = this.#requotes.of(market, funding)
      if (requote !== undefined) this.#sendOne(market, funding, requote)
    } else this.#payBack(market, funding, isEnded)
  }

  /** Returns true once a market has paid the house all that it will. */
  #isEnded(market: DeskMarket, { account }: Funding): boolean {
    const group = this.#desk.groups.of(market)
    const unit = group?.isExclusive ? group.markets : [market]
    if (unit.some(({ progress }) => !isOver(progress.status))) return false
    const { ledger } = this.#desk
    return [market.terms.code, market.pool.code].every(code => {
      const { yes, no, paid } = ledger.contracts(code, account)
      const isUnwound = paid === 0 || !unit.some(({ progress }) => progress.status === 'voided')
      return yes === 0 && no === 0 && isUnwound
    })
  }

  #payBack(market: DeskMarket, funding: Funding, isEnded: boolean): void {
    const { ledger, house } = this.#desk
    const { account } = funding
    if (this.#hasOrders(account)) return
    const { available } = ledger.balance(account)
    if (available > 0) {
      ledger.hold(account, available)
      this.#sendOne(market, funding, { type: 'RETURN_HOUSE_MONEY', account, amount: available })
    } else if (isEnded) house.end(funding)
  }

  #forgetIfReturned(funding: Funding): void {
    const { account } = funding
    const { available } = this.#desk.ledger.balance(account)
    if (available > 0 || this.#hasOrders(account)) return
    if (this.#isEnded(this.#desk.market(funding.market), funding)) this.#desk.house.end(funding)
  }

  #hasOrders(account: AccountNumber): boolean {
    const { ownOrders } = this.#desk
    return ownOrders.of(account).length > 0 || [...ownOrders.arriving(account)].length > 0
  }

  #sendOne(market: DeskMarket, funding: Funding, unsent: Unsent): void {
    funding.underWay = this.#send(market, unsent).then(() => {
      funding.underWay = undefined
      this.#carryOn(funding)
    })
  }

  #send({ terms: { code } }: DeskMarket, unsent: Unsent): Promise<void> {
    return sendToMarket(this.#shards, this.#sources, code, unsent)
  }
}
