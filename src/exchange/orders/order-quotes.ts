import type { Admission, CreateOrder } from '../../core/command.js'
import { oppositeSide, unitCost } from '../../core/order.js'
import type { OrderRecord } from '../../core/order-record.js'
import { newOrderRecord } from '../../core/order-record.js'
import type { OrderRequest } from '../../core/order-request.js'
import type { AccountNumber, MarketCode, QuantityLots } from '../../core/units.js'
import { amount, lots, NO_LOTS, times } from '../../core/units.js'
import type { AccountOpening } from '../accounts/account-opening.js'
import type { CapacityRefusal } from '../capacity.js'
import type { CommandParts } from '../command-parts.js'
import type { DeskMarket } from '../markets/desk-market.js'
import type { MarketLife } from '../markets/market-life.js'
import { sendToMarket } from '../send-to-market.js'
import { admit, termsFor } from './admission.js'
import { reducedBy } from './amended-size.js'
import type { ArrivalLane } from './arrival-lane.js'
import type { OrderEntry } from './order-entry.js'
import type { OrderTimers } from './order-timers.js'
import type { Means, OldQuote, PlannedCut, QuotePlan } from './quote-plan.js'
import { planQuotes, releasedBy } from './quote-plan.js'

/** The quotes that a user wants to have in a set, in place of those that it has. */
export interface QuotesRequest {
  readonly market: MarketCode
  readonly userId: string
  readonly set: string
  /** Post-only limit orders of the set. */
  readonly quotes: readonly OrderRequest[]
}

/** The result of a quote: an order of the set stayed, whole or smaller, or another was placed. */
interface ReplacedQuote {
  readonly result: 'kept' | 'reduced' | 'placed'
  /** After the command; a placed one may have been rejected. */
  readonly order: OrderRecord
}

export interface ReplacedQuotes {
  /** In the order of the request. */
  readonly quotes: readonly ReplacedQuote[]
  /** The orders of the set that were to end. */
  readonly ended: readonly OrderRecord[]
}

/** Needed to replace quotes. */
interface OrderQuotesParts extends CommandParts {
  readonly lane: ArrivalLane
  readonly accounts: AccountOpening
  readonly life: MarketLife
  readonly entry: OrderEntry
  readonly timers: OrderTimers
}

/** Replaces sets of quotes, in order of arrival, each in one command. */
export class OrderQuotes {
  readonly #parts: OrderQuotesParts

  constructor(parts: OrderQuotesParts) {
    this.#parts = parts
  }

  /**
   * Replaces the quotes of a set; those that are unchanged or smaller keep their place in the queue. Resolves
   * when that is committed. The caller has checked that the market exists.
   */
  async replace(request: QuotesRequest): Promise<ReplacedQuotes | CapacityRefusal> {
    const { desk, lane, accounts, timers } = this.#parts
    const { market, userId, quotes } = request
    const arrival = lane.takeNumber()
    if (lane.isFull(userId)) return 'queue_full'
    const isNew = accounts.numberOf(userId) === undefined
    if (isNew && quotes.length === 0) return { quotes: [], ended: [] }
    if (isNew && desk.growthRefusal !== undefined) return desk.growthRefusal
    if (isNew && desk.limitsOf(userId)?.isSuspended) return 'trading_suspended'
    const found = accounts.accountOf(userId, market)
    if (typeof found === 'string') return found
    const { account, opened } = typeof found === 'number' ? { account: found, opened: undefined } : found
    const ready = timers.firing(account) ?? opened
    return lane.enter(() => this.#replace(request, account, arrival, isNew), { ready, userId })
  }

  async #replace(
    request: QuotesRequest,
    account: AccountNumber,
    arrival: number,
    isNew: boolean,
  ): Promise<ReplacedQuotes | CapacityRefusal> {
    const market = this.#parts.desk.market(request.market)
    const refusal = this.#refusal(request, market, isNew)
    if (refusal !== undefined) return refusal
    const plan = this.#plan(request, market, account)
    const ending = plan.cuts.filter(cut => cut.lots === undefined)
    const placedCount = plan.kept.filter(quote => quote === undefined).length
    const { ownOrders } = this.#parts.desk
    const ownMax = this.#parts.desk.limitsOf(request.userId)?.openOrdersMax
    const more = placedCount - ending.length
    if (placedCount > 0 && !market.hasNumbers) return 'numbers_used_up'
    if (more > 0 && ownOrders.isFull(account, ownMax, more)) return 'open_orders_full'
    return this.#send(request, market, account, arrival, plan)
  }

  #refusal(
    { userId, quotes }: QuotesRequest,
    market: DeskMarket,
    isNew: boolean,
  ): CapacityRefusal | undefined {
    const { desk, shards, life } = this.#parts
    const { code } = market.terms
    if (quotes.length === 0) {
      return desk.endingRefusal ?? (shards.isFullForEnding(code) ? 'queue_full' : undefined)
    }
    if (desk.tradeRefusal !== undefined) return desk.tradeRefusal
    if (desk.limitsOf(userId)?.isSuspended) return 'trading_suspended'
    if (!life.isReadyForOrder(market)) return 'queue_full'
    // The queue had room for the command that opened the account.
    return !isNew && shards.isFull(code) ? 'queue_full' : undefined
  }

  #plan({ set, quotes }: QuotesRequest, market: DeskMarket, account: AccountNumber): QuotePlan {
    const { code, minBet, payout } = market.terms
    const orders = this.#parts.desk.quoteSets.of(account, code, set)
    const unsure = new Set<OrderRecord>()
    for (const order of orders) {
      const replacements = market.replacementsOf(order.number)
      if (replacements.length > 0) for (const each of [order, ...replacements]) unsure.add(each)
    }
    const old = orders.map(order => {
      const reducing = market.reducing.get(order.number)
      return { ...reducedBy(order, reducing?.lots ?? NO_LOTS), isUnsure: unsure.has(order) }
    })
    // As a new order, one below `min_bet` would be refused.
    const mayShrink = ({ order, covered }: OldQuote, to: QuantityLots) =>
      to <= covered || times(unitCost(order.side, order.price, payout), to) >= minBet
    return planQuotes(quotes, old, mayShrink)
  }

  async #send(
    request: QuotesRequest,
    market: DeskMarket,
    account: AccountNumber,
    arrival: number,
    { kept, cuts }: QuotePlan,
  ): Promise<ReplacedQuotes> {
    const { desk, shards, sources } = this.#parts
    const { code, payout } = market.terms
    const released = releasedBy(cuts, payout)
    const requests = request.quotes.filter((_, index) => kept[index] === undefined)
    const orders = this.#admit(requests, market, account, released)
    const needed: Means = { money: 0, yes: 0, no: 0 }
    for (const { data, admission } of orders) {
      if ('refusal' in admission) continue
      needed.money += admission.hold
      needed[oppositeSide(data.side)] += admission.covered
    }
    const extra = {
      extraHold: amount(Math.max(0, needed.money - released.money)),
      extraYes: lots(Math.max(0, needed.yes - released.yes)),
      extraNo: lots(Math.max(0, needed.no - released.no)),
    }

    // After this point the holds and locks stand until the command has been applied.
    desk.ledger.hold(account, extra.extraHold)
    desk.ledger.lock(code, account, 'yes', extra.extraYes)
    desk.ledger.lock(code, account, 'no', extra.extraNo)
    const ending = cuts.flatMap(cut => (cut.lots === undefined ? [cut.quote.order] : []))
    for (const order of ending) desk.quoteSets.delete(order)
    const placed = orders.map((order, index) => this.#arrive(market, order, arrival, index < ending.length))
    const named = cuts.map(({ quote, lots: by }) =>
      by === undefined ? ([quote.order.number] as const) : ([quote.order.number, by] as const),
    )
    const change = { account, cuts: named, ...extra, orders }
    const done = sendToMarket(shards, sources, code, { type: 'REPLACE_QUOTES', ...change })
    for (const { quote, lots: by } of cuts) {
      if (by !== undefined) market.reduceAhead(quote.order.number, by, done)
    }
    await done
    return { quotes: resultsOf(kept, cuts, placed), ended: ending }
  }

  /** Admits quotes one after the other: each takes its part of what the user has and the cuts release. */
  #admit(
    requests: readonly OrderRequest[],
    market: DeskMarket,
    account: AccountNumber,
    released: Means,
  ): CreateOrder[] {
    const { desk, sources, entry } = this.#parts
    const { code } = market.terms
    const left: Means = {
      money: desk.ledger.balance(account).available + released.money,
      yes: desk.ledger.free(code, account, 'yes') + released.yes,
      no: desk.ledger.free(code, account, 'no') + released.no,
    }
    const now = sources.now()
    return requests.map(request => {
      const sold = oppositeSide(request.side)
      const terms = termsFor(market.terms, desk.limitsOf(request.userId), market.rates)
      const power = { contracts: lots(left[sold]), money: amount(left.money) }
      const admission: Admission = admit(request, terms, market.pendingStatus, now, power)
      if ('hold' in admission) {
        left.money -= admission.hold
        left[sold] -= admission.covered
      }
      return entry.commandOf(request, market, account, admission)
    })
  }

  #arrive(market: DeskMarket, command: CreateOrder, arrival: number, takesPlace: boolean): OrderRecord {
    const { desk, sources } = this.#parts
    const order = newOrderRecord(command, sources.now())
    order.arrival = arrival
    // It fills nothing on arrival, so that this is what rests; a later command on its way may end it.
    if ('hold' in command.admission) order.covered = command.admission.covered
    desk.arriveQuote(market, order, takesPlace)
    return order
  }
}

function resultsOf(
  kept: readonly (OldQuote | undefined)[],
  cuts: readonly PlannedCut[],
  placed: readonly OrderRecord[],
): ReplacedQuote[] {
  const reduced = new Set(cuts.map(({ quote }) => quote))
  let next = 0
  return kept.map(quote => {
    if (quote !== undefined) return { result: reduced.has(quote) ? 'reduced' : 'kept', order: quote.order }
    const order = placed[next] as OrderRecord
    next++
    return { result: 'placed', order }
  })
}
