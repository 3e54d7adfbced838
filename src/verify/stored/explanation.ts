import { UNITS_PER_RUPEE } from '../../core/units.js'
import type { Database } from '../../store/database.js'
import type { Difference } from './comparison.js'
import { SEPARATOR } from './row-lines.js'
import { storedLine } from './stored-lines.js'
import type { TableName } from './table-shapes.js'
import { TABLE_SHAPES } from './table-shapes.js'

const MONEY = new Set(
  'cash held change amount budget returned paid payment min_bet max_bet filled_value fee fees fee_paid'.split(
    ' ',
  ),
)

const NAMES: Readonly<Record<TableName, (...key: readonly string[]) => string>> = {
  accounts: number => `account ${number}`,
  markets: code => `market ${code}`,
  market_groups: code => `group ${code}`,
  house_quotes: account => `quotes of account ${account} of the house`,
  conversions: (group, number) => `conversion ${group}-${number}`,
  positions: (market, account) => `position of account ${account} in market ${market}`,
  orders: (market, number) => `order ${market}-${number}`,
  batch_keys: (place, ...name) => `place ${place} of the batch ${name.join(' ')}`,
  order_keys: (account, ...name) => `name ${name.join(' ')} of an order of account ${account}`,
  trades: (market, trade) => `trade ${market}-${trade}`,
  entries: id => `row ${id} of the statements`,
  fee_days: (day, market) => `fees of market ${market} on day ${day}`,
  timers: account => `timer of account ${account}`,
  seasons: number => `season ${number}`,
  transfers: txnId => `transfer ${txnId}`,
  updates: id => `row ${id} of the messages to users`,
  update_marks: (account, userSeq) => `mark at message ${userSeq} of account ${account}`,
  admin_actions: (sequence, line) => `action ${sequence}-${line} of the operator`,
  settlements: (account, market) => `settlement of account ${account} in market ${market}`,
}

/**
 * Explains the differences in a row, column by column.
 *
 * @param expected the lines by the journal: `table key` → line
 */
export function explain(
  database: Database,
  expected: ReadonlyMap<string, string>,
  difference: Difference,
): string {
  const { table, key } = difference
  const parts = keyParts(table, key)
  return explainRow(table, parts, expected.get(`${table} ${key}`), storedLine(database, table, parts))
}

/** Splits a key; its last part may be a client's own name, which can contain spaces. */
function keyParts(table: TableName, key: string): string[] {
  const count = TABLE_SHAPES[table].key.length
  const parts = key.split(' ')
  return [...parts.slice(0, count - 1), parts.slice(count - 1).join(' ')]
}

function explainRow(
  table: TableName,
  key: readonly string[],
  expected: string | undefined,
  stored: string | undefined,
): string {
  const cells = stored?.split(SEPARATOR) ?? []
  const wanted = expected?.split(SEPARATOR) ?? []
  const owner = table === 'accounts' ? ` (${cells[0] ?? wanted[0]})` : ''
  const name = NAMES[table](...key) + owner
  if (stored === undefined) return `${name} is missing in the table`
  if (expected === undefined) return `${name} is in the table, the journal knows nothing of it`
  const columns = TABLE_SHAPES[table].columns.map(column => column.replace('?', ''))
  const differing = columns.flatMap((column, index) => {
    const [found, should] = [cells[index], wanted[index]]
    if (found === should) return []
    return [`${column} ${shown(column, found)} in the table, ${shown(column, should)} by the journal`]
  })
  return `${name}: ${differing.join('; ') || 'it is not the same'}`
}

/** Formats money as rupees; other values stay as they are, without the mark of optional texts. */
function shown(column: string, cell: string | undefined): string {
  if (cell === undefined || cell === '-') return 'nothing'
  const isNumber = /^-?\d+$/.test(cell)
  if (isNumber && MONEY.has(column)) return (Number(cell) / UNITS_PER_RUPEE).toFixed(4)
  return JSON.stringify(cell.replace(/^=/, '')).replace(/^"(-?\d+)"$/, '$1')
}
