import type { Database, Statement } from '../database.js'
import type { ExpectedRow } from './recent-rows.js'
import { recentRows } from './recent-rows.js'

interface AccountEnd {
  readonly number: number
  readonly owner: string
  readonly cash: number
  readonly entered: number
}

/** Each account points to its last statement line, with the account's cash, and to its last user message. */
const ACCOUNT_ENDS = `SELECT a.number, a.owner, a.cash, ifnull(e.cash, 0) AS entered FROM accounts AS a
  LEFT JOIN entries AS e ON e.id = a.last_entry LEFT JOIN updates AS u ON u.id = a.last_update
  WHERE (a.owner = 'house' OR a.owner GLOB 'user:*' OR a.owner GLOB 'maker:*')
    AND (a.cash <> ifnull(e.cash, 0) OR ifnull(e.account, a.number) <> a.number
      OR a.user_seq <> ifnull(u.user_seq, 0) OR ifnull(u.account, a.number) <> a.number)
  LIMIT 1`

/** Of the markets that go on: a start must not take longer for those that are over. */
const MARKET_ENDS = `SELECT m.code FROM markets AS m INDEXED BY markets_live
  LEFT JOIN trades AS t ON t.market = m.code AND t.trade = m.trades
  WHERE m.status NOT IN ('settled', 'voided')
    AND (m.last_price IS NOT t.price OR m.trades <> ifnull(t.trade, 0)
    OR EXISTS (SELECT 1 FROM trades AS later WHERE later.market = m.code AND later.trade > m.trades))
  LIMIT 1`

/**
 * Checks the tables against one another and against the journal's last batches, as far as a start has time; a
 * verification does the rest. Returns the first fault; undefined if there is none.
 */
export function startFault(database: Database): string | undefined {
  const account = database.prepare<unknown[], AccountEnd>(ACCOUNT_ENDS).get()
  if (account !== undefined) {
    const { number, owner, cash, entered } = account
    const fault = cash === entered ? 'other last rows than its own' : `${cash}, by its statement ${entered}`
    return `account ${number} (${owner}) has ${fault}`
  }
  const market = database.prepare<unknown[], { code: number }>(MARKET_ENDS).get()
  if (market !== undefined) return `market ${market.code} has another last trade than its own`
  const selects = new Map<string, Statement<unknown[]>>()
  for (const row of recentRows(database)) {
    const fault = rowFault(database, selects, row)
    if (fault !== undefined) return fault
  }
  return undefined
}

/** @param selects prepared statements by their SQL */
function rowFault(
  database: Database,
  selects: Map<string, Statement<unknown[]>>,
  { table, key, columns }: ExpectedRow,
): string | undefined {
  const names = Object.keys(columns)
  const where = Object.keys(key).map(column => `${column} = ?`)
  const sql = `SELECT ${names.join(', ')} FROM ${table} WHERE ${where.join(' AND ')}`
  const select = selects.get(sql) ?? database.prepare<unknown[], unknown[]>(sql).raw()
  selects.set(sql, select)
  const row = select.get(...Object.values(key))
  const place = `the row of ${Object.values(key).join(' ')} in ${table}`
  if (row === undefined) return `${place} is missing, but the journal implies it`
  const wrong = names.findIndex((name, index) => row[index] !== columns[name])
  if (wrong < 0) return undefined
  return `${place} has ${names[wrong]} ${row[wrong]}, not ${Object.values(columns)[wrong]}`
}
