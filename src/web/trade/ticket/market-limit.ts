import { priceCap } from '../../../core/price-cap.js'
import { ticks } from '../../../core/units.js'
import { estimateFill } from './fill-estimate.js'
import { sideOf, yesTicks } from './ticket-draft.js'
import type { TicketDraft } from './ticket-draft.js'
import type { TicketView } from './ticket-state.js'

/** Everything that a limit depends on. */
export type Surroundings = Pick<TicketView, 'terms' | 'power' | 'book' | 'own' | 'tolerance'>

/**
 * Returns the price of the outcome, in ticks, at which an order at market is sent: the worst that the book
 * shows for it, and the tolerance as far as the user’s money and the largest order allow. So it trades at
 * what the user saw, or not at all. Undefined if there is nobody to trade with.
 */
export function marketLimit(
  order: Pick<TicketDraft, 'deal' | 'outcome'>,
  lots: number,
  { terms, power, book, own, tolerance }: Surroundings,
): number | undefined {
  const { payoutTicks, tickTicks } = terms
  const side = sideOf(order)
  const coveredLots = Math.min(lots, side === 'yes' ? power.noLots : power.yesLots)
  const walk = { side, limitTicks: undefined, lots, coveredLots, payoutTicks }
  const { worstTicks } = estimateFill(walk, book, own)
  if (worstTicks === undefined) return undefined
  const market = { payout: ticks(payoutTicks), tickSize: ticks(tickTicks) }
  const cap = priceCap(side, ticks(worstTicks), tolerance, market)
  const unitOf = (price: number) => (side === 'yes' ? price : payoutTicks - price)
  const { moneyUnits = Number.POSITIVE_INFINITY } = power
  const uncovered = lots - coveredLots
  const byMoney = uncovered === 0 ? Number.POSITIVE_INFINITY : moneyUnits / uncovered
  const affordable = Math.floor(Math.min(terms.maxBetUnits / lots, byMoney) / tickTicks) * tickTicks
  const unit = Math.max(unitOf(worstTicks), Math.min(unitOf(cap), affordable))
  return yesTicks(order.outcome, side === 'yes' ? unit : payoutTicks - unit, payoutTicks)
}

/** Returns a draft at market, with its limit. */
export function atMarket(
  order: Pick<TicketDraft, 'deal' | 'outcome' | 'lots' | 'amount'>,
  around: Surroundings,
): TicketDraft {
  const { lots = 0 } = order
  const priceTicks = lots > 0 ? marketLimit(order, lots, around) : undefined
  return { ...order, orderType: 'MO', priceTicks }
}
