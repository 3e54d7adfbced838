import type { Command } from '../../core/command.js'
import type { BatchKey, BatchPart } from '../../core/order-names.js'
import { newOrdersOf } from '../../core/command.js'
import { namedAmendmentOf } from '../../core/named-amendment.js'
import type { OrderRecord } from '../../core/order-record.js'
import type { TransferRow } from '../../core/records/statement-record.js'
import type { AccountNumber, MarketCode, OrderNumber, Sequence } from '../../core/units.js'
import type { KnownBatch } from '../../store/rows/batch-key-rows.js'
import type { OrderKeyRow } from '../../store/rows/order-key-rows.js'

type BatchOrders = Map<number, readonly [MarketCode, OrderNumber]>

/** A client's name for an order; the fingerprint of the first order under it may be in the tables alone. */
export interface FreshKey extends Omit<OrderKeyRow, 'fingerprint'> {
  /** The batch that gave the name to this order. */
  readonly sequence: Sequence
  readonly fingerprint: string | undefined
}

const NONE: readonly string[] = []

/** The rows of one batch, to be forgotten once the tables include the batch. */
interface Added {
  readonly sequence: Sequence
  readonly orders: readonly OrderRecord[]
  readonly keys: readonly string[]
  readonly batches: readonly BatchKey[]
  readonly transfers: readonly string[]
}

/**
 * Rows of committed batches that the tables may not include yet: ended orders, clients' names for orders,
 * batches and amendments, and transfers. Look-ups of single rows find them here, so that a request never
 * waits for the tables. Bounded by the number of commands that the tables may be behind.
 */
export class FreshRows {
  readonly #orders = new Map<MarketCode, Map<OrderNumber, OrderRecord>>()
  readonly #keys = new Map<string, FreshKey>()
  readonly #batches = new Map<
    string,
    { readonly key: BatchKey; readonly orders: BatchOrders; count: number }
  >()
  readonly #transfers = new Map<string, TransferRow>()
  #added: Added[] = []

  /**
   * Adds what a batch changed: the orders that it ended, the names in its commands, its transfers. To be
   * called before the batch's callers get an answer.
   */
  add(
    sequence: Sequence,
    commands: readonly Command[],
    ended: readonly OrderRecord[],
    transfers: readonly TransferRow[],
  ): void {
    const keys: string[] = []
    const batches: BatchKey[] = []
    const rejected = new Set<string>()
    for (const order of ended) if (order.state === 'rejected') rejected.add(placeOf(order))
    for (const command of commands) {
      for (const order of newOrdersOf(command)) {
        if (order.key !== undefined) keys.push(this.#addKey(sequence, order, order.key))
        // The name of a refused replacement stays with the order that it was to replace.
        else if (order.name !== undefined && !rejected.has(placeOf(order))) {
          keys.push(this.#addKey(sequence, order, { name: order.name, fingerprint: undefined }))
        }
        if (order.batch !== undefined) batches.push(this.#addBatch(order.batch, order))
      }
      if (command.type === 'KEEP_BATCH') batches.push(this.#addBatch(command))
      const amendment = namedAmendmentOf(command)
      if (amendment !== undefined) batches.push(this.#addBatch(amendment, amendment))
    }
    for (const order of ended) this.#addOrder(order)
    for (const row of transfers) this.#transfers.set(row.txnId, row)
    this.#added.push({
      sequence,
      orders: ended,
      keys,
      batches,
      transfers: transfers.length === 0 ? NONE : transfers.map(({ txnId }) => txnId),
    })
  }

  /** Forgets what the tables include. */
  reached(sequence: Sequence): void {
    const first = this.#added.findIndex(added => added.sequence > sequence)
    for (const added of this.#added.splice(0, first < 0 ? this.#added.length : first)) {
      for (const order of added.orders) this.#deleteOrder(order)
      for (const key of added.keys) if (this.#isReached(key, sequence)) this.#keys.delete(key)
      for (const txnId of added.transfers) this.#transfers.delete(txnId)
      for (const { name } of added.batches) this.#forgetBatch(name)
    }
  }

  order(market: MarketCode, number: OrderNumber): OrderRecord | undefined {
    return this.#orders.get(market)?.get(number)
  }

  /** Returns the order that goes by a name; without the fingerprint if the tables have that. */
  orderKey(account: AccountNumber, name: string): FreshKey | undefined {
    return this.#keys.get(keyName(account, name))
  }

  transfer(txnId: string): TransferRow | undefined {
    return this.#transfers.get(txnId)
  }

  /** Returns what is fresh of a named batch; the tables may have more of it. */
  batch(name: string): KnownBatch | undefined {
    const fresh = this.#batches.get(name)
    if (fresh === undefined) return undefined
    const orders = Array.from(fresh.orders, ([index, place]) => [index, ...place] as const)
    return { fingerprint: fresh.key.fingerprint, orders }
  }

  #addOrder(order: OrderRecord): void {
    const perMarket = this.#orders.get(order.market)
    if (perMarket === undefined) this.#orders.set(order.market, new Map([[order.number, order]]))
    else perMarket.set(order.number, order)
  }

  #deleteOrder({ market, number }: OrderRecord): void {
    const perMarket = this.#orders.get(market)
    if (perMarket?.delete(number) && perMarket.size === 0) this.#orders.delete(market)
  }

  #addKey(
    sequence: Sequence,
    { account, market, number }: Pick<OrderRecord, 'account' | 'market' | 'number'>,
    { name, fingerprint }: { readonly name: string; readonly fingerprint: string | undefined },
  ): string {
    const key = keyName(account, name)
    const known = this.#keys.get(key)?.fingerprint
    this.#keys.set(key, { sequence, fingerprint: fingerprint ?? known, market, number })
    return key
  }

  /** A name given to a later order is not forgotten with the earlier one. */
  #isReached(key: string, sequence: Sequence): boolean {
    const fresh = this.#keys.get(key)
    return fresh !== undefined && fresh.sequence <= sequence
  }

  #addBatch(key: BatchKey | BatchPart, order?: Pick<OrderRecord, 'market' | 'number'>): BatchKey {
    const { name, fingerprint } = key
    const fresh = this.#batches.get(name) ?? { key: { name, fingerprint }, orders: new Map(), count: 0 }
    if (order !== undefined && 'index' in key) fresh.orders.set(key.index, [order.market, order.number])
    fresh.count++
    this.#batches.set(name, fresh)
    return fresh.key
  }

  /** Forgets a batch with the last of its parts: until then it may name more than the tables have. */
  #forgetBatch(name: string): void {
    const fresh = this.#batches.get(name)
    if (fresh === undefined) return
    fresh.count--
    if (fresh.count === 0) this.#batches.delete(name)
  }
}

const placeOf = ({ market, number }: Pick<OrderRecord, 'market' | 'number'>) => `${market}-${number}`
const keyName = (account: AccountNumber, name: string) => `${account} ${name}`
