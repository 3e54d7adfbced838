import type { Totals } from '../../core/ledger.js'
import { EXTERNAL } from '../../core/ledger.js'
import type { MarketProgress } from '../../core/market.js'
import { poolFault } from '../../core/pool.js'
import type { PriceTicks, Sequence } from '../../core/units.js'
import type { Database } from '../database.js'
import type { AccountRow } from '../rows/account-rows.js'
import { HELD } from './held-money.js'

/** A money invariant, and the rows that violate it. */
export interface RuleAudit {
  readonly rule: string
  readonly findings: readonly string[]
}

/** The result of checking all money invariants at one moment. */
export interface MoneyAudit {
  /** The last batch included. */
  readonly sequence: Sequence
  readonly accounts: number
  readonly markets: number
  readonly openOrders: number
  readonly rules: readonly RuleAudit[]
}

/** The most findings reported per rule: the first ones show what is wrong. */
const FINDINGS_MAX = 20

// Open orders are read by their partial index, so ended orders cost nothing.
const OPEN_ORDERS = `orders AS o INDEXED BY orders_open JOIN markets AS m ON m.code = o.market
  WHERE o.state IN ('resting', 'partially_filled')`

const COUNTS = `SELECT (SELECT sequence FROM reached) AS sequence,
  (SELECT count(*) FROM accounts) AS accounts, (SELECT count(*) FROM markets) AS markets,
  (SELECT count(*) FROM orders INDEXED BY orders_open WHERE state IN ('resting', 'partially_filled'))
    AS openOrders`

const SUM = 'SELECT sum(cash) AS cash FROM accounts HAVING sum(cash) <> 0'

const BOUNDS = `SELECT number, owner, cash, held FROM accounts
  WHERE number <> ${EXTERNAL} AND NOT (0 <= held AND held <= cash)`

// The markets of a pool follow each other.
const POOLS = `WITH sums AS MATERIALIZED
    (SELECT market, sum(yes) AS yes, sum(no) AS no, sum(paid) AS paid FROM positions GROUP BY market)
  SELECT ifnull(m.pool, m.code) AS pool, m.code, m.payout, m.status, m.outcome, m.open_pairs AS openPairs,
    m.fees, a.cash, ifnull(g.sets, 0) AS sets, ifnull(p.yes, 0) AS yes, ifnull(p.no, 0) AS no,
    ifnull(q.paid, 0) AS paid
  FROM markets AS m LEFT JOIN accounts AS a ON a.number = m.escrow
  LEFT JOIN market_groups AS g ON g.code = m.pool
  LEFT JOIN sums AS p ON p.market = m.code
  LEFT JOIN sums AS q ON q.market = ifnull(m.pool, m.code) ORDER BY ifnull(m.pool, m.code), m.code`

/** Needs of the open orders of an account in a market: money, and contracts that they sell. */
export interface OpenNeed {
  readonly market: number
  readonly account: number
  held: number
  yes: number
  no: number
}

const NEEDS = `SELECT o.market, o.account, sum(${HELD}) AS held,
  sum(iif(o.side = 'no', o.covered, 0)) AS yes, sum(iif(o.side = 'yes', o.covered, 0)) AS no
  FROM ${OPEN_ORDERS} GROUP BY o.market, o.account`

/** @param open what open orders need */
const holds = (
  open: string,
) => `WITH needs AS (SELECT account, sum(held) AS held FROM ${open} GROUP BY account)
  SELECT a.number, a.owner, a.held, ifnull(n.held, 0) AS needed FROM accounts AS a
  LEFT JOIN needs AS n ON n.account = a.number WHERE a.held <> ifnull(n.held, 0)
  UNION ALL SELECT n.account, 'no account', 0, n.held FROM needs AS n
  WHERE n.held <> 0 AND n.account NOT IN (SELECT number FROM accounts)`

const locks = (open: string) => `WITH needs AS MATERIALIZED (SELECT market, account, yes, no FROM ${open})
  SELECT p.market, p.account, p.yes_locked AS yesLocked, p.no_locked AS noLocked,
    ifnull(n.yes, 0) AS yes, ifnull(n.no, 0) AS no FROM positions AS p
  LEFT JOIN needs AS n ON n.market = p.market AND n.account = p.account
  WHERE p.yes_locked <> ifnull(n.yes, 0) OR p.no_locked <> ifnull(n.no, 0)
    OR NOT (0 <= p.yes_locked AND p.yes_locked <= p.yes) OR NOT (0 <= p.no_locked AND p.no_locked <= p.no)
  UNION ALL SELECT n.market, n.account, 0, 0, n.yes, n.no FROM needs AS n WHERE n.yes + n.no <> 0
    AND NOT EXISTS (SELECT 1 FROM positions AS p WHERE p.market = n.market AND p.account = n.account)`

/** A market, with the cash, net payments and sets of its pool. */
type PoolRow = Totals &
  Pick<MarketProgress, 'status' | 'openPairs' | 'fees'> & {
    readonly pool: number
    readonly sets: number
    readonly payout: PriceTicks
    readonly outcome: 'yes' | 'no' | 'void' | null
    readonly cash: number | null
  }

type HoldRow = Pick<AccountRow, 'number' | 'owner' | 'held'> & { readonly needed: number }

interface LockRow {
  readonly market: number
  readonly account: number
  readonly yesLocked: number
  readonly noLocked: number
  readonly yes: number
  readonly no: number
}

/**
 * Checks the money invariants (invariants, I1 to I3) from the tables alone, in one read transaction, so that
 * all numbers are of one moment whatever is being written. Amounts are in units of ₹0.0001, contracts in
 * lots.
 */
export function auditMoney(database: Database): MoneyAudit {
  return database.transaction(() => audited(database, `(${NEEDS})`))()
}

/** Does the same in the caller's read transaction, which has added up what the open orders need. */
export function auditMoneyWith(database: Database, needs: Iterable<OpenNeed>): MoneyAudit {
  database.exec(`CREATE TEMP TABLE open_needs (
    market INTEGER, account INTEGER, held INTEGER, yes INTEGER, no INTEGER, PRIMARY KEY (account, market))
    WITHOUT ROWID`)
  try {
    const insert = database.prepare('INSERT INTO temp.open_needs VALUES (?, ?, ?, ?, ?)')
    for (const { market, account, held, yes, no } of needs) insert.run(market, account, held, yes, no)
    return audited(database, 'temp.open_needs')
  } finally {
    database.exec('DROP TABLE temp.open_needs')
  }
}

function audited(database: Database, open: string): MoneyAudit {
  const counts = database.prepare<unknown[], Omit<MoneyAudit, 'rules'>>(COUNTS).get()
  return { ...(counts as Omit<MoneyAudit, 'rules'>), rules: auditRules(database, open) }
}

function auditPools(database: Database): RuleAudit {
  const findings: string[] = []
  const audit = (rows: readonly PoolRow[]) => {
    const [first] = rows
    if (first === undefined || findings.length >= FINDINGS_MAX) return
    const { pool, payout, cash, paid, sets } = first
    const markets = rows.map(row => ({ ...row, outcome: row.outcome ?? undefined }))
    const name = `${rows.length > 1 ? 'group' : 'market'} ${pool}`
    if (cash === null) {
      findings.push(`${name} has no escrow account`)
      return
    }
    const fault = poolFault({ payout, cash, paid, sets, markets })
    if (fault !== undefined) findings.push(`${name}: ${fault}`)
  }
  let rows: PoolRow[] = []
  for (const row of database.prepare<unknown[], PoolRow>(POOLS).iterate()) {
    if (rows[0]?.pool !== row.pool) {
      audit(rows)
      rows = []
    }
    rows.push(row)
  }
  audit(rows)
  return { rule: 'each escrow is the payout of its open pairs', findings }
}

function auditRules(database: Database, open: string): RuleAudit[] {
  const read = <Row>(rule: string, sql: string, tell: (row: Row) => string | undefined): RuleAudit => {
    const findings: string[] = []
    for (const row of database.prepare<unknown[], Row>(sql).iterate()) {
      const finding = tell(row)
      if (finding !== undefined) findings.push(finding)
      if (findings.length === FINDINGS_MAX) break
    }
    return { rule, findings }
  }
  return [
    read<{ cash: number }>('the cash of all accounts sums to zero', SUM, ({ cash }) => `it sums to ${cash}`),
    read<AccountRow>(
      'no account but external is below zero or holds more than its cash',
      BOUNDS,
      ({ number, owner, cash, held }) => `account ${number} (${owner}) holds ${held} of ${cash}`,
    ),
    auditPools(database),
    read<HoldRow>(
      'each hold is what the open orders of the account need',
      holds(open),
      ({ number, owner, held, needed }) => `account ${number} (${owner}) holds ${held}, its orders ${needed}`,
    ),
    read<LockRow>('each lock is what the open orders sell', locks(open), row => {
      const { market, account, yesLocked, noLocked, yes, no } = row
      const locked = `${yesLocked} YES and ${noLocked} NO locked`
      return `account ${account} in market ${market} has ${locked}, its orders ${yes} and ${no}`
    }),
  ]
}
