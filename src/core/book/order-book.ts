import { assert } from '../assert.js'
import type { Side } from '../order.js'
import type { AccountNumber, OrderNumber, PriceTicks, QuantityLots } from '../units.js'
import { NO_LOTS, ticks } from '../units.js'
import { assertBook } from './book-invariants.js'
import { BookMemory } from './book-memory.js'
import { LevelPages } from './level-pages.js'
import { PriceSet } from './price-set.js'
import type { Level, RestingOrder, Slot } from './resting-order.js'
import { SlotIndex } from './slot-index.js'

export const NO_SLOT = -1 as Slot
/** Returned by `best` when a side is empty. */
export const NO_PRICE = 0 as PriceTicks

export type { Level, RestingOrder, Slot } from './resting-order.js'

// Local on purpose: an imported constant is loaded and checked at each use, at a tenth of the book's speed.
const NONE = -1 as Slot
/** An order's quantities, in doubles from half its slot; its other fields, in ints from its slot. */
const LOTS = 0
const COVERED = 1
const NUMBER = 4
const OWNER = 5
const PRICE = 6
const SIDE = 7
const NEXT = 8
const PREVIOUS = 9
const ORDER_INTS = 10
/** A level's oldest and newest order, in ints from its offset; its open quantity is the double before. */
const OLDEST = 2
const NEWEST = 3

/** Shared by all books in which no order has rested yet. */
const NO_PRICES = new PriceSet(0)
const NO_MEMORY = new BookMemory()
const NO_LEVELS = new LevelPages(NO_MEMORY, 0)
const NO_INDEX = new SlotIndex(NO_MEMORY)

/** Receives the changes of one book at a time; long enough for the highest payout. */
let changed = new Int32Array(0)

/**
 * The book of one market on one price axis, the YES price. `yes` orders are bids, `no` orders are asks. It is
 * never crossed, so a price belongs to one side at a time and has one level.
 *
 *   level at  53   54    55   56      an order's slot     2000   2010   2020   2030
 *   lots           300        120     number, owner       12 7   41 7   57 9   40 8
 *   oldest    ·    2000  ·    2020    price               54     54     56     54
 *   newest    ·    2010  ·    2020    side: 0 or payout   0      0      100    0
 *                                     previous, next      · 2030 2030 · · ·    2000 2010
 *   bids           ▪                  lots                50     100    120    150
 *   asks                      ▪       covered             0      20     0      150
 *
 * Levels (16 bytes), orders (40 bytes: 8 for lots and for covered, 4 for each other field) and the index of
 * order numbers lie in one array, and an order in one or two cache lines. Free slots form a list through
 * `next`. A book in which no order ever rested has no memory, and an ended market's book frees it. All
 * quantities are lots, all prices ticks.
 */
export class OrderBook {
  readonly payout: PriceTicks

  #bids = NO_PRICES
  #asks = NO_PRICES
  #bestBid: number = NO_PRICE
  #bestAsk: number = NO_PRICE
  /** The levels changed since they were last taken: a bid at its price, an ask at payout + price. */
  #changes = NO_PRICES
  #memory = NO_MEMORY
  #levels = NO_LEVELS
  #slotOf = NO_INDEX
  #firstFree = NONE
  #size = 0

  constructor(payout: PriceTicks) {
    this.payout = payout
  }

  /** The number of resting orders. */
  get size(): number {
    return this.#size
  }

  /** Returns the best YES price of a side: the highest bid, the lowest ask, or NO_PRICE. */
  best(side: Side): PriceTicks {
    return (side === 'yes' ? this.#bestBid : this.#bestAsk) as PriceTicks
  }

  /** Returns the order that fills next at a price, or NO_SLOT. */
  oldestAt(price: PriceTicks): Slot {
    return this.#size === 0 ? NONE : (this.#memory.ints[this.#levels.at(price) + OLDEST] as Slot)
  }

  /** Returns the slot of a resting order, or NO_SLOT. */
  find(number: OrderNumber): Slot {
    return this.#slotOf.get(number) as Slot
  }

  numberAt(slot: Slot): OrderNumber {
    return this.#memory.ints[slot + NUMBER] as OrderNumber
  }

  ownerAt(slot: Slot): AccountNumber {
    return this.#memory.ints[slot + OWNER] as AccountNumber
  }

  lotsAt(slot: Slot): QuantityLots {
    return this.#memory.doubles[(slot >> 1) + LOTS] as QuantityLots
  }

  coveredAt(slot: Slot): QuantityLots {
    return this.#memory.doubles[(slot >> 1) + COVERED] as QuantityLots
  }

  read(slot: Slot): RestingOrder {
    return {
      number: this.numberAt(slot),
      owner: this.ownerAt(slot),
      side: this.#memory.ints[slot + SIDE] === 0 ? 'yes' : 'no',
      price: this.#memory.ints[slot + PRICE] as PriceTicks,
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
    if (this.#memory === NO_MEMORY) this.#allocate()
    const sideOffset = side === 'yes' ? 0 : this.payout
    const slot = this.#allocateSlot()
    const level = this.#levels.open(price)
    this.#slotOf.set(number, slot)
    this.#size++
    this.#changes.add(price + sideOffset)

    const { ints, doubles } = this.#memory
    const newest = ints[level + NEWEST] as number
    doubles[(slot >> 1) + LOTS] = lots
    doubles[(slot >> 1) + COVERED] = covered
    ints[slot + NUMBER] = number
    ints[slot + OWNER] = owner
    ints[slot + PRICE] = price
    ints[slot + SIDE] = sideOffset
    ints[slot + NEXT] = NONE
    ints[slot + PREVIOUS] = newest
    ints[level + NEWEST] = slot
    if (newest !== NONE) {
      ints[newest + NEXT] = slot
      doubles[level >> 1] = (doubles[level >> 1] as number) + lots
      return
    }
    ints[level + OLDEST] = slot
    doubles[level >> 1] = lots
    if (side === 'yes') {
      this.#bids.add(price)
      if (price > this.#bestBid) this.#bestBid = price
    } else {
      this.#asks.add(price)
      if (price < this.#bestAsk || this.#bestAsk === 0) this.#bestAsk = price
    }
  }

  /** Reduces a resting order by `lots`, `covered` of them covered; removes it when nothing is left. */
  reduce(slot: Slot, lots: QuantityLots, covered: QuantityLots): void {
    const { ints, doubles } = this.#memory
    const left = (doubles[(slot >> 1) + LOTS] as number) - lots
    if (left === 0) {
      this.remove(slot)
      return
    }
    doubles[(slot >> 1) + LOTS] = left
    doubles[(slot >> 1) + COVERED] = (doubles[(slot >> 1) + COVERED] as number) - covered
    const price = ints[slot + PRICE] as number
    const level = this.#levels.at(price)
    doubles[level >> 1] = (doubles[level >> 1] as number) - lots
    this.#changes.add(price + (ints[slot + SIDE] as number))
  }

  /** Removes an order from the book. */
  remove(slot: Slot): void {
    const { ints, doubles } = this.#memory
    const price = ints[slot + PRICE] as number
    const level = this.#levels.at(price)
    const next = ints[slot + NEXT] as number
    const previous = ints[slot + PREVIOUS] as number
    if (previous === NONE) ints[level + OLDEST] = next
    else ints[previous + NEXT] = next
    if (next === NONE) ints[level + NEWEST] = previous
    else ints[next + PREVIOUS] = previous
    doubles[level >> 1] = (doubles[level >> 1] as number) - (doubles[(slot >> 1) + LOTS] as number)

    this.#changes.add(price + (ints[slot + SIDE] as number))
    this.#slotOf.delete(ints[slot + NUMBER] as number)
    ints[slot + NEXT] = this.#firstFree
    this.#firstFree = slot
    this.#size--
    if (previous !== NONE || next !== NONE) return
    if (ints[slot + SIDE] === 0) {
      this.#bids.delete(price)
      if (price === this.#bestBid) this.#bestBid = this.#bids.highest()
    } else {
      this.#asks.delete(price)
      if (price === this.#bestAsk) this.#bestAsk = this.#asks.lowest()
    }
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
      for (let slot = this.oldestAt(price); slot !== NONE; slot = this.#memory.ints[slot + NEXT] as Slot)
        yield slot
    }
  }

  /** Yields every resting order: bids, then asks. */
  *orders(): Generator<RestingOrder> {
    for (const side of ['yes', 'no'] as const) for (const slot of this.queue(side)) yield this.read(slot)
  }

  /** Returns the levels changed since the last call with their quantity (0 = gone), best first. */
  takeChanges(): { readonly bids: Level[]; readonly asks: Level[] } {
    const count = this.#changes.takeAll(changed)
    let asksFrom = 0
    while (asksFrom < count && (changed[asksFrom] as number) < this.payout) asksFrom++
    const bids: Level[] = []
    const asks: Level[] = []
    // A price that changed sides in between appears on both: with 0 on one, its quantity on the other.
    for (let at = asksFrom - 1; at >= 0; at--) bids.push(this.#level(changed[at] as number, this.#bids))
    for (let at = asksFrom; at < count; at++)
      asks.push(this.#level((changed[at] as number) - this.payout, this.#asks))
    return { bids, asks }
  }

  /** Frees the memory of an empty book and forgets pending changes. The book may be used again. */
  release(): void {
    assert(this.#size === 0, 'only an empty book is released')
    if (this.#memory === NO_MEMORY) return
    this.#memory.release()
    this.#bids = NO_PRICES
    this.#asks = NO_PRICES
    this.#changes = NO_PRICES
    this.#levels = NO_LEVELS
    this.#memory = NO_MEMORY
    this.#slotOf = NO_INDEX
    this.#firstFree = NONE
  }

  /** Walks the whole book and asserts its invariants (invariants, I5). For tests and start-up. */
  assertInvariants(): void {
    const { ints } = this.#memory
    assertBook(this, {
      next: slot => ints[slot + NEXT] as Slot,
      previous: slot => ints[slot + PREVIOUS] as number,
      newest: price => ints[this.#levels.at(price) + NEWEST] as number,
    })
  }

  #level(price: number, side: PriceSet): Level {
    const quantity = side.has(price) ? this.#memory.doubles[this.#levels.at(price) >> 1] : NO_LOTS
    return [ticks(price), quantity as QuantityLots]
  }

  #allocateSlot(): Slot {
    const slot = this.#firstFree
    if (slot === NONE) return this.#memory.allocate(ORDER_INTS, 0) as Slot
    this.#firstFree = this.#memory.ints[slot + NEXT] as Slot
    return slot
  }

  /** Allocates what the first order needs. */
  #allocate(): void {
    this.#bids = new PriceSet(this.payout)
    this.#asks = new PriceSet(this.payout)
    this.#changes = new PriceSet(2 * this.payout)
    if (changed.length < 2 * this.payout) changed = new Int32Array(2 * this.payout)
    this.#memory = new BookMemory()
    this.#levels = new LevelPages(this.#memory, this.payout)
    this.#slotOf = new SlotIndex(this.#memory)
  }
}
