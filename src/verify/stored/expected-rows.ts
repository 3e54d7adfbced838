import type { CreateOrder } from '../../core/command.js'
import type { NamedAmendment } from '../../core/named-amendment.js'
import type { BatchKey, BatchPart } from '../../core/order-names.js'
import type { EngineEvent, Settlement } from '../../core/engine-event.js'
import type { CashEntry } from '../../core/postings.js'
import type { EntryPlace } from '../../core/records/statement-record.js'
import { NOTHING } from '../../core/units.js'
import type { EntryLink } from '../../store/rows/entry-rows.js'
import type { ShadowOrder } from '../shadow/shadow-order.js'
import { endLine } from '../shadow/shadow-order.js'
import { ExpectedLine } from './expected-line.js'
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
  readonly #isWatching: boolean
  /** The line that is being written. */
  readonly #line = new ExpectedLine()

  constructor(watched: Watched = new Map()) {
    this.#watched = watched
    this.#isWatching = watched.size > 0
  }

  isWatched(table: TableName, ...key: readonly (string | number)[]): boolean {
    if (!this.#isWatching) return false
    return this.#watched.get(table)?.has(key.join(' ')) === true
  }

  /** Begins the line of a row, or of an order's immutable part. */
  begin(table: TableName, ...key: readonly (string | number)[]): ExpectedLine {
    return this.#line.begin(this.#isWatching && this.isWatched(table, ...key))
  }

  order(market: number, order: ShadowOrder): void {
    const line = this.#line.goOn(order.start, order.startText)
    endLine(order, line)
    this.hashes.orders.set(market, order.number, line.hash)
    this.#keep(line, 'orders', market, order.number)
  }

  trades(event: Extract<EngineEvent, { readonly type: 'traded' }>, at: number): void {
    const { market, takerSide, taker, takerOwner, fills } = event
    for (const { trade, price, quantity, maker, makerOwner } of fills) {
      const line = this.begin('trades', market, trade).cell(price).cell(quantity)
      line.cell(takerSide).cell(taker).cell(takerOwner).cell(maker).cell(makerOwner).cell(at)
      this.hashes.trades.set(market, trade, line.hash)
      this.#keep(line, 'trades', market, trade)
    }
  }

  /** Adds a line of a statement, with the cash after it. */
  entry(
    { id, previous }: EntryLink,
    { account, kind, change, market, order, trade, txnId, fee = NOTHING }: CashEntry,
    { sequence, line: place }: EntryPlace,
    at: number,
    cash: number,
  ): void {
    const line = this.begin('entries', id).cell(account).optional(previous).cell(sequence).cell(place)
    line.cell(at).cell(kind).cell(change).cell(cash)
    line.optional(market).optional(order).optional(trade).optional(txnId).cell(fee)
    this.#numbered('entries', id, line)
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

  /** Adds a row of messages to a user, whose line has begun. */
  update(id: number, line: ExpectedLine): void {
    this.#numbered('updates', id, line)
  }

  keyed(table: KeyedTable, key: string, cells: readonly (string | number)[]): void {
    const line = cells.join(S)
    noteRow(this.hashes, table, key, line)
    if (this.isWatched(table, key)) this.lines.set(`${table} ${key}`, line)
  }

  #numbered(table: 'entries' | 'updates', id: number, line: ExpectedLine): void {
    this.hashes[table].set(0, id, line.hash)
    this.#keep(line, table, id)
  }

  #keep({ text }: ExpectedLine, table: TableName, ...key: readonly number[]): void {
    if (text !== undefined) this.lines.set(`${table} ${key.join(' ')}`, text)
  }
}
