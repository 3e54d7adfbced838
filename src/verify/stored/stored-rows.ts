import type { Database } from '../../store/database.js'
import type { Findings } from '../findings.js'
import type { TakeLine } from './line-blocks.js'
import { readBlocks } from './line-blocks.js'
import type { KeyedTable, RowHashes } from './row-hashes.js'
import { newRowHashes, noteRow } from './row-hashes.js'
import type { StoredBooks } from './stored-books.js'
import { OPEN_ORDER } from './stored-books.js'
import { selectLines } from './stored-lines.js'
import { TABLE_SHAPES } from './table-shapes.js'

/** Called at regular intervals with the number of rows read. */
export type RowsRead = (rows: number) => void

const TELL_EVERY = 4096
const KEYED: readonly KeyedTable[] = [
  'accounts',
  'markets',
  'market_groups',
  'conversions',
  'house_quotes',
  'positions',
  'order_keys',
  'batch_keys',
  'timers',
  'seasons',
  'fee_days',
  'transfers',
  'settlements',
  'admin_actions',
  'update_marks',
]

/**
 * Reads every table once and keeps its rows as hashes; along the way it adds up each statement, and gives the
 * open orders to the books.
 */
export function storedRows(
  database: Database,
  statements: Findings,
  books: StoredBooks | undefined,
  read: RowsRead,
): RowHashes {
  const hashes = newRowHashes()
  let rows = 0
  const count = () => {
    rows++
    if (rows % TELL_EVERY === 0) read(rows)
  }
  for (const table of KEYED) {
    const keyLength = TABLE_SHAPES[table].key.length
    for (const row of rawRows(database, selectLines(table))) {
      noteRow(hashes, table, row.slice(0, keyLength).join(' '), row[keyLength] as string)
      count()
    }
  }
  // In the order of their numbers, as they were given.
  const takeOrder: TakeLine = (numbers, hash) => {
    hashes.orders.set(numbers[0] as number, numbers[1] as number, hash)
    if (numbers[2] === 1) books?.take(numbers)
    count()
  }
  readBlocks(database, 'orders', takeOrder, { some: OPEN_ORDER })
  readBlocks(database, 'trades', ([market, number], hash) => {
    hashes.trades.set(market as number, number as number, hash)
    count()
  })
  readBlocks(database, 'updates', ([id], hash) => {
    hashes.updates.set(0, id as number, hash)
    count()
  })
  readEntries(database, hashes, statements, count)
  read(rows)
  return hashes
}

/**
 * Checks that each line of a statement follows from the one before, and that the last matches the account's
 * cash.
 */
function readEntries(
  database: Database,
  { entries }: RowHashes,
  statements: Findings,
  count: () => void,
): void {
  const last = new Map<number, number>()
  const take = (numbers: readonly number[], hash: number) => {
    const [id, account, sequence, line, change, after] = numbers as [
      number,
      number,
      number,
      number,
      number,
      number,
    ]
    const before = last.get(account) ?? 0
    if (before + change !== after) {
      statements.add(() => {
        return `account ${account}, line ${sequence}-${line}: ${before} and ${change} make ${after}`
      })
    }
    last.set(account, after)
    entries.set(0, id, hash)
    count()
  }
  readBlocks(database, 'entries', take, { all: ['account', 'sequence', 'line', 'change', 'cash'] })
  const accounts = `SELECT number, cash FROM accounts 
    WHERE owner = 'house' OR owner LIKE 'user:%' OR owner LIKE 'maker:%'`
  for (const [number, cash] of rawRows(database, accounts) as Iterable<[number, number]>) {
    const ends = last.get(number) ?? 0
    if (cash !== ends)
      statements.add(() => `account ${number}: the statement ends at ${ends}, its cash is ${cash}`)
    last.delete(number)
  }
  for (const [number] of last) statements.add(() => `account ${number}: a statement, but no user's account`)
}

function rawRows(database: Database, sql: string): Iterable<unknown[]> {
  return database.prepare(sql).raw().iterate() as Iterable<unknown[]>
}
