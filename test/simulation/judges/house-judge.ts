import { assert } from '../../../src/core/assert.js'
import { keepsOrders } from '../../../src/core/market.js'
import type { AccountNumber, MarketCode, Sequence } from '../../../src/core/units.js'
import type { DeskMarket } from '../../../src/exchange/markets/desk-market.js'
import type { FundingRefused, FundingRequest } from '../../../src/exchange/house/house-budgets.js'
import type { NaiveHouse } from '../../fixtures/naive/naive-house.js'
import type { NaiveMarket } from '../../fixtures/naive/naive-market.js'
import type { RareBranches } from '../workload/rare-branches.js'
import type { World } from '../world/world.js'
import type { JudgedBatch } from './journal-judge.js'

interface HouseRow {
  readonly account: AccountNumber
  readonly market: MarketCode
  readonly round: number
  readonly budget: number
  readonly returned: number
  readonly isStopped: 0 | 1
  readonly cash: number
  readonly yes: number
  readonly no: number
}

const ROWS = `SELECT q.account, q.market, round, budget, returned, stopped_at IS NOT NULL AS isStopped,
    cash, ifnull(yes, 0) AS yes, ifnull(no, 0) AS no
  FROM house_quotes q JOIN accounts a ON a.number = q.account
  LEFT JOIN positions p ON p.market = q.market AND p.account = q.account ORDER BY q.market, round`

/** The results of running quotes as the operator was shown them. */
interface Shown {
  readonly market: MarketCode
  readonly ifYes: number
  readonly ifNo: number
  readonly worst: number
}

/**
 * Checks the answers about house quotes: what was funded or stopped stays so. Keeps what was shown while nothing
 * was in flight, for the end, when the naive markets know better.
 */
export class HouseJudge {
  readonly #world: World
  /** How often the quotes of a market were funded, and stopped, by the answers. */
  readonly #funded = new Map<MarketCode, number>()
  readonly #stopped = new Map<MarketCode, number>()
  readonly #quiet = new Map<Sequence, readonly Shown[]>()

  constructor(world: World) {
    this.#world = world
  }

  funded(requests: readonly FundingRequest[], refused: FundingRefused | undefined): void {
    const { branches } = this.#world
    if (refused !== undefined) {
      const { refusal } = refused
      if (refusal === 'queue_full') branches.count('answer: busy')
      else if (isCounted(refusal)) branches.count(`answer: quotes ${refusal}`)
      return
    }
    branches.count('answer: quotes funded')
    branches.count('answer: quotes of a group funded', requests.length > 1)
    for (const { market } of requests) {
      const { code } = market.terms
      const before = this.#funded.get(code) ?? 0
      branches.count('answer: quotes funded again', before > 0)
      this.#funded.set(code, before + 1)
    }
  }

  stopped({ terms: { code } }: DeskMarket, wasRunning: boolean): void {
    this.#world.branches.count('answer: quotes stopped', wasRunning)
    const last = this.#world.rows<HouseRow>(ROWS).filter(({ market }) => market === code)
    if (wasRunning)
      this.#stopped.set(code, Math.max(1, last.filter(({ isStopped }) => isStopped === 1).length))
  }

  /** Checks that quotes that were answered are kept. */
  assertKept(): void {
    const rows = this.#world.rows<HouseRow>(ROWS)
    const of = (code: MarketCode) => rows.filter(({ market }) => market === code)
    for (const [code, count] of this.#funded) {
      assert(of(code).length >= count, `quotes that were funded are kept: ${code}`)
    }
    for (const [code, count] of this.#stopped) {
      const stopped = of(code).filter(({ isStopped }) => isStopped === 1)
      assert(stopped.length >= count, `quotes that were stopped stay so: ${code}`)
    }
  }

  /** Checks, with nothing in flight, that memory has the quotes of the tables; keeps what is shown. */
  quiet(): void {
    const { exchange, machine } = this.#world
    const rows = this.#world.rows<HouseRow>(ROWS)
    const last = new Map(rows.map(row => [row.market, row]))
    const shown: Shown[] = []
    for (const market of exchange.directory.all()) {
      const { code } = market.terms
      const quotes = exchange.house.shown(market)
      const row = last.get(code)
      assert((quotes === undefined) === (row === undefined), 'memory knows the quotes of the tables')
      if (quotes === undefined || row === undefined) continue
      const { budget, returned, means, status } = quotes
      const isSame =
        budget === row.budget &&
        returned === row.returned &&
        (status === 'running' || row.isStopped === 1 || !keepsOrders(market.progress.status)) &&
        [means.cash, means.yes, means.no].join() === [row.cash, row.yes, row.no].join()
      assert(isSame, `the quotes in memory are those of the table: ${code}`)
      if (status !== 'running' || !keepsOrders(market.progress.status)) continue
      shown.push({ market: code, ...quotes.results })
    }
    const [row] = this.#world.rows<{ readonly end: Sequence | null }>(
      'SELECT max(sequence) AS "end" FROM journal',
    )
    assert(machine.inFlight.size === 0, 'quotes are compared when nothing is in flight')
    this.#assertBelowCeiling(rows)
    if (row?.end != null) this.#quiet.set(row.end, shown)
  }

  /** Checks that all quotes together have no more than the ceiling, less what came back of each. */
  #assertBelowCeiling(rows: readonly HouseRow[]): void {
    const { budgetMax } = this.#world.budgets
    if (budgetMax === undefined) return
    const left = rows.map(({ budget, returned, cash, yes, no }) => {
      return cash === 0 && yes + no === 0 ? 0 : Math.max(0, budget - returned)
    })
    assert(left.reduce((sum, value) => sum + value, 0) <= budgetMax, 'all budgets are below the ceiling')
  }

  /** Returns what was shown after a batch, if nothing was in flight then. */
  shownAt(sequence: Sequence): readonly Shown[] | undefined {
    return this.#quiet.get(sequence)
  }
}

/** Counts what a batch does to the house. */
export function countHouse(
  branches: RareBranches,
  { commands, outcome }: JudgedBatch,
  houses: ReadonlyMap<AccountNumber, NaiveHouse>,
): void {
  const quotes = new Set<string>()
  for (const command of commands) {
    if (command.type === 'REQUOTE_HOUSE') {
      for (const { market, number } of command.orders) quotes.add(`${market} ${number}`)
    }
  }
  for (const event of outcome.events) {
    if (event.type === 'traded') {
      const isMaker = event.fills.some(({ makerOwner }) => houses.has(makerOwner))
      branches.count('house took a better price', houses.has(event.takerOwner))
      branches.count('house sold', isMaker && event.takerSide === 'yes')
      branches.count('house bought', isMaker && event.takerSide === 'no')
    }
    if (event.type !== 'order_cancelled' && event.type !== 'order_rejected') continue
    const isQuote = quotes.has(`${event.market} ${event.order}`)
    branches.count('house order refused by its shard', isQuote && event.type === 'order_rejected')
    branches.count('house order ended at the capacity', isQuote && event.reason === 'event_capacity')
  }
}

/** Checks that all money of the house is back in the end, and counts whether that was more than it had. */
export function assertReturned(branches: RareBranches, houses: Iterable<NaiveHouse>): void {
  for (const { cash, gain } of houses) {
    assert(cash === 0n, 'the house keeps no money in the end')
    branches.count('house lost money', gain < 0n)
    branches.count('house gained money', gain > 0n)
  }
}

/** Checks that what operators were shown of quotes is what their fills say. */
export function assertShown(shown: readonly Shown[], markets: ReadonlyMap<MarketCode, NaiveMarket>): void {
  for (const { market, ...said } of shown) {
    const results = markets.get(market)?.houses.at(-1)?.results
    assert(results !== undefined, 'quotes that were shown were funded')
    const known = [results.ifYes, results.ifNo, results.worst].join()
    const text = [said.ifYes, said.ifNo, said.worst].join()
    assert(known === text, `the results of the house are those of its fills: ${known}, and not ${text}`)
  }
}

export const FUNDING_REFUSALS = [
  'no_rungs',
  'budget_too_small',
  'quotes_running',
  'market_over',
  'above_ceiling',
] as const

function isCounted(refusal: string): refusal is (typeof FUNDING_REFUSALS)[number] {
  return FUNDING_REFUSALS.some(known => known === refusal)
}
