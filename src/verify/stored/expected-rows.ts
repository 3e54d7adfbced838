import type { CreateOrder } from '../../core/command.js'
import type { NamedAmendment } from '../../core/named-amendment.js'
import type { BatchKey, BatchPart } from '../../core/order-names.js'
import type { EngineEvent, Settlement } from '../../core/engine-event.js'
import type { CashEntry } from '../../core/postings.js'
import type { EntryPlace } from '../../core/records/statement-record.js'
import { NOTHING } from '../../core/units.js'
import type { EntryLink } from '../../store/rows/entry-rows.js'
import type { ShadowOrder } from '../shadow/shadow-order.js'
import { endOfLine } from '../shadow/shadow-order.js'
import { hashText, LINE_START, lineHash } from './line-hash.js'
import type { KeyedTable, RowHashes } from './row-hashes.js'
import { newRowHashes, noteRow } from './row-hashes.js'
import { orNone, SEPARATOR as S } from './row-lines.js'
import type { TableName } from './table-shapes.js'

/** Rows whose lines are kept as text: by table, `key`. */
export type Watched = ReadonlyMap<TableName, ReadonlyMap<string, unknown>>

/**
 * The rows that the tables should hold, written as lines and kept as hashes; watched rows are also kept as
 * text.
 */
export class ExpectedRows {
  readonly hashes: RowHashes = newRowHashes()
  /** The watched lines: `table key` → line. */
  readonly lines = new Map<string, string>()
  readonly #watched: Watched

  constructor(watched: Watched = new Map()) {
    this.#watched = watched
  }

  isWatched(table: TableName, ...key: readonly (string | number)[]): boolean {
    if (this.#watched.size === 0) return false
    return this.#watched.get(table)?.has(key.join(' ')) === true
  }

  order(market: number, order: ShadowOrder): void {
    const end = endOfLine(order)
    this.hashes.orders.set(market, order.number, lineHash(hashText(order.start, end)))
    if (order.startText !== undefined) {
      this.lines.set(`orders ${market} ${order.number}`, order.startText + end)
    }
  }

  trades(event: Extract<EngineEvent, { readonly type: 'traded' }>, at: number): void {
    const { market, takerSide, taker, takerOwner } = event
    const who = `${takerSide}${S}${taker}${S}${takerOwner}`
    for (const { trade, price, quantity, maker, makerOwner } of event.fills) {
      const line = `${price}${S}${quantity}${S}${who}${S}${maker}${S}${makerOwner}${S}${at}`
      this.hashes.trades.set(market, trade, lineHash(hashText(LINE_START, line)))
      if (this.isWatched('trades', market, trade)) this.lines.set(`trades ${market} ${trade}`, line)
    }
  }

  /** Adds a line of a statement, with the cash after it. */
  entry(
    { id, previous }: EntryLink,
    { account, kind, change, market, order, trade, txnId, fee = NOTHING }: CashEntry,
    { sequence, line }: EntryPlace,
    at: number,
    cash: number,
  ): void {
    const origin = [market, order, trade, txnId].map(orNone)
    const cells = [account, orNone(previous), sequence, line, at, kind, change, cash, ...origin, fee]
    this.#numbered('entries', id, cells.join(S))
  }

  /** Adds the transfer behind a line of a statement, if there is one. */
  transfer({ account, kind, change, txnId }: CashEntry, at: number, cash: number): void {
    if (txnId !== undefined) this.keyed('transfers', txnId, [account, kind, Math.abs(change), cash, at])
  }

  /** Adds the order that a named amendment left in force, if there is one. */
  amendment(amended: NamedAmendment | undefined): void {
    if (amended !== undefined) this.batch(amended, amended)
  }

  /** Adds a named batch, or one of its orders. */
  batch(
    { name, fingerprint, index = -1 }: BatchKey & Partial<BatchPart>,
    order?: Pick<CreateOrder, 'market' | 'number'>,
  ): void {
    const cells = [fingerprint, orNone(order?.market), orNone(order?.number)]
    this.keyed('batch_keys', `${index} ${name}`, cells)
  }

  settlement({ account, market, outcome, yes, no, paid, payment }: Settlement, at: number): void {
    this.keyed('settlements', `${account} ${market}`, [outcome, yes, no, paid, payment, at])
  }

  /** @param cells position in the journal, number of fills, last line, orders, positions, balance */
  update(
    id: number,
    account: number,
    userSeq: number,
    previous: number | undefined,
    [sequence, at, ...rest]: readonly (number | string | null | undefined)[],
  ): void {
    const cells = [account, userSeq, orNone(previous), sequence, at, ...rest.map(orNone)]
    this.#numbered('updates', id, cells.join(S))
  }

  keyed(table: KeyedTable, key: string, cells: readonly (string | number)[]): void {
    const line = cells.join(S)
    noteRow(this.hashes, table, key, line)
    if (this.isWatched(table, key)) this.lines.set(`${table} ${key}`, line)
  }

  #numbered(table: 'entries' | 'updates', id: number, line: string): void {
    this.hashes[table].set(0, id, lineHash(hashText(LINE_START, line)))
    if (this.isWatched(table, id)) this.lines.set(`${table} ${id}`, line)
  }
}
