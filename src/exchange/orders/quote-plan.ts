import { oppositeSide } from '../../core/order.js'
import type { OrderRequest } from '../../core/order-request.js'
import type { PriceTicks, QuantityLots } from '../../core/units.js'
import { LOTS_PER_CONTRACT, lots, TICKS_PER_RUPEE, wholeParts } from '../../core/units.js'
import type { Ahead } from './amended-size.js'
import { holdOf } from './amended-size.js'

/** A quote of a set, as the commands on their way leave it. */
export interface OldQuote extends Ahead {
  /** True if an amendment on its way may replace it, or it is the order of such an amendment. */
  readonly isUnsure: boolean
}

/** An old quote that ends, or becomes smaller. */
export interface PlannedCut {
  readonly quote: OldQuote
  /** Undefined to end it. */
  readonly lots: QuantityLots | undefined
}

/** A decision for each quote that was asked for: an old one stays, smaller or not, or it is placed. */
export interface QuotePlan {
  /** By the index of the request; undefined for those to place. */
  readonly kept: readonly (OldQuote | undefined)[]
  readonly cuts: readonly PlannedCut[]
}

/** Money in units of ₹0.0001, and contracts. */
export interface Means {
  money: number
  yes: number
  no: number
}

/**
 * Matches the quotes that are asked for with old ones at the same side and price: those of the same size stay
 * as they are, larger ones become smaller where `mayShrink` allows it, all others end.
 */
export function planQuotes(
  requests: readonly OrderRequest[],
  old: readonly OldQuote[],
  mayShrink: (quote: OldQuote, to: QuantityLots) => boolean,
): QuotePlan {
  const kept = requests.map((): OldQuote | undefined => undefined)
  const left = new Set(old.filter(({ isUnsure }) => !isUnsure))
  const cuts: PlannedCut[] = []
  const keep = (fits: (quote: OldQuote, size: QuantityLots) => boolean) => {
    for (const [index, { side, yesPrice, quantity }] of requests.entries()) {
      const [price, size] = [wholeParts(yesPrice, TICKS_PER_RUPEE), wholeParts(quantity, LOTS_PER_CONTRACT)]
      if (kept[index] !== undefined || size === undefined) continue
      for (const quote of left) {
        const { order, rest } = quote
        if (order.side !== side || order.price !== price || !fits(quote, lots(size))) continue
        kept[index] = quote
        left.delete(quote)
        if (rest > size) cuts.push({ quote, lots: lots(rest - size) })
        break
      }
    }
  }
  keep(({ rest }, size) => rest === size)
  keep((quote, size) => quote.rest > size && mayShrink(quote, size))
  for (const quote of old) if (quote.isUnsure || left.has(quote)) cuts.push({ quote, lots: undefined })
  return { kept, cuts }
}

/** Returns what cuts release; nothing is counted on from quotes that may be replaced meanwhile. */
export function releasedBy(cuts: readonly PlannedCut[], payout: PriceTicks): Means {
  const released: Means = { money: 0, yes: 0, no: 0 }
  for (const { quote, lots: by = quote.rest } of cuts) {
    if (quote.isUnsure) continue
    const { side } = quote.order
    const covered = Math.max(0, by - (quote.rest - quote.covered))
    const after = { ...quote, rest: lots(quote.rest - by), covered: lots(quote.covered - covered) }
    released.money += holdOf(quote, payout) - holdOf(after, payout)
    released[oppositeSide(side)] += covered
  }
  return released
}
