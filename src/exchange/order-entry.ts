import type { CancelOrder, CreateOrder } from '../core/command.js'
import type { OrderRecord } from '../core/order-record.js'
import { newOrderRecord, parseOrderId } from '../core/order-record.js'
import { oppositeSide } from '../core/settlement.js'
import type { AccountNumber } from '../core/units.js'
import type { History } from '../shard/history.js'
import type { ShardPool } from '../shard/shard-pool.js'
import type { AccountOpening } from './account-opening.js'
import type { OrderRequest } from './admission.js'
import { admit } from './admission.js'
import type { Busy } from './busy.js'
import type { Desk } from './desk.js'
import type { DeskMarket } from './desk-market.js'
import type { MarketLife } from './market-life.js'
import type { Sources } from './sources.js'

/** Orders in and out: judges them, holds what they need, queues them at the shard of their market. */
export class OrderEntry {
  readonly #desk: Desk
  readonly #shards: ShardPool
  readonly #history: History
  readonly #accounts: AccountOpening
  readonly #life: MarketLife
  readonly #sources: Sources

  constructor(
    desk: Desk,
    shards: ShardPool,
    history: History,
    accounts: AccountOpening,
    life: MarketLife,
    sources: Sources,
  ) {
    this.#desk = desk
    this.#shards = shards
    this.#history = history
    this.#accounts = accounts
    this.#life = life
    this.#sources = sources
  }

  /**
   * Places an order. Answers the order as its batch left it, refused ones too; a `Busy` where nothing was
   * queued. The caller has seen that the market exists.
   */
  async place(request: OrderRequest): Promise<OrderRecord | Busy> {
    if (this.#shards.isFull(request.market)) return 'queue_full'
    const known = this.#accounts.accountOf(request.userId, request.market)
    // An account that is open is not waited for: what arrives together is admitted in the order of arrival.
    const account = known instanceof Promise ? await known : known
    if (account === 'accounts_full') return account
    if (this.#shards.isFull(request.market)) return 'queue_full'

    const market = this.#desk.market(request.market)
    this.#life.advance(market)
    const command = this.#admit(request, market, account)
    const record = newOrderRecord(command, this.#sources.now())
    market.arriving.set(command.number, record)
    await this.#shards.submit(request.market, command)
    return record
  }

  /** Cancels an order where it is still open; answers how it ended, undefined where there is none. */
  async cancel(id: string): Promise<OrderRecord | undefined> {
    const order = await this.find(id)
    const open = order && this.#desk.market(order.market).openOrders.get(order.number)
    if (open === undefined) return order
    const command: CancelOrder = {
      type: 'CANCEL_ORDER',
      id: this.#sources.messageId(),
      market: open.market,
      number: open.number,
      reason: 'user_cancelled',
    }
    await this.#shards.submit(open.market, command)
    return open
  }

  /** An order by its public id: open ones from memory, others from disk. */
  async find(id: string): Promise<OrderRecord | undefined> {
    const parts = parseOrderId(id)
    const market = parts && this.#desk.markets.get(parts.market)
    if (parts === undefined || market === undefined) return undefined
    const { number } = parts
    const order =
      market.openOrders.get(number) ?? (await this.#history.ask('findOrder', parts.market, number))
    return order?.suffix === parts.suffix ? order : undefined
  }

  #admit(request: OrderRequest, market: DeskMarket, account: AccountNumber): CreateOrder {
    const { ledger } = this.#desk
    const sources = this.#sources
    const admission = admit(request, market.terms, market.statusAhead, sources.now(), ledger, account)
    const { expiresAt, side, userId, orderType, selfTrade, outcome, yesPrice, askedPrice, quantity } = request
    const fits = 'hold' in admission && admission.price > 0
    // After this point the hold and the locks stand until the order's batch has been settled.
    if ('hold' in admission) {
      ledger.hold(account, admission.hold)
      ledger.lock(request.market, account, oppositeSide(side), admission.covered)
    }
    return {
      type: 'CREATE_ORDER',
      id: sources.messageId(),
      data: { market: String(request.market), price: yesPrice, quantity, side, userId },
      market: request.market,
      number: market.takeNumber(),
      suffix: sources.orderSuffix(),
      account,
      orderType,
      selfTrade,
      ...(expiresAt === undefined ? {} : { expiresAt }),
      outcome,
      asked: fits ? undefined : { price: askedPrice, quantity },
      admission,
    }
  }
}
