import type { Side } from '../../core/order.js'

/** An order in a queue; one that has left stays there until the queue is swept. */
export interface Queued {
  readonly price: number
  isResting: boolean
}

/** Departed orders that a queue may hold, beyond as many as rest in it, before it is swept. */
const DEAD_MAX = 64

interface Queue<Order> {
  readonly orders: Order[]
  first: number
  resting: number
}

/**
 * One side of a market, kept apart from the book under test: for each price the orders in order of arrival,
 * and the best price.
 */
export class PriceQueues<Order extends Queued> {
  readonly #side: Side
  readonly #queues = new Map<number, Queue<Order>>()
  #best: number | undefined

  constructor(side: Side) {
    this.#side = side
  }

  /** The highest bid or the lowest ask. */
  get best(): number | undefined {
    return this.#best
  }

  add(order: Order): void {
    let queue = this.#queues.get(order.price)
    if (queue === undefined) {
      queue = { orders: [], first: 0, resting: 0 }
      this.#queues.set(order.price, queue)
    }
    if (queue.orders.length > 2 * queue.resting + DEAD_MAX) sweep(queue)
    order.isResting = true
    queue.orders.push(order)
    queue.resting++
    if (this.#best === undefined || this.#isBetter(order.price, this.#best)) this.#best = order.price
  }

  remove(order: Order): void {
    const queue = this.#queues.get(order.price)
    if (queue === undefined || !order.isResting) return
    order.isResting = false
    queue.resting--
    if (queue.resting > 0) return
    this.#queues.delete(order.price)
    if (order.price === this.#best) this.#best = this.#findBest()
  }

  /** Returns the first order to have arrived at a price. */
  oldestAt(price: number): Order | undefined {
    const queue = this.#queues.get(price)
    if (queue === undefined) return undefined
    while (queue.orders[queue.first]?.isResting === false) queue.first++
    return queue.orders[queue.first]
  }

  #findBest(): number | undefined {
    let best: number | undefined
    for (const price of this.#queues.keys()) {
      if (best === undefined || this.#isBetter(price, best)) best = price
    }
    return best
  }

  #isBetter(price: number, than: number): boolean {
    return this.#side === 'yes' ? price > than : price < than
  }
}

function sweep<Order extends Queued>(queue: Queue<Order>): void {
  let kept = 0
  for (const order of queue.orders) if (order.isResting) queue.orders[kept++] = order
  queue.orders.length = kept
  queue.first = 0
}
