import type { Admission } from '../../core/command.js'
import { feeMax } from '../../core/fees.js'
import type { MarketTerms } from '../../core/market.js'
import { isOpen, oppositeSide, unitCost } from '../../core/order.js'
import { givenOptions } from '../../core/order-options.js'
import type { OrderRecord } from '../../core/order-record.js'
import type { OrderRequest } from '../../core/order-request.js'
import type { AccountNumber, Amount, MarketCode, OrderNumber } from '../../core/units.js'
import { NO_LOTS, NOTHING } from '../../core/units.js'
import type { OrderPreview, QueuePlace } from '../../engine/book-questions.js'
import type { ShardPool } from '../../shard/shard-pool.js'
import type { CapacityRefusal } from '../capacity.js'
import type { AccountOpening } from '../accounts/account-opening.js'
import type { CommandParts } from '../command-parts.js'
import type { Desk } from '../desk.js'
import type { ReadBusy } from '../reads/read-lane.js'
import type { Sources } from '../sources.js'
import { admit, termsFor } from './admission.js'

/** Of a user who has no account yet: no order is theirs. */
const NOBODY = 0 as AccountNumber

/** The effect of an order now, and the money that would be held for it on arrival. */
export interface PreviewedOrder extends OrderPreview {
  readonly held: Amount
  /** The most that it could cost in fees; undefined if there are none. */
  readonly feeMax: Amount | undefined
}

/** An open order, and its place in the queue. */
export interface QueuedOrder {
  readonly order: OrderRecord
  readonly place: QueuePlace
}

function feeMaxOf(
  { side, orderType }: OrderRequest,
  admission: Admission,
  { payout }: MarketTerms,
): Amount | undefined {
  if ('refusal' in admission || admission.fees === undefined) return undefined
  const { fees, price, quantity } = admission
  if (orderType === 'MO') return feeMax(fees.taker, payout, payout, quantity)
  return feeMax(Math.max(fees.taker, fees.maker), unitCost(side, price, payout), payout, quantity)
}

/** Says what orders would do, and where orders stand in the book: the shard is asked, and nothing changes. */
export class OrderPreviews {
  readonly #desk: Desk
  readonly #shards: ShardPool
  readonly #sources: Sources
  readonly #accounts: AccountOpening

  constructor({ desk, shards, sources }: CommandParts, accounts: AccountOpening) {
    this.#desk = desk
    this.#shards = shards
    this.#sources = sources
    this.#accounts = accounts
  }

  /** Returns what an order would do if it arrived now, or why it would not be queued. */
  async preview(request: OrderRequest): Promise<PreviewedOrder | CapacityRefusal | ReadBusy> {
    const { ledger, users } = this.#desk
    const { market: code, userId, side, yesPrice, quantity, orderType, selfTrade } = request
    const market = this.#desk.market(code)
    const account = users.accountOf(userId)
    const limits = this.#desk.limitsOf(userId)
    if (limits?.isSuspended) return 'trading_suspended'
    if (!market.hasNumbers) return 'numbers_used_up'
    if (account !== undefined && this.#desk.ownOrders.isFull(account, limits?.openOrdersMax)) {
      return 'open_orders_full'
    }
    const power = {
      contracts: account === undefined ? NO_LOTS : ledger.free(code, account, oppositeSide(side)),
      money: account === undefined ? this.#accounts.balance : ledger.balance(account).available,
    }
    const at = this.#sources.now()
    const terms = termsFor(market.terms, limits, market.rates)
    const admission = admit(request, terms, market.pendingStatus, at, power)
    const data = { market: String(code), price: yesPrice, quantity, side, userId }
    const plain = { market: code, account: account ?? NOBODY, data, orderType, selfTrade, admission }
    const order = { ...plain, ...givenOptions(request) }
    const found = await this.#shards.look({ kind: 'preview', market: code, order, at })
    if (found === undefined) return 'reads_full'
    const held = 'hold' in admission ? admission.hold : NOTHING
    return { ...(found as OrderPreview), held, feeMax: feeMaxOf(request, admission, market.terms) }
  }

  /** Returns the place of an order in its queue; undefined if it does not rest. */
  async placeOf({ market, number, state }: OrderRecord): Promise<QueuePlace | ReadBusy | undefined> {
    if (!isOpen(state)) return undefined
    const places = await this.#placesIn(market, [number])
    return typeof places === 'string' ? places : places[0]
  }

  /** Returns a user's resting orders in a market, best first, with their places. */
  async queueOf(userId: string, market: MarketCode): Promise<readonly QueuedOrder[] | ReadBusy> {
    const account = this.#desk.users.accountOf(userId)
    const own = account === undefined ? [] : this.#desk.ownOrders.of(account)
    const orders = new Map(own.filter(order => order.market === market).map(order => [order.number, order]))
    const places = await this.#placesIn(market, [...orders.keys()])
    if (typeof places === 'string') return places
    return places.flatMap(place => {
      const order = orders.get(place.number)
      return order === undefined ? [] : [{ order, place }]
    })
  }

  async #placesIn(
    market: MarketCode,
    numbers: readonly OrderNumber[],
  ): Promise<readonly QueuePlace[] | ReadBusy> {
    if (numbers.length === 0) return []
    const places = await this.#shards.look({ kind: 'places', market, numbers })
    return places === undefined ? 'reads_full' : (places as readonly QueuePlace[])
  }
}
