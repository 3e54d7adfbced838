import { NO_SLOT, OrderBook } from '../../src/core/book/order-book.js'
import type { OrderNumber } from '../../src/core/units.js'
import { Dice } from '../fixtures/dice.js'
import type { Operations } from './book-operations.js'
import { CANCEL, LIMIT, MARKET, PAYOUT, playBook } from './book-operations.js'

export interface Workload {
  readonly name: string
  /** Orders that already rest when the clock starts. */
  readonly restingCount: number
  readonly operations: Operations
  /** Number of operations given to the slower peer. */
  readonly peerCount: number
}

interface Shape {
  readonly name: string
  readonly resting: number
  /**
   * How many prices a side has orders at, from the middle outwards, and how many of them new orders choose
   * from.
   */
  readonly levels: number
  readonly levelsNew: number
  /** Percentages of cancels, and of operations that take from the other side. */
  readonly cancels: number
  readonly takes: number
  readonly lotsNew: readonly [low: number, high: number]
  readonly lotsTaken: readonly [low: number, high: number]
  /** True if takers are market orders; otherwise they are crossing limit orders. */
  readonly isSweep: boolean
  readonly count: number
  readonly peerCount: number
}

/**
 * The four workloads. Each keeps its number of resting orders about constant: what is added leaves by cancels
 * and fills.
 *
 * - shallow: five levels a side, thirty orders at each; about as many cancels as new orders, 10 % takers
 * - normal: a hundred levels a side, ten thousand orders; 60 % new, 30 % cancels, 10 % takers
 * - deep: four hundred levels a side, ten thousand orders; one operation in fifty sweeps about fifty of them
 * - aggressive: twenty levels a side, a thousand orders; three operations of four take
 *
 * The peer visits every order of a level when one leaves it, so its figures fall with the length of the
 * queues.
 */
const SHAPES: readonly Shape[] = [
  {
    name: 'shallow',
    resting: 300,
    levels: 5,
    levelsNew: 5,
    cancels: 43,
    takes: 10,
    lotsNew: [1, 19],
    lotsTaken: [1, 11],
    isSweep: false,
    count: 1_000_000,
    peerCount: 40_000,
  },
  {
    name: 'normal',
    resting: 10_000,
    levels: 100,
    levelsNew: 100,
    cancels: 30,
    takes: 10,
    lotsNew: [1, 19],
    lotsTaken: [1, 59],
    isSweep: false,
    count: 1_000_000,
    peerCount: 10_000,
  },
  {
    name: 'deep',
    resting: 10_000,
    levels: 400,
    levelsNew: 40,
    cancels: 0,
    takes: 2,
    lotsNew: [1, 19],
    lotsTaken: [400, 580],
    isSweep: true,
    count: 1_000_000,
    peerCount: 10_000,
  },
  {
    name: 'aggressive',
    resting: 1000,
    levels: 20,
    levelsNew: 20,
    cancels: 2,
    takes: 75,
    lotsNew: [1, 19],
    lotsTaken: [1, 5],
    isSweep: false,
    count: 1_000_000,
    peerCount: 40_000,
  },
]

/** The same lists on every machine and in every run. */
export function bookWorkloads(): Workload[] {
  return SHAPES.map(shape => new Generator(shape, new Dice(20_260_101)).generate())
}

/** Draws operations while it plays them, because a cancel must name an order that rests at that moment. */
class Generator {
  readonly #shape: Shape
  readonly #dice: Dice
  readonly #book = new OrderBook(PAYOUT)
  readonly #numbers: number[] = []
  readonly #operations: Operations
  #at = 0
  #nextNumber = 1

  constructor(shape: Shape, dice: Dice) {
    this.#shape = shape
    this.#dice = dice
    const count = shape.resting + shape.count
    this.#operations = {
      count,
      kind: new Uint8Array(count),
      isYes: new Uint8Array(count),
      price: new Int32Array(count),
      lots: new Int32Array(count),
      number: new Int32Array(count),
    }
  }

  generate(): Workload {
    const { name, resting, levels, levelsNew, cancels, takes, count, peerCount } = this.#shape
    for (let n = 0; n < resting; n++) this.#add(levels)
    for (let n = 0; n < count; n++) {
      const roll = this.#dice.between(1, 100)
      const isFew = this.#book.size < 0.9 * resting
      const isMany = this.#book.size > 1.1 * resting
      if (roll <= takes) this.#take()
      else if ((roll <= takes + cancels && !isFew) || isMany) this.#cancel()
      else this.#add(levelsNew)
    }
    return { name, restingCount: resting, operations: this.#operations, peerCount }
  }

  /** Draws a price that never crosses: bids below the middle, asks above. Half are close to the middle. */
  #add(levels: number): void {
    const isYes = this.#dice.percent(50)
    const reach = this.#dice.percent(50) ? levels : Math.ceil(levels / 5)
    const distance = this.#dice.between(1, reach)
    const middle = PAYOUT / 2
    this.#place(LIMIT, isYes, isYes ? middle - distance : middle + distance, this.#shape.lotsNew)
  }

  #take(): void {
    const isYes = this.#dice.percent(50)
    const { levels, isSweep, lotsTaken } = this.#shape
    const middle = PAYOUT / 2
    const limit = isYes ? middle + levels : middle - levels
    this.#place(isSweep ? MARKET : LIMIT, isYes, limit, lotsTaken)
  }

  #place(kind: number, isYes: boolean, price: number, [low, high]: readonly [number, number]): void {
    const number = this.#nextNumber++ as OrderNumber
    this.#play(kind, isYes, price, this.#dice.between(low, high), number)
    if (this.#book.find(number) !== NO_SLOT) this.#numbers.push(number)
  }

  #cancel(): void {
    for (;;) {
      const index = this.#dice.between(0, this.#numbers.length - 1)
      const number = this.#numbers[index] as OrderNumber
      this.#numbers[index] = this.#numbers.at(-1) as number
      this.#numbers.pop()
      if (this.#book.find(number) === NO_SLOT) continue
      this.#play(CANCEL, false, 0, 0, number)
      return
    }
  }

  #play(kind: number, isYes: boolean, price: number, quantity: number, number: number): void {
    const at = this.#at++
    this.#operations.kind[at] = kind
    this.#operations.isYes[at] = Number(isYes)
    this.#operations.price[at] = price
    this.#operations.lots[at] = quantity
    this.#operations.number[at] = number
    playBook(this.#book, this.#operations, at, at + 1)
  }
}
