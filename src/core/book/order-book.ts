import { assert } from '../assert.js'
import type { Side } from '../order.js'
import type { AccountNumber, OrderNumber, PriceTicks, QuantityLots } from '../units.js'
import { NO_LOTS, ticks } from '../units.js'
import { LevelPages } from './level-pages.js'
import { OrderSlots } from './order-slots.js'
import { PriceSet } from './price-set.js'
import { SlotIndex } from './slot-index.js'

declare const SLOT: unique symbol
/** An order's index in the book's arrays; valid while the order rests. */
export type Slot = number & { readonly [SLOT]: true }
export const NO_SLOT = -1 as Slot
/** Returned by `best` when a side is empty. */
export const NO_PRICE = 0 as PriceTicks

/** One price level: the YES price and the open quantity there. */
export type Level = readonly [price: PriceTicks, quantity: QuantityLots]

/** A resting order, read out of the arrays. `covered` is the part that sells contracts its owner holds. */
export interface RestingOrder {
  readonly number: OrderNumber
  readonly owner: AccountNumber
  readonly side: Side
  readonly price: PriceTicks
  readonly lots: QuantityLots
  readonly covered: QuantityLots
}

/** Shared by all books in which no order has rested yet. */
const NO_PRICES = new PriceSet(0)
const NO_LEVELS = new LevelPages(0)
const NO_ORDERS = new OrderSlots()

/**
 * The book of one market on one price axis, the YES price. `yes` orders are bids, `no` orders are asks. It is
 * never crossed, so a price belongs to one side at a time and both sides share the level arrays.
 *
 *   price        1    2   …   54    55    56   …   payout − 1
 *   levels.lots  0    0       300   0     120                    open quantity at the price
 *   levels.first ·    ·       4     ·     9                      slot of the oldest order
 *   levels.last  ·    ·       7     ·     2                      slot of the newest order
 *   bids                      ▪                                  one bit per price; the best: one clz32
 *   asks                                  ▪
 *
 *   slot            2        4        7        9
 *   number          57       12       40       41                the order's number in its market
 *   price           56       54       54       56
 *   next · previous · 9     7 ·      · 4      2 ·                the queue at the level, oldest first
 *
 * Free slots form a list of their own through `next`. A book in which no order ever rested has no arrays, and
 * an ended market's book frees them. All quantities are lots, all prices ticks.
 */
export class OrderBook {
  readonly payout: PriceTicks

  #bids = NO_PRICES
  #asks = NO_PRICES
  #levels = NO_LEVELS

  #orders = NO_ORDERS
  #size = 0
  #slotOf = new SlotIndex()

  #changedBids = NO_PRICES
  #changedAsks = NO_PRICES

  constructor(payout: PriceTicks) {
    this.payout = payout
  }

  /** The number of resting orders. */
  get size(): number {
    return this.#size
  }

  /** Returns the best YES price of a side: the highest bid, the lowest ask, or NO_PRICE. */
  best(side: Side): PriceTicks {
    return (side === 'yes' ? this.#bids.highest() : this.#asks.lowest()) as PriceTicks
  }

  /** Returns the order that fills next at a price, or NO_SLOT. */
  oldestAt(price: PriceTicks): Slot {
    return this.#size === 0 ? NO_SLOT : (this.#levels.first[this.#levels.at(price)] as Slot)
  }

  /** Returns the slot of a resting order, or NO_SLOT. */
  find(number: OrderNumber): Slot {
    return this.#slotOf.get(number) as Slot
  }

  numberAt(slot: Slot): OrderNumber {
    return this.#orders.number[slot] as OrderNumber
  }

  ownerAt(slot: Slot): AccountNumber {
    return this.#orders.owner[slot] as AccountNumber
  }

  lotsAt(slot: Slot): QuantityLots {
    return this.#orders.lots[slot] as QuantityLots
  }

  coveredAt(slot: Slot): QuantityLots {
    return this.#orders.covered[slot] as QuantityLots
  }

  read(slot: Slot): RestingOrder {
    const price = this.#orders.price[slot] as PriceTicks
    return {
      number: this.numberAt(slot),
      owner: this.ownerAt(slot),
      side: this.#bids.has(price) ? 'yes' : 'no',
      price,
      lots: this.lotsAt(slot),
      covered: this.coveredAt(slot),
    }
  }

  /** Adds an order behind all others at its price. The caller has matched it: it does not cross. */
  rest(
    number: OrderNumber,
    owner: AccountNumber,
    side: Side,
    price: PriceTicks,
    lots: QuantityLots,
    covered: QuantityLots,
  ): void {
    if (this.#orders === NO_ORDERS) this.#allocate()
    const slot = this.#orders.allocate()
    this.#orders.number[slot] = number
    this.#orders.owner[slot] = owner
    this.#orders.price[slot] = price
    this.#orders.lots[slot] = lots
    this.#orders.covered[slot] = covered
    this.#slotOf.set(number, slot)
    this.#size++

    const levels = this.#levels
    const level = levels.open(price)
    const last = levels.last[level] as number
    this.#orders.next[slot] = NO_SLOT
    this.#orders.previous[slot] = last
    levels.last[level] = slot
    if (last === NO_SLOT) {
      levels.first[level] = slot
      if (side === 'yes') this.#bids.add(price)
      else this.#asks.add(price)
    } else {
      this.#orders.next[last] = slot
    }
    this.#addToLevel(level, price, lots, side === 'yes')
  }

  /** Reduces a resting order by `lots`, `covered` of them covered; removes it when nothing is left. */
  reduce(slot: Slot, lots: QuantityLots, covered: QuantityLots): void {
    const left = (this.#orders.lots[slot] as number) - lots
    if (left === 0) {
      this.remove(slot)
      return
    }
    this.#orders.lots[slot] = left
    this.#orders.covered[slot] = (this.#orders.covered[slot] as number) - covered
    const price = this.#orders.price[slot] as number
    this.#addToLevel(this.#levels.at(price), price, -lots, this.#bids.has(price))
  }

  /** Removes an order from the book. */
  remove(slot: Slot): void {
    const price = this.#orders.price[slot] as number
    const next = this.#orders.next[slot] as number
    const previous = this.#orders.previous[slot] as number
    const levels = this.#levels
    const level = levels.at(price)
    if (previous === NO_SLOT) levels.first[level] = next
    else this.#orders.next[previous] = next
    if (next === NO_SLOT) levels.last[level] = previous
    else this.#orders.previous[next] = previous

    const isBid = this.#bids.has(price)
    this.#addToLevel(level, price, -(this.#orders.lots[slot] as number), isBid)
    if (previous === NO_SLOT && next === NO_SLOT) {
      if (isBid) this.#bids.delete(price)
      else this.#asks.delete(price)
    }
    this.#slotOf.delete(this.#orders.number[slot] as number)
    this.#orders.free(slot)
    this.#size--
  }

  /** Returns the levels of a side, best first. */
  depth(side: Side, levelsMax = Number.POSITIVE_INFINITY): Level[] {
    const levels: Level[] = []
    const prices = side === 'yes' ? this.#bids : this.#asks
    const step = side === 'yes' ? -1 : 1
    for (let price: number = this.best(side); price > 0 && price < this.payout; price += step) {
      if (levels.length >= levelsMax) break
      if (prices.has(price)) levels.push(this.#level(price, prices))
    }
    return levels
  }

  /** Yields the orders of a side as they fill: best price first, then oldest. */
  *queue(side: Side): Generator<Slot> {
    for (const [price] of this.depth(side)) {
      for (let slot = this.oldestAt(price); slot !== NO_SLOT; slot = this.#orders.next[slot] as Slot)
        yield slot
    }
  }

  /** Yields every resting order: bids, then asks. */
  *orders(): Generator<RestingOrder> {
    for (const side of ['yes', 'no'] as const) for (const slot of this.queue(side)) yield this.read(slot)
  }

  /**
   * Returns and clears the levels changed since the last call: their current quantity (0 = gone), best first.
   */
  takeChanges(): { readonly bids: Level[]; readonly asks: Level[] } {
    const bids: Level[] = []
    const asks: Level[] = []
    // A price that changed sides in between appears on both: with 0 on one, its quantity on the other.
    for (let price = this.#changedBids.takeHighest(); price > 0; price = this.#changedBids.takeHighest())
      bids.push(this.#level(price, this.#bids))
    for (let price = this.#changedAsks.takeLowest(); price > 0; price = this.#changedAsks.takeLowest())
      asks.push(this.#level(price, this.#asks))
    return { bids, asks }
  }

  /** Frees the arrays of an empty book and forgets pending changes. The book may be used again. */
  release(): void {
    assert(this.#size === 0, 'only an empty book is released')
    if (this.#orders === NO_ORDERS) return
    this.#bids = NO_PRICES
    this.#asks = NO_PRICES
    this.#changedBids = NO_PRICES
    this.#changedAsks = NO_PRICES
    this.#levels = NO_LEVELS
    this.#orders = NO_ORDERS
    this.#slotOf = new SlotIndex()
  }

  /** Walks the whole book and asserts its invariants (invariants, I5). For tests and start-up. */
  assertInvariants(): void {
    const bid = this.best('yes')
    const ask = this.best('no')
    assert(bid === NO_PRICE || ask === NO_PRICE || bid < ask, 'the book is never crossed')
    let count = 0
    for (let price = 1; price < this.payout; price++) {
      let sum = 0
      let previous: number = NO_SLOT
      const level = this.#levels.at(price)
      let slot = this.oldestAt(ticks(price))
      for (; slot !== NO_SLOT; slot = this.#orders.next[slot] as Slot) {
        const lots = this.#orders.lots[slot] as number
        const covered = this.#orders.covered[slot] as number
        assert(lots > 0, 'a resting order has an open quantity')
        assert(covered >= 0 && covered <= lots, 'the covered part is within the open quantity')
        assert(this.#orders.price[slot] === price, 'an order rests at its own price')
        assert(this.#orders.previous[slot] === previous, 'the queue is linked both ways')
        assert(this.find(this.numberAt(slot)) === slot, 'the index finds every resting order')
        previous = slot
        sum += lots
        count++
      }
      assert(
        (this.#levels.last[level] ?? NO_SLOT) === previous,
        'the level points to the last order of its queue',
      )
      assert((this.#levels.lots[level] ?? 0) === sum, 'a level is the sum of its orders')
      const sides = Number(this.#bids.has(price)) + Number(this.#asks.has(price))
      assert(sides === (sum > 0 ? 1 : 0), 'a level with orders is on exactly one side')
    }
    assert(count === this.#size, 'the size is the number of resting orders')
  }

  #level(price: number, side: PriceSet): Level {
    return [
      ticks(price),
      side.has(price) ? (this.#levels.lots[this.#levels.at(price)] as QuantityLots) : NO_LOTS,
    ]
  }

  #addToLevel(level: number, price: number, lots: number, isBid: boolean): void {
    this.#levels.lots[level] = (this.#levels.lots[level] as number) + lots
    if (isBid) this.#changedBids.add(price)
    else this.#changedAsks.add(price)
  }

  /** Allocates the arrays for the first order. */
  #allocate(): void {
    this.#bids = new PriceSet(this.payout)
    this.#asks = new PriceSet(this.payout)
    this.#changedBids = new PriceSet(this.payout)
    this.#changedAsks = new PriceSet(this.payout)
    this.#levels = new LevelPages(this.payout)
    this.#orders = new OrderSlots()
  }
}
