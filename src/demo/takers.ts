import type { Side } from '../core/order.js'
import type { TimeMs } from '../core/units.js'
import { MINUTE_MS } from './durations.js'
import type { MarketView, Quote, Turn } from './strategy.js'

/** Units in hand beyond which a bot only trades back. */
const INVENTORY_UNITS_MAX = 20
const RESTING_MAX = 4
/** Distance from the fair price at which the informed bot trades, in half spreads. */
const NEWS_HALF_SPREADS = 1.2
/** Movement of the last price at which the trend follower trades, in half spreads. */
const TREND_HALF_SPREADS = 1
/** Bias of the noise against a price that is far from fair. */
const DOUBT_PERCENT = 25

/** Trades for no reason, in small sizes: takes, or waits briefly near the touch. */
export function noise(view: MarketView): Turn {
  const { chance, own } = view
  const [oldest] = own
  const cancel = own.length >= RESTING_MAX ? oldest : undefined
  const side = turned(view, doubtful(view))
  const quantity = view.unit * (0.2 + chance.share())
  const roll = chance.between(1, 100)
  if (roll <= 8) return { cancel, quote: { kind: 'market', side, price: view.last, quantity: quantity / 2 } }
  if (roll <= 50) return { cancel, quote: take(view, side, quantity, view.tickSize) }
  const expiresAt = (view.now + chance.between(2, 30) * MINUTE_MS) as TimeMs
  return { cancel, quote: { kind: 'rest', side, price: nearTouch(view, side), quantity, expiresAt } }
}

/** Buys rising prices and sells falling ones; takes its profit when nothing moves. */
export function momentum(view: MarketView): Turn {
  const { trend, halfSpread, inventory, unit, chance } = view
  const quantity = unit * (0.4 + chance.share())
  if (Math.abs(trend) > halfSpread * TREND_HALF_SPREADS) {
    const side = turned(view, trend > 0 ? 'yes' : 'no')
    return { quote: take(view, side, quantity, halfSpread) }
  }
  if (Math.abs(inventory) < unit) return {}
  const side = inventory > 0 ? 'no' : 'yes'
  return { quote: take(view, side, Math.min(quantity, Math.abs(inventory)), halfSpread) }
}

/** Trades on news: in size towards the fair price, and not at all otherwise. */
export function news(view: MarketView): Turn {
  const { fair, halfSpread, bestBid, bestAsk, unit, chance } = view
  const margin = halfSpread * NEWS_HALF_SPREADS
  const quantity = unit * (0.8 + 1.6 * chance.share())
  const isCheap = bestAsk !== undefined && bestAsk < fair - margin
  const isDear = bestBid !== undefined && bestBid > fair + margin
  if (!isCheap && !isDear) return {}
  return { quote: { kind: 'take', side: isCheap ? 'yes' : 'no', price: fair, quantity } }
}

/** Picks a side, selling dear prices a little more often, so that noise never carries a price away. */
function doubtful({ chance, fair, last, halfSpread }: MarketView): Side {
  const distance = Math.max(-1, Math.min(1, (last - fair) / (4 * halfSpread)))
  return chance.percent(50 + DOUBT_PERCENT * distance) ? 'no' : 'yes'
}

/** Returns the side, or the other one if the bot holds enough of this one. */
function turned({ inventory, unit }: MarketView, side: Side): Side {
  const most = unit * INVENTORY_UNITS_MAX
  if (side === 'yes' && inventory >= most) return 'no'
  return side === 'no' && inventory <= -most ? 'yes' : side
}

/** Takes from the other side of the book, up to a distance behind its best price. */
function take(
  { bestBid, bestAsk }: MarketView,
  side: Side,
  quantity: number,
  slip: number,
): Quote | undefined {
  const best = side === 'yes' ? bestAsk : bestBid
  if (best === undefined) return undefined
  return { kind: 'take', side, price: side === 'yes' ? best + slip : best - slip, quantity }
}

/** Returns a price that joins the queue, betters it a little, or waits slightly behind; it does not cross. */
function nearTouch({ bestBid, bestAsk, last, tickSize, halfSpread, chance }: MarketView, side: Side): number {
  const back = chance.between(-1, Math.ceil((2 * halfSpread) / tickSize)) * tickSize
  if (side === 'yes') {
    const price = (bestBid ?? last) - back
    return bestAsk === undefined ? price : Math.min(price, bestAsk - tickSize)
  }
  const price = (bestAsk ?? last) + back
  return bestBid === undefined ? price : Math.max(price, bestBid + tickSize)
}
