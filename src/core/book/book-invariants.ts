import { assert } from '../assert.js'
import type { Side } from '../order.js'
import type { OrderNumber, PriceTicks } from '../units.js'
import { ticks } from '../units.js'
import type { Level, RestingOrder, Slot } from './resting-order.js'

const NONE = -1

interface WalkedBook {
  readonly payout: PriceTicks
  readonly size: number
  depth(side: Side): Level[]
  oldestAt(price: PriceTicks): Slot
  read(slot: Slot): RestingOrder
  find(number: OrderNumber): Slot
}

/** How a book's queues are linked; −1 where a link ends. */
export interface QueueLinks {
  readonly next: (slot: Slot) => Slot
  readonly previous: (slot: Slot) => number
  /** Takes a price at which orders rest. */
  readonly newest: (price: number) => number
}

/** Walks a whole book and asserts its invariants (invariants, I5). */
export function assertBook(book: WalkedBook, links: QueueLinks): void {
  const levels: readonly Level[] = [...book.depth('yes').reverse(), ...book.depth('no')]
  const isSorted = levels.every(([price], at) => at === 0 || price > (levels[at - 1] as Level)[0])
  assert(isSorted, 'the book is never crossed')
  const open = new Map<number, number>(levels)
  let count = 0
  for (let price = 1; price < book.payout; price++) {
    let sum = 0
    let previous = NONE
    for (let slot = book.oldestAt(ticks(price)); slot !== NONE; slot = links.next(slot)) {
      const order = book.read(slot)
      assert(order.lots > 0, 'a resting order has an open quantity')
      const isWithin = order.covered >= 0 && order.covered <= order.lots
      assert(isWithin, 'the covered part is within the open quantity')
      assert(order.price === price, 'an order rests at its own price')
      assert(links.previous(slot) === previous, 'the queue is linked both ways')
      assert(book.find(order.number) === slot, 'the index finds every resting order')
      previous = slot
      sum += order.lots
      count++
    }
    assert((open.get(price) ?? 0) === sum, 'a level is the sum of its orders')
    assert(sum === 0 || links.newest(price) === previous, 'a level ends with its newest order')
  }
  assert(count === book.size, 'the size is the number of resting orders')
}
