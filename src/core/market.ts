import { assert } from './assert.js'
import type { Refusal, Side } from './order.js'
import { unitCost } from './order.js'
import type { AccountNumber, Amount, MarketCode, PriceTicks, QuantityLots, TimeMs } from './units.js'
import { lots, NO_LOTS, NOTHING, QUANTITY_LOTS_MAX, ticks, times, toRupees } from './units.js'

/** The life of a market (specification 10.5). */
export type MarketStatus = 'scheduled' | 'open' | 'halted' | 'closed' | 'resolved' | 'settled' | 'voided'

/** A market's result; `void` unwinds every trade. */
export type Outcome = Side | 'void'

// A resolved market is already paying out, so it can no longer be voided (specification 10.5).
const MARKET_TRANSITIONS: Readonly<Record<MarketStatus, readonly MarketStatus[]>> = {
  scheduled: ['open', 'closed', 'voided'],
  open: ['halted', 'closed', 'voided'],
  halted: ['open', 'closed', 'voided'],
  closed: ['resolved', 'voided'],
  resolved: ['settled'],
  settled: [],
  voided: [],
}

/** All statuses of a market, in the order of its life. */
export const MARKET_STATUSES = Object.keys(MARKET_TRANSITIONS) as readonly MarketStatus[]

/** Returns true if a market may move from one status to the other. */
export function canMove(from: MarketStatus, to: MarketStatus): boolean {
  return MARKET_TRANSITIONS[from].includes(to)
}

/** Returns the next status; asserts that the transition is allowed. */
export function moveMarket(from: MarketStatus, to: MarketStatus): MarketStatus {
  assert(canMove(from, to), () => `a market never moves from ${from} to ${to}`)
  return to
}

/** The trading terms. Some may be edited, but never code, payout, tick size and escrow. */
export interface MarketTerms {
  readonly code: MarketCode
  /** The payout of one winning contract. */
  readonly payout: PriceTicks
  readonly tickSize: PriceTicks
  readonly minBet: Amount
  readonly maxBet: Amount
  /** The event's `quantity`: the most YES/NO pairs that may be open at once. */
  readonly capacity: QuantityLots
  readonly startAt: TimeMs
  readonly endAt: TimeMs
  /** The escrow of the market's pool. */
  readonly escrow: AccountNumber
  /** The event's own fee rates; absent or null where its category or the exchange decides. */
  readonly feeTaker?: number | null
  readonly feeMaker?: number | null
  /** The group that the market is an outcome of: all its markets belong to one shard. */
  readonly group?: MarketCode
  /** The group, if it is exclusive: it then is the pool of the market. */
  readonly pool?: MarketCode
}

/** The descriptive part of a market. */
export interface MarketListing {
  readonly id: string
  readonly title: string
  readonly slug: string
  readonly description: string
  /** Source or type, the event's `sot`. */
  readonly sot: string
  /** Never empty; absent from a market without one. */
  readonly category?: string
  /** The outcome's own title in its group; absent from a market that is in none. */
  readonly label?: string
  /** The page that will publish the result. Never empty; absent from a market without one. */
  readonly sourceUrl?: string
  readonly createdAt: TimeMs
}

/** A market to create; the exchange gives it its code, its escrow account and its id. */
export interface NewMarket {
  readonly terms: Omit<MarketTerms, 'code' | 'escrow' | 'group' | 'pool'>
  readonly listing: Omit<MarketListing, 'id' | 'createdAt'>
}

/** The part of a market that changes as it trades. */
export interface MarketProgress {
  readonly status: MarketStatus
  /** The result, once resolved or voided. */
  readonly outcome: Outcome | undefined
  /** The last message number of the market's channel. */
  readonly seq: number
  /** The number of trades so far, which is the last trade's number. */
  readonly trades: number
  readonly lastPrice: PriceTicks | undefined
  /** Lots traded so far. */
  readonly volume: QuantityLots
  /**
   * Lots of YES/NO pairs in existence. Once the market is resolved: winning contracts not yet paid. Zero once
   * it is voided.
   */
  readonly openPairs: QuantityLots
  /** Fees charged so far: in the escrow until the market is settled; refunded if it is voided. */
  readonly fees: Amount
}

/** Returns the progress of a market in which nothing has happened. */
export function newProgress(status: MarketStatus): MarketProgress {
  const quiet = {
    seq: 0,
    trades: 0,
    lastPrice: undefined,
    volume: NO_LOTS,
    openPairs: NO_LOTS,
    fees: NOTHING,
  }
  return { status, outcome: undefined, ...quiet }
}

/** Returns true if orders may rest in a market of this status. */
export function keepsOrders(status: MarketStatus): boolean {
  return status === 'scheduled' || status === 'open' || status === 'halted'
}

/** Returns true if a market has reached a final status. */
export function isOver(status: MarketStatus): boolean {
  return MARKET_TRANSITIONS[status].length === 0
}

/** Prices stay ₹0.10 away from both ends (specification 8 below, 10.3 above). */
export const PRICE_MARGIN = ticks(10)

/** Returns why a market in this status refuses orders; undefined if it accepts them. */
export function statusRefusal(status: MarketStatus): Refusal | undefined {
  switch (status) {
    case 'open':
      return undefined
    case 'scheduled':
      return 'market_not_open'
    case 'halted':
      return 'market_halted'
    default:
      return 'market_closed'
  }
}

/**
 * Returns why a limit price is not valid in this market; undefined if it is.
 *
 * @param rupees the YES price as a number
 * @param price the same in ticks; undefined if it is not a whole number of ticks
 */
export function priceRefusal(
  terms: MarketTerms,
  rupees: number,
  price: PriceTicks | undefined,
): Refusal | undefined {
  const highest = ticks(terms.payout - PRICE_MARGIN)
  if (rupees < toRupees(PRICE_MARGIN) || rupees > toRupees(highest)) return 'price_out_of_range'
  if (price === undefined || price % terms.tickSize !== 0) return 'price_off_tick'
  return undefined
}

/** Returns the bet limit that an order's cost violates, if any; selling contracts held has no minimum. */
export function betRefusal(
  terms: MarketTerms,
  side: Side,
  price: PriceTicks,
  quantity: QuantityLots,
  covered: QuantityLots,
): Refusal | undefined {
  const cost = times(unitCost(side, price, terms.payout), quantity)
  if (cost > terms.maxBet) return 'bet_above_max'
  if (cost < terms.minBet && covered < quantity) return 'bet_below_min'
  return undefined
}

/** Returns the largest capacity whose escrow stays a safe integer, at most the size of the largest order. */
export function capacityMax(payout: PriceTicks): QuantityLots {
  return lots(Math.min(QUANTITY_LOTS_MAX, Math.floor(Number.MAX_SAFE_INTEGER / payout)))
}

/** Returns the number that decides which shard has a market: its group's, so that a group has one shard. */
export function shardKey({ code, group }: Pick<MarketTerms, 'code' | 'group'>): MarketCode {
  return group ?? code
}

/** Returns the id of a market's n-th trade: a pure function, so that a replay gives the same ids. */
export function tradeId(code: MarketCode, trade: number): string {
  return `${code}-${trade}`
}
