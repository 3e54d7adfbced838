import type { AccountNumber, MarketCode } from '../../core/units.js'
import type { Database, Statement } from '../database.js'
import { HELD } from './held-money.js'
import type { PreviewRow, PreviewTotals } from './settlement-preview.js'

/** A user's payment; `paid` is less what conversions and earlier results have paid. */
export type GroupPreviewRow = Pick<PreviewRow, 'account' | 'userId' | 'paid' | 'payment'>

/** The sums over all users, in units of ₹0.0001. */
export type GroupPreviewTotals = Omit<PreviewTotals, 'yes' | 'no'>

export interface GroupSettlementPreview {
  /** Only on the first page: computing them takes as long as a thousand pages. */
  readonly totals: GroupPreviewTotals | undefined
  readonly rows: readonly GroupPreviewRow[]
}

interface Asked {
  readonly group: MarketCode
  readonly winner: MarketCode | null
  readonly after: AccountNumber | 0
}

/** The users of a group, and what their contracts in its outcomes pay if one of them wins. */
const HELD_BY = `SELECT g.account, g.paid, p.market, p.yes, p.no
  FROM positions AS g JOIN markets AS m ON m.group_code = @group
  LEFT JOIN positions AS p ON p.market = m.code AND p.account = g.account
  WHERE g.market = @group AND g.account > @after`

const WON = `WITH payout AS (SELECT payout FROM market_groups WHERE code = @group),
  parts AS (SELECT account, paid,
    (SELECT payout FROM payout) * sum(iif(market = @winner, yes, no)) AS payment
    FROM (${HELD_BY}) GROUP BY account HAVING sum(yes + no) > 0)`

// A void cancels all orders, so their holds count as available. It asks the same of a user whether or not an
// outcome eliminated before has been paid: that payment is in `paid` then, and in what is available.
const UNWOUND = `WITH released AS MATERIALIZED (SELECT o.account, sum(${HELD}) AS held
    FROM markets m JOIN orders o INDEXED BY orders_open ON o.market = m.code
    WHERE m.group_code = @group AND o.state IN ('resting', 'partially_filled') GROUP BY o.account),
  owed AS (SELECT account, paid, ifnull(sum(yes + no), 0) AS contracts
    FROM (${HELD_BY}) GROUP BY account HAVING contracts > 0 OR paid <> 0),
  parts AS (SELECT w.account, paid,
    iif(paid > 0, paid, -min(-paid, a.cash - a.held + ifnull(r.held, 0))) AS payment
    FROM owed w JOIN accounts a ON a.number = w.account LEFT JOIN released r ON r.account = w.account)`

const PAGE = `SELECT account, iif(owner GLOB 'user:*', substr(owner, 6), '') AS userId, paid, payment
  FROM parts JOIN accounts ON number = account ORDER BY account LIMIT @lengthMax`

const TOTALS = `SELECT
  ifnull(sum((SELECT owner GLOB 'user:*' FROM accounts WHERE number = account)), 0) AS users,
  ifnull(sum(max(payment, 0)), 0) AS payout,
  ifnull(sum(max(-payment, 0)), 0) AS collected,
  iif(@winner IS NULL, ifnull(sum(payment - paid), 0), 0) AS shortfall,
  (SELECT cash FROM accounts JOIN market_groups ON escrow = number WHERE code = @group) AS escrow,
  iif(@winner IS NULL, 0, (SELECT sum(fees) FROM markets WHERE group_code = @group)) AS fees FROM parts`

/** Previews the result of an exclusive group from one snapshot of the tables. Writes nothing. */
export class GroupSettlementPreviews {
  readonly #database: Database
  readonly #pages: Readonly<Record<'won' | 'void', Statement<GroupPreviewRow>>>
  readonly #totals: Readonly<Record<'won' | 'void', Statement<GroupPreviewTotals>>>

  constructor(database: Database) {
    this.#database = database
    this.#pages = {
      won: database.prepare(`${WON} ${PAGE}`),
      void: database.prepare(`${UNWOUND} ${PAGE}`),
    }
    this.#totals = {
      won: database.prepare(`${WON} ${TOTALS}`),
      void: database.prepare(`${UNWOUND} ${TOTALS}`),
    }
  }

  /** Returns a page of rows after an account, for a winner or a void; the first one comes with the totals. */
  read(
    group: MarketCode,
    winner: MarketCode | undefined,
    after: AccountNumber | undefined,
    lengthMax: number,
  ): GroupSettlementPreview {
    const kind = winner === undefined ? 'void' : 'won'
    const asked: Asked = { group, winner: winner ?? null, after: after ?? 0 }
    return this.#database
      .transaction(() => ({
        rows: this.#pages[kind].all({ ...asked, lengthMax }),
        totals: after === undefined ? this.#totals[kind].get(asked) : undefined,
      }))
      .deferred()
  }
}
