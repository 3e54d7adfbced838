import type { Side } from '../core/order.js'
import type { OrderRecord } from '../core/order-record.js'
import { unfilledOf } from '../core/order-record.js'
import { toContracts } from '../core/units.js'
import type { MarketView, Quote, Turn } from './strategy.js'

const LEVELS = 5
/** Weight of its own estimate against the last price. */
const FAIR_SHARE = 0.7
/** Units in hand at which a maker has moved its prices by half a spread. */
const SKEW_UNITS = 12
const SKEW_HALF_SPREADS_MAX = 3
/** An order with less than this share of the usual size left is replaced. */
const WORN_SHARE = 0.3
const FIRST_WORN_PERCENT = 30

interface Level {
  readonly side: Side
  readonly price: number
  readonly depth: number
}

/**
 * Keeps bids and asks on both sides of its estimate, and leans away from its inventory. Each turn moves one
 * order: it cancels the one furthest from its proper place, and adds the missing level nearest to the touch.
 */
export function maker(view: MarketView): Turn {
  const missing = levels(view)
  const stale: OrderRecord[] = []
  for (const order of view.own) {
    const place = missing.findIndex(level => keeps(view, order, level))
    if (place < 0) stale.push(order)
    else missing.splice(place, 1)
  }
  const [level] = missing
  if (level !== undefined || stale.length > 0) {
    const blocking = stale.find(order => level !== undefined && isInTheWay(order, level))
    return { cancel: blocking ?? stale[0], quote: level && quoteAt(view, level) }
  }
  return breathe(view)
}

/** Returns the levels for its orders, nearest to the touch first. */
function levels(view: MarketView): Level[] {
  const { halfSpread, fair, last, inventory, unit, bestBid, bestAsk, tickSize } = view
  const skew = -inventory / (unit * SKEW_UNITS)
  const lean = Math.max(-SKEW_HALF_SPREADS_MAX, Math.min(SKEW_HALF_SPREADS_MAX, skew)) * halfSpread
  const middle = FAIR_SHARE * fair + (1 - FAIR_SHARE) * last + lean
  const gap = Math.max(tickSize, halfSpread)
  const bid = Math.min(gridBelow(middle - halfSpread, tickSize), (bestAsk ?? view.payout) - tickSize)
  const ask = Math.max(gridAbove(middle + halfSpread, tickSize), (bestBid ?? 0) + tickSize)
  const found = Array.from({ length: LEVELS }, (_, depth): Level[] => [
    { side: 'yes', price: gridBelow(bid - depth * gap, tickSize), depth },
    { side: 'no', price: gridAbove(ask + depth * gap, tickSize), depth },
  ]).flat()
  return found.filter(({ price }) => price > 0 && price < view.payout)
}

const gridBelow = (price: number, tickSize: number) => Math.floor(price / tickSize) * tickSize
const gridAbove = (price: number, tickSize: number) => Math.ceil(price / tickSize) * tickSize

/** Returns whether an order is close enough to a level: moving it would cost its place in the queue. */
function keeps({ halfSpread, unit }: MarketView, order: OrderRecord, { side, price, depth }: Level): boolean {
  const near = depth === 0 ? halfSpread / 2 : halfSpread
  const isWhole = toContracts(unfilledOf(order)) >= unit * WORN_SHARE
  return isWhole && order.side === side && Math.abs(order.price - price) <= near
}

/** Returns whether one of the maker's orders would trade with an order at a level. */
function isInTheWay(order: OrderRecord, { side, price }: Level): boolean {
  if (order.side === side) return false
  return side === 'yes' ? order.price <= price : order.price >= price
}

/** Grows or shrinks an order when all are in place, so that the book is never quite still. */
function breathe(view: MarketView): Turn {
  const { own, chance } = view
  const [first, ...others] = own
  if (first === undefined || chance.percent(FIRST_WORN_PERCENT)) return {}
  const order = chance.oneOf([first, ...others])
  const { side, price } = order
  return { cancel: order, quote: quoteAt(view, { side, price, depth: chance.between(0, LEVELS - 1) }) }
}

function quoteAt({ chance, unit }: MarketView, { side, price, depth }: Level): Quote {
  const quantity = unit * (1 + depth / 2) * (0.6 + 0.8 * chance.share())
  return { kind: 'rest', side, price, quantity }
}
