import type { Market, Order } from '../../../client/shapes.js'
import { LOTS_PER_CONTRACT, TICKS_PER_RUPEE, UNITS_PER_RUPEE } from '../../../core/units.js'
import { countText, rupeesText } from '../../kit/number-texts.js'
import { reasonText } from '../../kit/reason-text.js'
import { t } from '../../texts/ticket.js'
import { nearestPrices, priceRange } from '../ticket/price-fixes.js'
import type { TicketTerms } from '../ticket/ticket-draft.js'
import { termsOf } from '../ticket/ticket-draft.js'

type Reason = NonNullable<Order['reason']>
type Detail = (order: Order, terms: TicketTerms) => string

const ticksText = (ticks: number) => rupeesText(ticks / TICKS_PER_RUPEE)
const unitsText = (units: number) => rupeesText(units / UNITS_PER_RUPEE)

/** The figures behind refusals that the order and its market’s terms explain. */
const DETAILS: Partial<Readonly<Record<Reason, Detail>>> = {
  price_off_tick: ({ price }, terms) => {
    const nearest = nearestPrices(price * TICKS_PER_RUPEE, terms).map(ticksText)
    return t.whyOffTick(rupeesText(price), ticksText(terms.tickTicks), nearest)
  },
  price_out_of_range: ({ price }, terms) => {
    const [lowest, highest] = priceRange(terms)
    return t.whyOutOfRange(rupeesText(price), ticksText(lowest), ticksText(highest))
  },
  bet_below_min: (order, terms) => t.whyBelowMin(worthText(order, terms), unitsText(terms.minBetUnits)),
  bet_above_max: (order, terms) =>
    order.order_type === 'MO'
      ? t.whyMarketAboveMax(unitsText(terms.maxBetUnits))
      : t.whyAboveMax(worthText(order, terms), unitsText(terms.maxBetUnits)),
  funds_insufficient: (order, terms) =>
    order.order_type === 'MO' ? t.whyMoneyEnded : t.whyFunds(worthText(order, terms)),
  position_insufficient: ({ quantity, outcome }) => t.whyPosition(countText(quantity), t.outcome[outcome]),
}

/** True for reasons that the market’s terms explain. */
export function needsTerms(reason: string): boolean {
  return Object.hasOwn(DETAILS, reason)
}

/**
 * Returns why an order was refused or cancelled, with figures once its market is known; empty if it was
 * neither, or its user cancelled it.
 */
export function whyText(order: Order, market: Market | undefined): string {
  const { reason } = order
  if (reason === null || reason === 'user_cancelled') return ''
  const detail = market === undefined ? undefined : DETAILS[reason]?.(order, termsOf(market))
  return detail ?? reasonText(reason)
}

/** Returns what the exchange measures an order by: what its side costs. */
function worthText({ offer_type, price, quantity }: Order, { payoutTicks }: TicketTerms): string {
  const ticks = Math.round(price * TICKS_PER_RUPEE)
  const unit = offer_type === 'buy' ? ticks : payoutTicks - ticks
  return unitsText(unit * Math.round(quantity * LOTS_PER_CONTRACT))
}
