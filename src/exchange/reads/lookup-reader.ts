import type { OrderRecord } from '../../core/order-record.js'
import type { TransferRow } from '../../core/records/statement-record.js'
import type { AccountNumber, MarketCode, OrderNumber } from '../../core/units.js'
import type { Database } from '../../store/database.js'
import type { KnownBatch } from '../../store/rows/batch-key-rows.js'
import { BatchKeyRows } from '../../store/rows/batch-key-rows.js'
import type { OrderKeyRow } from '../../store/rows/order-key-rows.js'
import { OrderKeyRows } from '../../store/rows/order-key-rows.js'
import { OrderRows } from '../../store/rows/order-rows.js'
import { TransferRows } from '../../store/rows/transfer-rows.js'

/** A query and its arguments. */
export type Lookup = readonly [question: LookupQuestion, ...about: readonly unknown[]]

/** Finds single rows. Each public method except `answer` is a query. */
export class LookupReader {
  readonly #orders: OrderRows
  readonly #orderKeys: OrderKeyRows
  readonly #batches: BatchKeyRows
  readonly #transfers: TransferRows

  constructor(database: Database) {
    this.#orders = new OrderRows(database)
    this.#orderKeys = new OrderKeyRows(database)
    this.#batches = new BatchKeyRows(database)
    this.#transfers = new TransferRows(database)
  }

  /** Answers many queries, in order. */
  answer(lookups: readonly Lookup[]): unknown[] {
    return lookups.map(([question, ...about]) => {
      const find = this[question] as (...about: readonly unknown[]) => unknown
      return find.apply(this, about)
    })
  }

  findOrder(market: MarketCode, number: OrderNumber): OrderRecord | undefined {
    return this.#orders.find(market, number)
  }

  findOrderKey(account: AccountNumber, name: string): OrderKeyRow | undefined {
    return this.#orderKeys.find(account, name)
  }

  /** Finds a batch by its client's name for it. */
  findBatch(name: string): KnownBatch | undefined {
    return this.#batches.find(name)
  }

  findTransfer(txnId: string): TransferRow | undefined {
    return this.#transfers.find(txnId)
  }
}

export type LookupQuestion = Exclude<keyof LookupReader, 'answer'>
export type LookupAbout<Q extends LookupQuestion> = Parameters<LookupReader[Q]>
export type LookupAnswer<Q extends LookupQuestion> = ReturnType<LookupReader[Q]>
