import type { ShownQuotes } from '../../api/operator/shown-quotes.js'
import type { By } from '../../core/command.js'
import { RESTS_MAX } from '../../core/house/house-command.js'
import type { QuoteTable } from '../../core/house/quote-table.js'
import {
  affordableRests,
  desiredRests,
  evenPrice,
  houseResults,
  lossMax,
  newTable,
  usualStep,
} from '../../core/house/quote-table.js'
import { keepsOrders } from '../../core/market.js'
import type { Amount, MarketCode, TimeMs } from '../../core/units.js'
import { amount, NOTHING } from '../../core/units.js'
import type { ShardPool } from '../../shard/shard-pool.js'
import type { CommandParts } from '../command-parts.js'
import type { Desk } from '../desk.js'
import type { DeskMarket } from '../markets/desk-market.js'
import { sendToMarket, signed } from '../send-to-market.js'
import type { Sources } from '../sources.js'
import type { FundingRefusal, FundingRefused, FundingRequest, HouseBudgets } from './house-budgets.js'

/** The most times that a market is funded. */
const ROUNDS_MAX = 100
/** The most new markets without quotes that are kept for the operators. */
const UNQUOTED_MAX = 1000
/** A new market is funded right after its creation: what is older was not cut off by a crash. */
const CUT_OFF_MS = 10_000

/** Pays the budgets of house quotes in, as long as they are below the ceiling. */
export class HouseFunding {
  readonly #desk: Desk
  readonly #shards: ShardPool
  readonly #sources: Sources
  readonly #budgets: HouseBudgets
  /** Markets with a funding in flight. */
  readonly #ahead = new Map<MarketCode, Amount>()
  /** New markets that got no quotes, the newest of them. */
  readonly #unquoted = new Set<MarketCode>()

  constructor({ desk, shards, sources }: CommandParts, budgets: HouseBudgets) {
    this.#desk = desk
    this.#shards = shards
    this.#sources = sources
    this.#budgets = budgets
  }

  /** The budgets of all quotes whose money is not back, less what has come back of them. */
  get atStake(): Amount {
    let sum = 0
    for (const { budget, returned } of this.#desk.house.open) sum += Math.max(0, budget - returned)
    for (const budget of this.#ahead.values()) sum += budget
    return amount(sum)
  }

  /** Funds the quotes of markets, of all or of none; resolves once they rest, or to the refusal. */
  async fund(requests: readonly FundingRequest[], by?: By): Promise<FundingRefused | undefined> {
    const tables = this.#tables(requests)
    if (!Array.isArray(tables)) return tables

    // After this point the budgets count as paid in, until the commands have been applied.
    const sent = requests.map(async ({ market, budget }, index) => {
      const { code } = market.terms
      this.#desk.ledger.payIn(budget)
      this.#ahead.set(code, budget)
      this.#unquoted.delete(code)
      const account = this.#desk.users.takeNumber()
      const round = this.#desk.house.of(code).length + 1
      const funds = { account, round, budget, table: tables[index] as QuoteTable }
      const command = { type: 'FUND_QUOTES', ...funds, ...signed(by) } as const
      await sendToMarket(this.#shards, this.#sources, code, command)
      this.#ahead.delete(code)
      await this.#desk.house.of(code).at(-1)?.underWay
    })
    await Promise.all(sent)
    return undefined
  }

  /** Returns the quotes that requests would give, or the refusal. Changes nothing. */
  preview(requests: readonly FundingRequest[]): ShownQuotes[] | FundingRefused {
    const tables = this.#tables(requests)
    if (!Array.isArray(tables)) return tables
    return requests.map(({ market, budget, startPrice, step }, index) => {
      const { payout } = market.terms
      const table = tables[index] as QuoteTable
      const means = { cash: budget, yes: 0, no: 0 }
      return {
        ...{ status: 'preview', budget, returned: NOTHING, startPrice, step },
        ...{ lossMax: lossMax(table, payout), means },
        results: houseResults(table, 0, means, { payout, budget }),
        rests: affordableRests(desiredRests(table, 0, RESTS_MAX), means, payout),
        ...{ fundedAt: undefined, stoppedAt: undefined },
      }
    })
  }

  /** Gives a new market, or all outcomes of a new group together, the budget of the settings. */
  async fundNew(markets: readonly DeskMarket[]): Promise<void> {
    const { ofNew, onRefused } = this.#budgets
    if (ofNew === undefined) return
    const requests = this.evenly(markets, ofNew).filter(({ market }) => this.#isNew(market))
    const refused = await this.fund(requests)
    if (refused === undefined) return
    for (const { market } of requests) this.#unquoted.add(market.terms.code)
    for (const code of this.#unquoted) {
      if (this.#unquoted.size <= UNQUOTED_MAX) break
      this.#unquoted.delete(code)
    }
    onRefused?.(refused, requests.length)
  }

  /** Funds the new markets whose funding a crash has cut off, after a journal that ended at a time. */
  async resume(endedAt: TimeMs): Promise<void> {
    if (this.#budgets.ofNew === undefined) return
    const { markets, groups } = this.#desk
    const isCutOff = (market: DeskMarket) =>
      market.listing.createdAt > endedAt - CUT_OFF_MS &&
      keepsOrders(market.pendingStatus) &&
      this.#isNew(market)
    const cutOff = new Set(
      markets
        .liveNow()
        .filter(isCutOff)
        .map(market => groups.of(market) ?? market),
    )
    await Promise.all([...cutOff].map(unit => this.fundNew('markets' in unit ? unit.markets : [unit])))
  }

  /** The newest markets that were given no quotes at their creation, and could still have some. */
  get unquoted(): DeskMarket[] {
    return [...this.#unquoted].flatMap(code => {
      const market = this.#desk.markets.inMemory(code)
      return market !== undefined && keepsOrders(market.pendingStatus) ? [market] : []
    })
  }

  /** Returns requests that split a budget evenly; by default each price is an even share of the payout. */
  evenly(
    markets: readonly DeskMarket[],
    budget: Amount,
    { startPrice, step }: Partial<FundingRequest> = {},
  ): FundingRequest[] {
    // YES and NO share a market that is alone.
    const count = Math.max(2, markets.length)
    return markets.map(market => ({
      market,
      budget: amount(Math.floor(budget / markets.length)),
      startPrice: startPrice ?? evenPrice(market.terms, count),
      step: step ?? usualStep(market.terms),
    }))
  }

  #isNew({ terms: { code } }: DeskMarket): boolean {
    return this.#desk.house.of(code).length === 0
  }

  #tables(requests: readonly FundingRequest[]): QuoteTable[] | FundingRefused {
    const tables: QuoteTable[] = []
    const total = requests.reduce((sum, { budget }) => sum + budget, 0)
    for (const request of requests) {
      const { market } = request
      const refusal = this.#refusal(market, total)
      if (refusal !== undefined) return { request, ...refusal }
      const table = newTable({ ...request, payout: market.terms.payout })
      if ('refusal' in table) return { request, ...table }
      tables.push(table)
    }
    return tables
  }

  #refusal({ terms: { code }, pendingStatus }: DeskMarket, total: number): FundingRefusal | undefined {
    const { house, ledger, growthRefusal } = this.#desk
    if (!keepsOrders(pendingStatus)) return { refusal: 'market_over' }
    const last = house.of(code).at(-1)
    const isRunning = last !== undefined && last.stoppedAt === undefined
    if (isRunning || this.#ahead.has(code)) return { refusal: 'quotes_running' }
    if (house.of(code).length >= ROUNDS_MAX) return { refusal: 'rounds_full' }
    const { budgetMax: most } = this.#budgets
    const left = most === undefined ? Number.POSITIVE_INFINITY : Math.max(0, most - this.atStake)
    if (most !== undefined && total > left) return { refusal: 'above_ceiling', left: amount(left), most }
    if (!ledger.canPayIn(amount(total))) return { refusal: 'accounts_full' }
    if (growthRefusal !== undefined) return { refusal: growthRefusal }
    return this.#shards.isFull(code) ? { refusal: 'queue_full' } : undefined
  }
}
