import type { Outcome } from '../../core/market.js'
import type { AccountNumber, MarketCode, QuantityLots } from '../../core/units.js'
import type { Database, Statement } from '../database.js'
import { HELD } from './held-money.js'

/** One user's payout; `paid` and `payment` as in a settlement. */
export interface PreviewRow {
  readonly account: AccountNumber
  readonly userId: string
  readonly yes: QuantityLots
  readonly no: QuantityLots
  readonly paid: number
  readonly payment: number
}

/** The sums over all users: contracts in lots, money in units of ₹0.0001. */
export interface PreviewTotals {
  readonly users: number
  readonly yes: QuantityLots
  readonly no: QuantityLots
  /** The cash of the market's escrow. */
  readonly escrow: number
  readonly payout: number
  /** Money that a void takes back from users who are ahead, as far as their available cash goes. */
  readonly collected: number
  /** Money that they owe beyond that: the house covers it. */
  readonly shortfall: number
  /** The part of the escrow that goes to the account of fees; none for a void, which gives fees back. */
  readonly fees: number
}

export interface SettlementPreview {
  /** Only on the first page: computing them takes as long as a thousand pages. */
  readonly totals: PreviewTotals | undefined
  readonly rows: readonly PreviewRow[]
}

const PAID = (contracts: 'yes' | 'no') =>
  `WITH parts AS (SELECT p.account, p.yes, p.no, p.paid, m.payout * p.${contracts} AS payment
     FROM positions p JOIN markets m ON m.code = p.market
     WHERE p.market = @market AND p.account > @after AND (p.yes > 0 OR p.no > 0))`

// Voiding a market cancels its orders first, so their holds count as available here.
const UNWOUND = `WITH released AS MATERIALIZED (SELECT o.account,
     sum(${HELD}) AS held FROM orders o INDEXED BY orders_open JOIN markets m ON m.code = o.market
     WHERE o.market = @market AND o.state IN ('resting', 'partially_filled') GROUP BY o.account),
   parts AS (SELECT p.account, p.yes, p.no, p.paid,
     iif(p.paid > 0, p.paid, -min(-p.paid, a.cash - a.held + ifnull(r.held, 0))) AS payment
     FROM positions p JOIN accounts a ON a.number = p.account LEFT JOIN released r ON r.account = p.account
     WHERE p.market = @market AND p.account > @after AND (p.yes > 0 OR p.no > 0 OR p.paid <> 0))`

const PARTS: Readonly<Record<Outcome, string>> = { yes: PAID('yes'), no: PAID('no'), void: UNWOUND }

const PAGE = `SELECT account, iif(owner GLOB 'user:*', substr(owner, 6), '') AS userId, yes, no, paid, payment
  FROM parts JOIN accounts ON number = account ORDER BY account LIMIT @lengthMax`

const TOTALS = `SELECT
  ifnull(sum((SELECT owner GLOB 'user:*' FROM accounts WHERE number = account)), 0) AS users,
  ifnull(sum(yes), 0) AS yes, ifnull(sum(no), 0) AS no,
  ifnull(sum(max(payment, 0)), 0) AS payout, ifnull(sum(max(-payment, 0)), 0) AS collected,
  iif(@isVoid, ifnull(sum(payment - paid), 0), 0) AS shortfall,
  (SELECT cash FROM accounts JOIN markets ON escrow = number WHERE code = @market) AS escrow,
  (SELECT iif(@isVoid, 0, fees) FROM markets WHERE code = @market) AS fees FROM parts`

/** Previews the settlement of a market from one snapshot of the tables. Writes nothing. */
export class SettlementPreviews {
  readonly #database: Database
  readonly #pages: ReadonlyMap<Outcome, Statement<PreviewRow>>
  readonly #totals: ReadonlyMap<Outcome, Statement<PreviewTotals>>

  constructor(database: Database) {
    this.#database = database
    const outcomes = Object.entries(PARTS) as [Outcome, string][]
    this.#pages = new Map(outcomes.map(([outcome, parts]) => [outcome, database.prepare(`${parts} ${PAGE}`)]))
    this.#totals = new Map(
      outcomes.map(([outcome, parts]) => [outcome, database.prepare(`${parts} ${TOTALS}`)]),
    )
  }

  /** Returns a page of rows after an account; the first page comes with the totals. */
  read(
    market: MarketCode,
    outcome: Outcome,
    after: AccountNumber | undefined,
    lengthMax: number,
  ): SettlementPreview {
    return this.#database
      .transaction(() => {
        const rows = this.#pages.get(outcome)?.all({ market, after: after ?? 0, lengthMax }) ?? []
        const isFirst = after === undefined
        const isVoid = outcome === 'void' ? 1 : 0
        const totals = isFirst ? this.#totals.get(outcome)?.get({ market, after: 0, isVoid }) : undefined
        return { rows, totals }
      })
      .deferred()
  }
}
