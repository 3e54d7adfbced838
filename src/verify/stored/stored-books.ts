import type { RestingOrder } from '../../core/book/order-book.js'
import { restingHold } from '../../core/fees.js'
import { Engine } from '../../engine/engine.js'
import { stateHash } from '../../engine/state-hash.js'
import type { OpenNeed } from '../../store/audit/money-audit.js'
import type { Database, Statement } from '../../store/database.js'
import { isPassing } from '../../store/database.js'
import { GroupRows } from '../../store/rows/group-rows.js'
import type { StoredMarket } from '../../store/rows/market-rows.js'
import { MarketRows } from '../../store/rows/market-rows.js'
import { restingOrderAt } from '../../store/rows/open-order-rows.js'
import type { BookStates } from '../book-states.js'
import type { Findings } from '../findings.js'

/** The numbers of an open order, by SQL. */
export const OPEN_ORDER = {
  when: "state IN ('resting', 'partially_filled')",
  columns: [
    ...['account', "side = 'yes'", 'price', 'quantity - filled', 'covered', 'fee_maker', 'fee_credit'],
  ],
}
/** Those, with the order's number first. */
const LENGTH = OPEN_ORDER.columns.length + 1
const NO_FEE = { rate: 0, credit: 0 }

/**
 * Rebuilds every market's book from its open orders, as a start does, and adds up what they need. They are
 * read once, with their lines, in the order of the table; a start reads them by its index, which is compared.
 */
export class StoredBooks {
  readonly #findings: Findings
  readonly #groups: GroupRows
  readonly #selectIndexed: Statement<string | null>
  /** The markets whose orders are still to come, by code. */
  readonly #markets: StoredMarket[]
  readonly #states = new Map<number, string>()
  /** By market. */
  readonly #needs: OpenNeed[][] = []
  #fault: unknown
  #market = 0
  #cells: number[] = []

  constructor(database: Database, findings: Findings) {
    this.#findings = findings
    this.#groups = new GroupRows(database)
    this.#markets = [...new MarketRows(database).all()].reverse()
    this.#selectIndexed = database
      .prepare<unknown[], string | null>(
        `SELECT group_concat(number) FROM (SELECT number FROM orders INDEXED BY orders_open
         WHERE market = ? AND ${OPEN_ORDER.when} ORDER BY number)`,
      )
      .pluck()
  }

  /** Takes the next open order: market, number, 1, and its other numbers. */
  take(numbers: readonly number[]): void {
    const [market, number] = numbers as [number, number]
    if (market !== this.#market) this.#begin(market)
    this.#cells.push(number)
    for (let index = 3; index < numbers.length; index++) this.#cells.push(numbers[index] as number)
  }

  /** Returns each market's fingerprint once all orders are taken. */
  end(): BookStates {
    this.#begin(Number.POSITIVE_INFINITY)
    return this.#states
  }

  /** Yields what the open orders need; throws an error if that cannot be said. */
  *needs(): Generator<OpenNeed> {
    if (this.#fault !== undefined) throw this.#fault
    for (const needs of this.#needs) yield* needs
  }

  #begin(market: number): void {
    for (let next = this.#markets.at(-1); next && next.terms.code < market; next = this.#markets.at(-1)) {
      this.#markets.pop()
      const cells = next.terms.code === this.#market ? this.#cells : []
      this.#addUp(next, cells)
      this.#rebuild(next, cells)
    }
    this.#market = market
    this.#cells = []
  }

  #addUp({ terms: { code, payout } }: StoredMarket, cells: readonly number[]): void {
    const needs = new Map<number, OpenNeed>()
    try {
      for (const { owner, side, price, lots, covered, fee = NO_FEE } of resting(cells)) {
        let need = needs.get(owner)
        if (need === undefined) {
          need = { market: code, account: owner, held: 0, yes: 0, no: 0 }
          needs.set(owner, need)
        }
        need.held += restingHold({ side, price, lots, covered }, payout, fee)
        if (side === 'no') need.yes += covered
        else need.no += covered
      }
      if (needs.size > 0) this.#needs.push([...needs.values()])
    } catch (error) {
      this.#fault = error
    }
  }

  #rebuild({ terms, progress }: StoredMarket, cells: readonly number[]): void {
    const { code } = terms
    const engine = new Engine()
    try {
      const numbers = cells.filter((_, index) => index % LENGTH === 0)
      if ((this.#selectIndexed.get(code) ?? '') !== numbers.join(',')) {
        this.#findings.add(() => `market ${code}: the index of open orders does not have just those`)
      }
      const group = terms.group === undefined ? undefined : this.#groups.find(terms.group)
      if (group !== undefined) engine.restoreGroup(group.terms, group.progress)
      engine.restore(terms, progress, resting(cells))
      for (const market of engine.markets()) market.book.assertInvariants()
      this.#states.set(code, stateHash({ markets: () => engine.markets(), groups: () => [] }))
    } catch (error) {
      if (isPassing(error)) throw error
      const reason = error instanceof Error ? error.message : String(error)
      this.#findings.add(() => `market ${code}: its book cannot be rebuilt: ${reason}`)
      this.#states.set(code, 'unknown')
    }
  }
}

function* resting(cells: readonly number[]): Generator<RestingOrder> {
  for (let at = 0; at < cells.length; at += LENGTH) yield restingOrderAt(cells, at)
}
