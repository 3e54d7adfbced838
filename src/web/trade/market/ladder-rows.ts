import type { HouseRung } from '../../../client/shapes.js'

/** `[price, quantity]` in rupees of the YES price and in contracts, best first. */
export type Levels = readonly (readonly [price: number, quantity: number])[]

export interface Book {
  readonly bids: Levels
  readonly asks: Levels
}

/** One price of the ladder. */
export interface LadderRow {
  readonly price: number
  readonly quantity: number
  /** The part that is the user’s own. */
  readonly own: number
  /** The part that is the exchange’s own. */
  readonly house: number
  /** The length of its bar: its quantity relative to the largest shown, from 0 to 1. */
  readonly share: number
  /** Contracts from the best price up to this one. */
  readonly total: number
}

/** The number of rows on each side. */
export interface LadderRoom {
  readonly asks: number
  readonly bids: number
}

export interface LadderRows {
  /** Highest price first, so that the best is the last; undefined where there are fewer levels than rows. */
  readonly asks: readonly (LadderRow | undefined)[]
  /** Best first. */
  readonly bids: readonly (LadderRow | undefined)[]
  /** In rupees, undefined where a side is empty. */
  readonly spread: number | undefined
}

/** One of the user’s open orders, as the ladder shows it. */
export interface OwnOrder {
  readonly side: 'yes' | 'no'
  /** The YES price, in rupees. */
  readonly yesPrice: number
  readonly remaining: number
}

/**
 * Returns a row for each level of a book, at most `max` on a side. A side keeps the room that it had, so that
 * what is below does not jump when levels vanish.
 */
export function ladderRoom(book: Book, before: LadderRoom, max: number): LadderRoom {
  const rows = (levels: Levels, had: number) => Math.max(had, 1, Math.min(levels.length, max))
  return { asks: rows(book.asks, before.asks), bids: rows(book.bids, before.bids) }
}

/**
 * Returns the best levels of a book, padded to the rows that there is room for.
 * @param house what the exchange quotes, which may be some seconds older than the book
 */
export function ladderRows(
  book: Book,
  own: readonly OwnOrder[],
  room: LadderRoom,
  house: readonly HouseRung[] = [],
): LadderRows {
  const ofHouse = house.map(({ side, price, quantity }) => ({ side, yesPrice: price, remaining: quantity }))
  const bids = book.bids.slice(0, room.bids)
  const asks = book.asks.slice(0, room.asks)
  const largest = [...bids, ...asks].reduce((most, [, quantity]) => Math.max(most, quantity), 0)
  const rows = (levels: Levels, side: 'yes' | 'no', length: number) => {
    let total = 0
    return Array.from({ length }, (_, index) => {
      const level = levels[index]
      if (level === undefined) return undefined
      const [price, quantity] = level
      total += quantity
      const parts = {
        own: ownAt(own, side, price),
        house: Math.min(quantity, ownAt(ofHouse, side, price)),
      }
      return { price, quantity, ...parts, share: quantity / largest, total }
    })
  }
  const bestBid = bids[0]?.[0]
  const bestAsk = asks[0]?.[0]
  return {
    asks: rows(asks, 'no', room.asks).reverse(),
    bids: rows(bids, 'yes', room.bids),
    spread: bestBid === undefined || bestAsk === undefined ? undefined : bestAsk - bestBid,
  }
}

function ownAt(own: readonly OwnOrder[], side: 'yes' | 'no', price: number): number {
  let quantity = 0
  for (const order of own) {
    // Prices are decimals in floats, so equal prices may differ by rounding.
    if (order.side === side && Math.abs(order.yesPrice - price) < 0.001) quantity += order.remaining
  }
  return quantity
}
