import { hashText, LINE_START, lineHash } from './line-hash.js'
import { NumberedHashes } from './numbered-hashes.js'

/** Tables whose rows are found by a text: there are far fewer of them than of orders and trades. */
export type KeyedTable =
  | 'accounts'
  | 'markets'
  | 'positions'
  | 'order_keys'
  | 'transfers'
  | 'settlements'
  | 'admin_actions'
  | 'update_marks'

/** All lines of one account's statement: how many, and the sum of their hashes modulo 2^32. */
export interface EntrySum {
  count: number
  sum: number
}

/**
 * What all rows of all tables came to, as hashes: once by the journal, once as stored. Orders and trades take
 * four bytes each. Holds no function, so that it crosses threads as it is.
 */
export interface Fingerprint {
  readonly orders: NumberedHashes
  readonly trades: NumberedHashes
  /** Of all users, in one numbering: that of market 0. */
  readonly updates: NumberedHashes
  readonly entries: Map<number, EntrySum>
  readonly keyed: Readonly<Record<KeyedTable, Map<string, number>>>
}

export function newFingerprint(): Fingerprint {
  return {
    orders: new NumberedHashes(),
    trades: new NumberedHashes(),
    updates: new NumberedHashes(),
    entries: new Map(),
    keyed: {
      accounts: new Map(),
      markets: new Map(),
      positions: new Map(),
      order_keys: new Map(),
      transfers: new Map(),
      settlements: new Map(),
      admin_actions: new Map(),
      update_marks: new Map(),
    },
  }
}

/** Notes a row of a table whose rows are found by a text. */
export function noteRow(fingerprint: Fingerprint, table: KeyedTable, key: string, line: string): void {
  fingerprint.keyed[table].set(key, lineHash(hashText(LINE_START, line)))
}

/** Notes a line of an account's statement; the order in which they come does not matter. */
export function noteEntry(entries: Map<number, EntrySum>, account: number, hash: number): void {
  const known = entries.get(account)
  if (known === undefined) {
    entries.set(account, { count: 1, sum: hash })
    return
  }
  known.count++
  known.sum = (known.sum + hash) | 0
}
