import type { EngineEvent, Settlement } from '../core/engine-event.js'
import type { CashEntry } from '../core/postings.js'
import type { Fingerprint, KeyedTable } from './fingerprint.js'
import { newFingerprint, noteEntry, noteRow } from './fingerprint.js'
import type { FollowedOrder } from './followed-order.js'
import { endOfLine } from './followed-order.js'
import { hashText, LINE_START, lineHash } from './line-hash.js'
import { orNone, SEPARATOR as S } from './row-lines.js'
import type { TableName } from './table-shapes.js'

/** Rows whose lines are wanted as text: by table, `key`, and for entries by account. */
export type Watched = ReadonlyMap<TableName, ReadonlyMap<string, unknown>>

/**
 * The rows as the tables should have them, written as lines and kept as hashes; those that are watched as
 * text, too.
 */
export class ExpectedRows {
  readonly fingerprint: Fingerprint = newFingerprint()
  /** The watched lines: `table key` → line; of an entry `entries account sequence line`. */
  readonly lines = new Map<string, string>()
  readonly #watched: Watched
  readonly #broughtForward: number

  /** @param broughtForward the last batch whose entries an older file never had; 0 where it has them all */
  constructor(broughtForward: number, watched: Watched = new Map()) {
    this.#broughtForward = broughtForward
    this.#watched = watched
  }

  isWatched(table: TableName, ...key: readonly (string | number)[]): boolean {
    if (this.#watched.size === 0) return false
    return this.#watched.get(table)?.has(key.join(' ')) === true
  }

  order(market: number, order: FollowedOrder): void {
    const end = endOfLine(order)
    this.fingerprint.orders.set(market, order.number, lineHash(hashText(order.start, end)))
    if (order.startText !== undefined) {
      this.lines.set(`orders ${market} ${order.number}`, order.startText + end)
    }
  }

  trades(event: Extract<EngineEvent, { readonly type: 'traded' }>, at: number): void {
    const { market, takerSide, taker, takerOwner } = event
    const who = `${takerSide}${S}${taker}${S}${takerOwner}`
    for (const { trade, price, quantity, maker, makerOwner } of event.fills) {
      const line = `${price}${S}${quantity}${S}${who}${S}${maker}${S}${makerOwner}${S}${at}`
      this.fingerprint.trades.set(market, trade, lineHash(hashText(LINE_START, line)))
      if (this.isWatched('trades', market, trade)) this.lines.set(`trades ${market} ${trade}`, line)
    }
  }

  /** A line of a statement, and the transfer that it may stand for. */
  entry(entry: CashEntry, sequence: number, line: number, at: number, cash: number): void {
    const { account, kind, change, market, order, trade, txnId } = entry
    if (txnId !== undefined) {
      this.keyed('transfers', txnId, [account, kind, Math.abs(change), cash, at])
    }
    if (sequence <= this.#broughtForward) return
    const origin = `${orNone(market)}${S}${orNone(order)}${S}${orNone(trade)}${S}${orNone(txnId)}`
    this.#entry(account, sequence, line, `${at}${S}${kind}${S}${change}${S}${cash}${S}${origin}`)
  }

  /** The line with which an account's statement begins in a file that had none before. */
  broughtForward(account: number, sequence: number, at: number, cash: number): void {
    const origin = `${orNone(null)}${S}${orNone(null)}${S}${orNone(null)}${S}${orNone(null)}`
    const line = `${at}${S}brought_forward${S}${cash}${S}${cash}${S}${origin}`
    this.#entry(account, sequence, 0, line)
  }

  settlement({ account, market, outcome, yes, no, paid, payment }: Settlement, at: number): void {
    this.keyed('settlements', `${account} ${market}`, [outcome, yes, no, paid, payment, at])
  }

  /** @param cells where in the journal, how many fills, the orders, the positions, and the balance */
  update(
    id: number,
    account: number,
    userSeq: number,
    previous: number | undefined,
    [sequence, at, ...rest]: readonly (number | string | null | undefined)[],
  ): void {
    const cells = [account, userSeq, orNone(previous), sequence, at, ...rest.map(orNone)]
    const line = cells.join(S)
    this.fingerprint.updates.set(0, id, lineHash(hashText(LINE_START, line)))
    if (this.isWatched('updates', id)) this.lines.set(`updates ${id}`, line)
  }

  keyed(table: KeyedTable, key: string, cells: readonly (string | number)[]): void {
    const line = cells.join(S)
    noteRow(this.fingerprint, table, key, line)
    if (this.isWatched(table, key)) this.lines.set(`${table} ${key}`, line)
  }

  #entry(account: number, sequence: number, line: number, text: string): void {
    noteEntry(this.fingerprint.entries, account, entryHash(sequence, line, text))
    if (!this.isWatched('entries', account)) return
    this.lines.set(`entries ${account} ${sequence} ${line}`, text)
  }
}

/** An entry is found by its account alone, so its place is part of what is hashed. */
export function entryHash(sequence: number, line: number, text: string): number {
  return hashText(Math.imul(LINE_START ^ sequence, 0x9e3779b1) ^ Math.imul(line + 1, 0x85ebca6b), text)
}
