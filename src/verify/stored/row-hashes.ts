import { hashText, LINE_START, lineHash } from './line-hash.js'
import { NumberedHashes } from './numbered-hashes.js'

/** Tables whose rows are identified by text: far fewer than orders and trades. */
export type KeyedTable =
  | 'accounts'
  | 'markets'
  | 'market_groups'
  | 'conversions'
  | 'house_quotes'
  | 'positions'
  | 'order_keys'
  | 'batch_keys'
  | 'timers'
  | 'seasons'
  | 'fee_days'
  | 'transfers'
  | 'settlements'
  | 'admin_actions'
  | 'update_marks'

/**
 * All rows of all tables as hashes: once by the journal, once as stored. Numbered rows take four bytes each.
 * Contains no functions, so that it can cross threads.
 */
export interface RowHashes {
  readonly orders: NumberedHashes
  readonly trades: NumberedHashes
  /** For all users, in one numbering: that of market 0. */
  readonly entries: NumberedHashes
  readonly updates: NumberedHashes
  readonly keyed: Readonly<Record<KeyedTable, Map<string, number>>>
}

export function newRowHashes(): RowHashes {
  return {
    orders: new NumberedHashes(),
    trades: new NumberedHashes(),
    entries: new NumberedHashes(),
    updates: new NumberedHashes(),
    keyed: {
      accounts: new Map(),
      markets: new Map(),
      market_groups: new Map(),
      conversions: new Map(),
      house_quotes: new Map(),
      positions: new Map(),
      order_keys: new Map(),
      batch_keys: new Map(),
      timers: new Map(),
      seasons: new Map(),
      fee_days: new Map(),
      transfers: new Map(),
      settlements: new Map(),
      admin_actions: new Map(),
      update_marks: new Map(),
    },
  }
}

/** Notes a row of a table whose rows are identified by text. */
export function noteRow(hashes: RowHashes, table: KeyedTable, key: string, line: string): void {
  hashes.keyed[table].set(key, lineHash(hashText(LINE_START, line)))
}
